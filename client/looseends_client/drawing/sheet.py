"""The score sheet: what each seat made in a round, line by line, and how the whole game stands.

Every number is the core's; `score_words` says where each came from. A cell of it can be pointed at, by a shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.cells import cell_len

from looseends_client.cards_text import Faces, points_text
from looseends_client.drawing.rows import Row, Span, cut_text, filled, wrapped
from looseends_client.narration import Sentence, capital, listed
from looseends_client.score_words import REASONS, Reason, RoundAccount, ScoreWords, account_of
from looseends_client.table_model import TableModel
from looseends_client.verdict import verdict
from looseends_core.rules import STARTING_POINTS
from looseends_core.scoring import SeatResult
from looseends_core.state import Phase

NOW = 0
"""The page of the running round, as it would score if it ended at this moment."""


class Cell(NamedTuple):
    """A number of the sheet: the line that it stands in, and the seat."""

    line: str
    seat: int


def runs(model: TableModel) -> bool:
    """Return whether a round is being played, so that it has a page of its own."""
    return model.state.phase in (Phase.PLAYING, Phase.COVERING)


def sheet_rows(
    model: TableModel,
    faces: Faces,
    width: int,
    round_number: int | None = None,
    chosen: Cell | None = None,
    *,
    proofs: bool = True,
) -> list[Row]:
    """Return the sheet of a round (the last that is over where None), or of the whole game before any is over.

    It says of a round that is over whether its deal is proven; without `proofs` only where it is not.

    NOW is the running round. The chosen cell stands in brackets.
    """
    if round_number == NOW and runs(model):
        account = account_of(model.state)
        rows = _heading(f"Round {account.round} so far", model, faces, width)
        return [*rows, *_round(model, faces, width, account, chosen)]
    shown = len(model.accounts) if round_number is None else min(round_number, len(model.accounts))
    if not shown:
        return [*_heading("Score", model, faces, width), _totals(model, faces, width, chosen=chosen)]
    rows = [*_heading(f"Round {shown}", model, faces, width)]
    rows += _round(model, faces, width, model.accounts[shown - 1], chosen)
    rows.append(filled([], width, faces))
    rows += [filled([Span(" "), *row], width, faces) for row in _remarks(model, faces, width - 2, shown)]
    proof = model.proofs.get(shown)
    if proofs or (proof is not None and not proof.proven):
        rows += [filled([Span(" "), *row], width, faces) for row in _proof(model, faces, shown, width - 2)]
    return rows


def lines_on(model: TableModel, page: int | None) -> list[str]:
    """Return the lines of numbers on a page, from the top down; `page` is None for the final sheet."""
    if page is None:
        return ["start", *(str(account.round) for account in model.accounts), "total"]
    if page == NOW and not runs(model):
        return ["total"]
    table = model.rules.table
    reasons = [reason for reason in REASONS if reason != "perfect" or table.perfect_crime]
    return [*reasons, "round", "total"]


def words_on(model: TableModel, faces: Faces, page: int | None, cell: Cell) -> Sentence:
    """Return where the number of a cell comes from."""
    words = ScoreWords(model.rules.table, model.names, faces)
    line, seat = cell
    if line == "start":
        return words.on_start(seat).sentence
    if line == "total" or page is None:
        if line != "total":
            return words.on_round(model.accounts[int(line) - 1], seat).sentence
        played = model.accounts if not page else model.accounts[:page]
        now = [account_of(model.state)] if page == NOW and runs(model) else []
        return words.on_total([*played, *now], seat).sentence
    account = account_of(model.state) if page == NOW else model.accounts[page - 1]
    if line == "round":
        return words.on_round(account, seat).sentence
    reason: Reason = next(reason for reason in REASONS if reason == line)
    return words.on_reason(account, seat, reason).sentence


def final_rows(model: TableModel, faces: Faces, width: int, chosen: Cell | None = None) -> list[Row]:
    """Return who won and why, and the game round by round."""
    rows: list[Row] = [filled([Span(" Final score", "heading")], width, faces), filled([], width, faces)]
    for number, sentence in enumerate(verdict(model.state, model.names, faces)):
        rows += [
            filled([Span(" "), *row], width, faces)
            for row in wrapped([Span(sentence, "title" if number == 0 else "")], width - 2, faces)
        ]
    rows.append(filled([], width, faces))
    rows += _heading("", model, faces, width)
    notes = _notes(model)
    start = f"{STARTING_POINTS}  " if any(notes) else str(STARTING_POINTS)
    begun = [Span(start, "dim")] * model.state.players
    rows.append(_row(_label("at the start", width), begun, faces, width, chosen=_at(chosen, "start")))
    for number, results in enumerate(model.state.results, 1):
        cells = [_points(result.points, faces, _note(result) if any(notes) else "") for result in results]
        rows.append(_row(f"round {number}", cells, faces, width, chosen=_at(chosen, str(number))))
    rows.append(_totals(model, faces, width, "  " if any(notes) else "", chosen))
    rows.append(filled([], width, faces))
    for number in range(1, len(model.state.results) + 1):
        rows += [filled([Span(" "), *row], width, faces) for row in _proof(model, faces, number, width - 2)]
    if any(notes):
        rows.append(filled([Span(f" {'   '.join(note for note in notes if note)}", "dim")], width, faces))
    return rows


def _notes(model: TableModel) -> tuple[str, str]:
    """Return what the letters behind points mean, each only where it stands somewhere."""
    made = [result for results in model.state.results for result in results]
    perfect = "P a Perfect Crime" if any(result.perfect_crime for result in made) else ""
    snitch = "S snitched and won no trick" if any(result.snitch_succeeded for result in made) else ""
    return perfect, snitch


def _note(result: SeatResult) -> str:
    """Return the letter behind a seat's points; as wide where there is none, so that numbers stand in line."""
    return " P" if result.perfect_crime else " S" if result.snitch_succeeded else "  "


_WORDS_FROM = 44
"""From this width labels stand in full."""
_SHORT = {
    "at the start": "start",
    "bids covered": "covered",
    "bids left open": "open",
    "loose tricks": "loose",
    "Perfect Crime": "perfect",
    "this round": "round",
}


def _label(label: str, width: int) -> str:
    """Return a label as it stands at a width."""
    return label if width >= _WORDS_FROM else _SHORT.get(label, label)


def _label_width(width: int) -> int:
    return 27 if width >= 72 else 16 if width >= _WORDS_FROM else 10


def _heading(text: str, model: TableModel, faces: Faces, width: int) -> list[Row]:
    cells = [Span(name, "strong") for name in model.names]
    return [_row(text, cells, faces, width, "heading"), [Span(faces.rule * width, "line")]]


def _at(chosen: Cell | None, line: str) -> int | None:
    """Return the seat whose cell is chosen in a line, None where it is in another."""
    return chosen.seat if chosen is not None and chosen.line == line else None


def _row(label: str, cells: list[Span], faces: Faces, width: int, look: str = "", *, chosen: int | None = None) -> Row:
    left = _label_width(width)
    each = max(4, (width - left - 1) // len(cells))
    row: Row = filled([Span(" "), Span(cut_text(label, left - 1, faces), look)], left, faces)
    closes = False
    for place, cell in enumerate(cells):
        text = cut_text(cell.text, each - 1, faces)
        room = max(1, each - cell_len(text))
        if place == chosen:
            # The brackets take blanks that stand there anyway, so that no number moves.
            row += [Span(" " * (room - 1)), Span("[", "chosen"), Span(text, f"{cell.look} strong")]
        else:
            row += [Span("]" if closes else " ", "chosen"), Span(" " * (room - 1)), Span(text, cell.look)]
        closes = place == chosen
    return filled([*row, Span("]" if closes else " ", "chosen")], width, faces)


def _points(points: int, faces: Faces, note: str = "") -> Span:
    return Span(points_text(points, faces) + note, "good" if points > 0 else "bad" if points < 0 else "dim")


def _round(model: TableModel, faces: Faces, width: int, account: RoundAccount, chosen: Cell | None = None) -> list[Row]:
    """Return the lines of a round: count and points for each reason, then the round and the total."""
    results = [seat.result for seat in account.seats]
    table = model.rules.table
    snitched = any(result.snitch_succeeded for result in results)
    loose = table.loose_end_with_snitch if snitched else table.loose_end
    wide = width >= 72

    def line(reason: Reason, label: str, each: str, count: Callable[[SeatResult], int], worth: int) -> Row:
        cells: list[Span] = []
        for result in results:
            number_of = 0 if result.snitch_succeeded else count(result)
            if not number_of:
                cells.append(Span(faces.dot, "dim"))
                continue
            points = points_text(number_of * worth, faces)
            text = f"{number_of}: {points}" if wide or len(results) <= 3 else points
            cells.append(Span(text, "good" if worth > 0 else "bad" if worth < 0 else "dim"))
        named = f"{label} {each}" if wide else _label(label, width)
        return _row(named, cells, faces, width, chosen=_at(chosen, reason))

    def bonus(reason: Reason, label: str, has: Callable[[SeatResult], bool], worth: int) -> Row:
        cells = [_points(worth, faces) if has(result) else Span(faces.dot, "dim") for result in results]
        return _row(_label(label, width), cells, faces, width, chosen=_at(chosen, reason))

    rows = [
        line(
            "covered", "bids covered", f"{points_text(table.covered, faces)} each", lambda r: r.covered, table.covered
        ),
        line("open", "bids left open", f"{points_text(loose, faces)} each", lambda r: r.uncovered, loose),
        line("loose", "loose tricks", f"{points_text(loose, faces)} each", lambda r: r.loose, loose),
        bonus("snitch", "snitched", lambda r: r.snitch_succeeded, table.snitch),
    ]
    if table.perfect_crime:
        rows.append(bonus("perfect", "Perfect Crime", lambda r: r.perfect_crime, table.perfect_crime))
    rows.append([Span(faces.rule * width, "line")])
    made = [_points(result.points, faces) for result in results]
    rows.append(_row(_label("this round", width), made, faces, width, chosen=_at(chosen, "round")))
    played = [*model.accounts[: account.round - 1], account]
    after = [
        STARTING_POINTS + sum(each.seats[seat].result.points for each in played) for seat in range(model.state.players)
    ]
    cells = [Span(str(score).replace("-", faces.minus), "strong") for score in after]
    rows.append(_row("total", cells, faces, width, "strong", chosen=_at(chosen, "total")))
    return rows


def _totals(model: TableModel, faces: Faces, width: int, after: str = "", chosen: Cell | None = None) -> Row:
    cells = [Span(str(score).replace("-", faces.minus) + after, "strong") for score in model.state.scores]
    return _row("total", cells, faces, width, "strong", chosen=_at(chosen, "total"))


def _remarks(model: TableModel, faces: Faces, width: int, number: int) -> list[Row]:
    """Return in words why the round counted as it did."""
    results = model.state.results[number - 1]
    table = model.rules.table
    said: list[str] = []
    snitches = [model.names[seat] for seat, result in enumerate(results) if result.snitch_succeeded]
    if snitches:
        remark = f"{listed(snitches)} snitched and won no trick"
        if table.loose_end_with_snitch != table.loose_end:
            remark += f": every loose end of the others costs {abs(table.loose_end_with_snitch)}"
        if table.perfect_crime:
            remark += ", and there is no Perfect Crime"
        said.append(remark + ".")
    failed = [
        model.names[seat] for seat, result in enumerate(results) if result.snitched and not result.snitch_succeeded
    ]
    if failed:
        said.append(f"{listed(failed)} snitched, but won a trick.")
    perfect = [model.names[seat] for seat, result in enumerate(results) if result.perfect_crime]
    if perfect:
        said.append(f"{listed(perfect)} covered every bid and left nothing loose: a Perfect Crime.")
    return [row for sentence in said for row in wrapped([Span(capital(sentence))], width, faces)]


def _proof(model: TableModel, faces: Faces, number: int, width: int) -> list[Row]:
    proof = model.proofs.get(number)
    if proof is None:
        return wrapped([Span(f"Round {number}: its deal has not been proven yet.", "dim")], width, faces, indent=2)
    mark = faces.covered if proof.proven else faces.hopeless
    row: Row = [Span(f"{mark} ", "good" if proof.proven else "bad")]
    row.append(Span(f"Round {number}: {proof.words}", "dim" if proof.proven else "bad"))
    if proof.commitment and proof.proven and width >= 60:
        row.append(Span(f"  ({proof.commitment.hex()[:4]}{faces.ellipsis}{proof.commitment.hex()[-4:]})", "dim"))
    return wrapped(row, width, faces, indent=2)

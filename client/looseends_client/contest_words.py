"""How a contest went, in words and lines: who stands where, a result to pass on, and points by seat and deal.

Pure: what the server told goes in, text comes out. How it is drawn, and who is asked for it, is not decided here.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES, Faces
from looseends_protocol.duplicate import DUPLICATE, SIDES, DuplicateTable, duplicate_table
from looseends_protocol.messages import Contest, ContestLine
from looseends_protocol.people_text import BOT_PREFIX, visible

DAILY = "daily "
"""In front of a day, in the name of the contest that is that day's deal."""
SIGNS = {"best": ("★", "*"), "gained": ("▲", "+"), "nothing": ("■", "o"), "lost": ("▼", "-")}
"""The sign of a round in a result to pass on, with letters and strokes alone behind it: the most points of its table,
points gained, none, lost."""


def is_daily(contest: str) -> bool:
    """Return whether a contest is the deal of a day."""
    return contest.startswith(DAILY)


def is_contest(origin: str) -> bool:
    """Return whether what a game is kept under is a contest, and not the code of a table."""
    return origin.startswith((DAILY, DUPLICATE))


def contest_title(contest: str) -> str:
    """Return what a contest is called: `Deal of 2026-12-01`."""
    if is_daily(contest):
        return f"Deal of {visible(contest.removeprefix(DAILY))}"
    return "The same cards at several tables" if contest.startswith(DUPLICATE) else "A contest"


def contest_words(contest: str) -> str:
    """Return what a table is that belongs to a contest, for a list of tables; empty for no contest."""
    if not contest:
        return ""
    table = duplicate_table(contest)
    if table is not None:
        return f"same cards at {table.of} tables, table {table.number}"
    return "deal of the day" if is_daily(contest) else "same cards as other tables"


def side_at(contest: str, seat: int, players: int) -> str:
    """Return the letter of the side that sits on a seat of such a table, empty where there are no sides."""
    table = duplicate_table(contest)
    return "" if table is None else table.side_at(seat, players)


def told_right(contest: Contest) -> Contest:
    """Return the contest without the lines that cannot be games by its rules: a server may be wrong."""
    players, rounds = contest.rules.players, contest.rules.rounds
    right = [
        line
        for line in contest.lines
        if len(line.names) == len(line.scores) == players
        and 0 < len(line.deltas) <= rounds
        and all(len(delta) == players for delta in line.deltas)
        and (line.seat is None or 0 <= line.seat < players)
    ]
    return msgspec.structs.replace(contest, lines=tuple(right))


class Standing(msgspec.Struct, frozen=True):
    """Somebody's place in the deal of a day: `place` counts from 1, equal scores share one."""

    place: int
    name: str
    score: int
    points: tuple[int, ...]
    """What they made of each deal."""
    mine: bool
    line: ContestLine


def seat_of_person(line: ContestLine) -> int:
    """Return the seat of the person who played alone against bots, the first of several."""
    return next((seat for seat, name in enumerate(line.names) if not name.startswith(BOT_PREFIX)), 0)


def standings(contest: Contest) -> list[Standing]:
    """Return everybody who has played the deal of a day, best first."""
    played = [(line, seat_of_person(line) if line.seat is None else line.seat) for line in contest.lines]
    scores = [line.scores[seat] for line, seat in played]
    found = [
        Standing(
            place=1 + sum(other > line.scores[seat] for other in scores),
            name=visible(line.names[seat]),
            score=line.scores[seat],
            points=tuple(delta[seat] for delta in line.deltas),
            mine=line.seat is not None,
            line=line,
        )
        for line, seat in played
    ]
    return sorted(found, key=lambda standing: (standing.place, not standing.mine))


def own_standing(contest: Contest) -> Standing | None:
    """Return the reader's own place, None where they have not played."""
    return next((standing for standing in standings(contest) if standing.mine), None)


def sign_of_round(deltas: Sequence[int], seat: int, faces: Faces) -> str:
    """Return the sign of what a seat made of a deal: nobody learns a card from it."""
    own = deltas[seat]
    if own > 0 and own == max(deltas):
        kind = "best"
    else:
        kind = "gained" if own > 0 else "lost" if own < 0 else "nothing"
    return SIGNS[kind][faces is ASCII_FACES]


def result_lines(contest: Contest, faces: Faces = UNICODE_FACES) -> tuple[str, str, str] | None:
    """Return the reader's result of a day in three lines that give nothing of the deal away, None where there is none.

    Which day, the points and the place, and a sign a round.
    """
    own = own_standing(contest)
    if own is None:
        return None
    day = visible(contest.contest.removeprefix(DAILY))
    score = str(own.score).replace("-", faces.minus)
    points = f"{score} point{'' if own.score == 1 else 's'}"
    seat = own.line.seat if own.line.seat is not None else 0
    signs = "".join(sign_of_round(delta, seat, faces) for delta in own.line.deltas)
    return f"No Loose Ends, deal of {day}", f"{points}, place {own.place} of {len(contest.lines)}", signs


# ── several tables ───────────────────────────────────────────────────────────────────────────────────────────────────


class Compared(msgspec.Struct, frozen=True):
    """What one table's player of a seat made of each deal; `points` has None for a deal that was not played there."""

    name: str
    points: tuple[int | None, ...]
    score: int
    mine: bool


def name_in_record(name: str) -> str:
    """Return who played a seat, a bot by its level."""
    return f"bot {visible(name.removeprefix(BOT_PREFIX))}" if name.startswith(BOT_PREFIX) else visible(name)


def compared_at(contest: Contest, seat: int) -> list[Compared]:
    """Return what was made of the same hands on one seat at every table, best first."""
    rounds = max((len(line.deltas) for line in contest.lines), default=0)
    rows = [
        Compared(
            name=name_in_record(line.names[seat]),
            points=tuple(line.deltas[n][seat] if n < len(line.deltas) else None for n in range(rounds)),
            score=line.scores[seat],
            mine=line.seat == seat,
        )
        for line in contest.lines
    ]
    return sorted(rows, key=lambda row: -row.score)


def means(rows: Sequence[Compared]) -> tuple[float, ...]:
    """Return the mean of each deal over the tables at which it was played, then that of the scores."""
    deals = [
        [points for row in rows if (points := row.points[number]) is not None]
        for number in range(len(rows[0].points) if rows else 0)
    ]
    of_deals = [sum(points) / len(points) if points else 0.0 for points in deals]
    return (*of_deals, sum(row.score for row in rows) / len(rows)) if rows else ()


class Side(msgspec.Struct, frozen=True):
    """What a side has made of all deals: by table the points of the game, None for a table that is not over."""

    letter: str
    names: tuple[str, ...]
    """Who played for it, by table that is over."""
    points: tuple[int | None, ...]
    mean: float
    """Points a table, over those that are over."""
    mine: bool


def sides_of(contest: Contest) -> list[Side]:
    """Return every side of a duplicate, best first; none where there are no sides, or no table is over."""
    own = duplicate_table(contest.contest)
    games = {line.number: line for line in reversed(contest.lines) if line.number}
    if own is None or not games:
        return []
    players = contest.rules.players
    return sorted((_side(letter, own, games, players) for letter in SIDES[:players]), key=lambda side: -side.mean)


def _side(letter: str, own: DuplicateTable, games: dict[int, ContestLine], players: int) -> Side:
    names: list[str] = []
    points: list[int | None] = []
    mine = False
    for table in own.all:
        line = games.get(table.number)
        seat = table.seat_of(letter, players)
        if line is None or seat is None:
            points.append(None)
            continue
        names.append(name_in_record(line.names[seat]))
        points.append(sum(delta[seat] for delta in line.deltas))
        mine = mine or line.seat == seat
    made = [one for one in points if one is not None]
    return Side(letter, tuple(names), tuple(points), sum(made) / len(made) if made else 0.0, mine)


def fairness_of_sides(contest: Contest) -> str:
    """Return in a sentence how far the luck of the cards is out of what the sides have made."""
    own = duplicate_table(contest.contest)
    if own is None:
        return ""
    players = contest.rules.players
    over = len({line.number for line in contest.lines if line.number})
    if own.of % players:
        return f"With {own.of} tables for {players} seats the sides do not hold every hand equally often."
    if over < own.of:
        return f"{over} of {own.of} tables are over: when all are, every side has held every hand."
    return "Every side has held every hand: the luck of the cards is out of it."

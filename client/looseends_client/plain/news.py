"""What has changed at a table since it was last told, as lines: the log's own sentences, and each card as it is played.

Pure: a model in, lines out. What is asked of the reader is in `asking`, what they may ask in `answers`.
"""

from __future__ import annotations

from looseends_client.narration import YOU, capital, does, listed
from looseends_client.plain.answers import hand_line, place_line, trick_line
from looseends_client.plain.scores import score_line
from looseends_client.plain.wording import Wording, finished
from looseends_client.table_model import LogLine, TableModel
from looseends_client.verdict import verdict
from looseends_core.cards import Card
from looseends_core.state import Phase

MOST_LINES_AT_ONCE = 8
"""Lines of the log told after coming back; of more only the last are told, and how many there were."""


def log_text(line: LogLine, wording: Wording) -> str:
    """Return a line of the log. Talk begins with words that no line of the game begins with, whatever the name."""
    said = "".join(part for part in line.words if isinstance(part, str))
    if line.kind in ("talk", "own"):
        return f"Said by {said}"
    if line.kind == "system":
        return wording.text(finished(said))
    told = wording.sentence(line.words)
    return told[:1].upper() + told[1:] if told.startswith(("trick ", f"{YOU}r ")) else told


class News:
    """Tells a model's changes, each once. Made where the reader comes to the table, of which nothing is news."""

    def __init__(self, model: TableModel, wording: Wording) -> None:
        self._model = model
        self._wording = wording
        self._told: LogLine | None = None
        self._catch_up()

    def _catch_up(self) -> None:
        """Take everything for told."""
        model = self._model
        self._told = model.log[-1] if model.log else None
        self._round = self._this_round
        self._plays = len(self._all_plays())
        self._hand = self._hand_now
        self._choice = self._choice_now
        self._results = (model.game, len(model.state.results))
        self._winners = model.state.winners
        self._ready = model.ready
        self._bots = self._bots_now

    @property
    def _this_round(self) -> tuple[int, int]:
        return self._model.game, self._model.state.round

    @property
    def _hand_now(self) -> tuple[int, int, int | None]:
        """The deal, and who double-crossed: after either a hand is another than what was laid from it."""
        return (*self._this_round, self._model.state.double_crosser)

    @property
    def _choice_now(self) -> tuple[int, int, int]:
        """The trick of which somebody chooses what it covers; no number where none does."""
        state = self._model.state
        return (*self._this_round, len(state.tricks) if state.phase is Phase.COVERING else 0)

    @property
    def _bots_now(self) -> set[int]:
        """The seats of bots while the table gathers: of people who come and go the server tells by itself."""
        model = self._model
        return {seat for seat, info in enumerate(model.seats) if info.kind == "bot" and model.phase == "gathering"}

    def _all_plays(self) -> list[tuple[int, Card, bool]]:
        """Every card of this round's tricks in order: seat, card, whether it led."""
        tricks = [list(trick.plays) for trick in self._model.state.tricks] + [self._model.state.trick]
        return [(seat, card, at == 0) for trick in tricks for at, (seat, card) in enumerate(trick)]

    def lines(self) -> list[str]:
        """Return what is new since the last call."""
        model = self._model
        told: list[str] = []
        plays, new_round = self._new_plays(), self._round != self._this_round
        if len(plays) > model.state.players or (new_round and plays):
            # More went by than one trick: its sentences tell it, and what lies on the table now.
            told += self._log_lines()
            told += [trick_line(model, self._wording)] if model.state.trick else []
        else:
            told += [self._play_line(*play) for play in plays]
            told += self._log_lines()
        told += self._bot_lines()
        told += self._choice_line()
        told += self._hand_line()
        told += self._results_lines()
        told += self._ready_lines()
        self._catch_up()
        return told

    def _new_plays(self) -> list[tuple[int, Card, bool]]:
        return self._all_plays()[self._plays if self._round == self._this_round else 0 :]

    def _play_line(self, seat: int, card: Card, led: bool) -> str:
        name = self._model.names[seat]
        return finished(f"{capital(does(name, 'lead' if led else 'play'))} {self._wording.card(card)}")

    def _log_lines(self) -> list[str]:
        log = self._model.log
        known = next((at for at in range(len(log) - 1, -1, -1) if log[at] is self._told), -1)
        new = log[known + 1 :]
        lines = [log_text(line, self._wording) for line in new[-MOST_LINES_AT_ONCE:]]
        if len(new) > MOST_LINES_AT_ONCE:
            lines.insert(0, f"{len(new) - len(lines)} lines went by; log {len(new)} tells them all.")
        return lines

    def _bot_lines(self) -> list[str]:
        if self._model.phase != "gathering":
            return []
        return [place_line(self._model, seat) for seat in sorted(self._bots ^ self._bots_now)]

    def _choice_line(self) -> list[str]:
        state = self._model.state
        if self._choice_now == self._choice or state.phase is not Phase.COVERING or state.turn == self._model.seat:
            return []
        trick = state.tricks[-1]
        name = self._model.names[trick.winner]
        return [f"{does(name, 'win')} with {self._wording.card(trick.card)} and chooses what it covers."]

    def _hand_line(self) -> list[str]:
        model = self._model
        if model.seat is None or self._hand_now == self._hand or model.state.phase is Phase.DEALING:
            return []
        taken_back = self._hand[:2] == self._this_round
        if taken_back and model.state.double_crosser != model.seat:
            return []
        return [hand_line(model, self._wording)]

    def _results_lines(self) -> list[str]:
        model = self._model
        results = (model.game, len(model.state.results))
        if results == self._results or not model.state.results:
            return []
        lines = [score_line(model)]
        if model.state.winners is not None and self._winners is None:
            lines += [self._wording.text(sentence) for sentence in verdict(model.state, model.names)[1:]]
        return lines

    def _ready_lines(self) -> list[str]:
        model = self._model
        new = [seat for seat in model.ready if seat not in self._ready]
        if not new or len(model.persons) < 2:
            return []
        who = listed([model.names[seat] for seat in new])
        verb = "are" if len(new) > 1 or who == "you" else "is"
        return [f"{capital(f'{who} {verb}')} ready, {len(model.ready)} of {len(model.persons)}."]

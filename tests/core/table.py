"""A table for tests, written as short as a person would: hands and moves are text, and every move is checked.

    table = Table("B12 B1 R2 | G5 G6 R12", max_bid=1)
    table.run("0 bid B1, 1 bid G5, 0 pass, 1 pass")
    table.run("1 G6, 0 B12")  # a card alone is played

Nothing here works out a rule: what a test expects is written in the test.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from looseends_core.actions import BIDS, COVERS, DOUBLE_CROSS, PASS, PLAYS, Action, DoubleCross, Pass, verb_of
from looseends_core.cards import Card, cards_in, name, parse
from looseends_core.decide import deal_round, decide, legal_actions, why_not
from looseends_core.events import Event
from looseends_core.record import GameRecord, events_of, record_from_json, record_of, record_to_json
from looseends_core.rules import rule_set
from looseends_core.scoring import ScoringTable, SeatResult
from looseends_core.shuffle import Deal
from looseends_core.state import State, evolve, fold
from looseends_core.verify import verify_text

_CARD_ACTIONS: dict[str, Sequence[Action]] = {"bid": BIDS, "play": PLAYS, "cover": COVERS}


def hand_of(text: str) -> tuple[Card, ...]:
    """Return the cards of a text like `B15 R3`."""
    return tuple(parse(word) for word in text.split())


def action_of(text: str) -> Action:
    """Return the action of `bid B2`, `pass`, `double-cross`, `cover B2`, or `B2`, which is played."""
    words = text.split()
    match words:
        case ["pass"]:
            return PASS
        case ["double-cross"]:
            return DOUBLE_CROSS
        case [card]:
            return PLAYS[parse(card)]
        case [verb, card]:
            return _CARD_ACTIONS[verb][parse(card)]
    raise ValueError(f"not an action: {text}")


class Table:
    """A game that a test plays move by move, with the first round dealt.

    `hands` are separated by `|`, seat 0 first, and decide the number of players and the hand size.
    """

    def __init__(
        self,
        hands: str,
        *,
        first: int = 0,
        variants: str = "",
        max_bid: int | None = None,
        rounds: int = 1,
        scoring: str | ScoringTable = "standard",
        first_player: str = "random",
    ) -> None:
        dealt = [hand_of(hand) for hand in hands.split("|")]
        self.rules = rule_set(
            len(dealt),
            variants.split(),
            scoring=scoring,
            rounds=rounds,
            hand_size=len(dealt[0]),
            max_bid=max_bid,
            first_player=first_player,
        )
        self.state = State(self.rules)
        self.events: list[Event] = []
        self.deal(hands, first=first)

    def deal(self, hands: str, *, first: int = 0) -> None:
        """Deal the next round."""
        dealt = tuple(hand_of(hand) for hand in hands.split("|"))
        self._happen(deal_round(self.state, Deal(dealt, first)))

    def run(self, moves: str) -> None:
        """Make the moves, `SEAT ACTION` separated by commas; each has to be legal when its turn comes."""
        for move in moves.split(","):
            seat, text = move.split(maxsplit=1)
            self._happen(decide(self.state, int(seat), action_of(text)))

    def _happen(self, events: list[Event]) -> None:
        for event in events:
            self.events.append(event)
            evolve(self.state, event)

    def refusal(self, move: str) -> str | None:
        """Return the code with which `SEAT ACTION` is refused now, or None where it is allowed."""
        seat, text = move.split(maxsplit=1)
        refused = why_not(self.state, int(seat), action_of(text))
        return None if refused is None else refused.code

    def legal(self, verb: str) -> str:
        """Return the legal cards for `bid`, `play` or `cover`; for `pass` and `double-cross` the word itself.

        Nothing legal of that kind is the empty text.
        """
        return " ".join(
            verb if isinstance(action, Pass | DoubleCross) else name(action.card)
            for action in legal_actions(self.state)
            if verb_of(action) == verb
        )

    def hand(self, seat: int) -> str:
        """Return a hand as text, cards ascending."""
        return _text(self.state.hands[seat])

    def uncovered(self, seat: int) -> str:
        """Return the uncovered bid cards of a seat as text, cards ascending."""
        return _text(self.state.uncovered(seat))

    def covered(self, seat: int) -> str:
        """Return the covered bid cards of a seat as text, cards ascending."""
        return _text(self.state.covered[seat])

    @property
    def won(self) -> list[int]:
        """Tricks won by each seat in the running round, or the one just over."""
        return self.state.won

    @property
    def sheet(self) -> tuple[SeatResult, ...]:
        """The score sheet of the round just over."""
        return self.state.results[-1]

    @property
    def delta(self) -> tuple[int, ...] | None:
        """The points of the round just over."""
        return self.state.last_delta

    def record(self) -> GameRecord:
        """Return the game as a record, once it has been through JSON, `verify` and back without a change."""
        record = record_of(self.rules, [f"seat {seat}" for seat in range(self.rules.players)], self.events)
        text = json.dumps(record_to_json(record)).encode()
        verdict = verify_text(text)
        assert verdict.fault is None, verdict.fault
        assert record_from_json(json.loads(text)) == record
        assert events_of(record) == self.events
        assert fold(self.rules, self.events) == self.state
        return record


def _text(cards: int) -> str:
    return " ".join(name(card) for card in cards_in(cards))

"""Games for the client's tests: any rules, played by anybody, and as a server would tell them to one reader."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from looseends_core.actions import PASS, Action, Bid, Cover, Play
from looseends_core.bot_game import play_bot_game
from looseends_core.cards import TRUMP, rank_of, suit_of
from looseends_core.decide import legal_actions
from looseends_core.events import Event, GameEnded, RoundDealt, RoundScored
from looseends_core.redact import redact
from looseends_core.rules import VARIANTS, RuleSet, rule_set
from looseends_core.state import Phase, State
from looseends_protocol.messages import Attending, Happened, SeatInfo, TableOptions, TablePhase

NAMES = ("ann", "bob", "cy", "dee", "eve")


def choose_any(view: State, rng: random.Random) -> Action:
    """Return any legal action: it bids often enough that most rounds are played for something."""
    allowed = legal_actions(view)
    return allowed[int(rng.random() * len(allowed))]


def full_game(rules: RuleSet, seed: str = "a") -> list[Event]:
    """Return the full events of a game in which everybody does anything that is legal."""
    return list(play_bot_game(rules, [choose_any] * rules.players, seed))


def seen_by(events: Sequence[Event], seat: int | None) -> list[Event]:
    """Return the events as a reader may know them."""
    return [redact(event, seat) for event in events]


@st.composite
def any_rules(draw: st.DrawFn) -> RuleSet:
    """Any rule set within its limits, with short hands so that games stay quick."""
    players = draw(st.integers(2, 5))
    hand_size = draw(st.integers(2, 9))
    return rule_set(
        players,
        draw(st.lists(st.sampled_from(VARIANTS), unique=True)),
        scoring=draw(st.sampled_from(("standard", "simplified"))),
        rounds=draw(st.integers(1, 3)),
        hand_size=hand_size,
        max_bid=draw(st.integers(0, min(6, hand_size - 1))),
        first_player=draw(st.sampled_from(("random", "rotate"))),
    )


@st.composite
def any_game(draw: st.DrawFn) -> tuple[RuleSet, list[Event]]:
    """Any rule set and a whole game of it."""
    rules = draw(any_rules())
    return rules, full_game(rules, draw(st.text("abcdef", min_size=1, max_size=6)))


def people(players: int, *, bots: int = 0) -> tuple[SeatInfo, ...]:
    """Return the seats of a table: persons, and bots on the last seats."""
    return tuple(
        SeatInfo("bot", level="steady")
        if seat >= players - bots
        else SeatInfo("person", name=NAMES[seat], connected=True)
        for seat in range(players)
    )


def attending(
    rules: RuleSet,
    events: Sequence[Event] = (),
    seat: int | None = 0,
    *,
    sequence: int = 0,
    since: int = 0,
    bots: int = 0,
) -> Attending:
    """Return a table as the server would show it to a reader after these full events."""
    phase: TablePhase = "gathering"
    if events:
        last = events[-1]
        phase = "over" if isinstance(last, GameEnded) else "between" if isinstance(last, RoundScored) else "playing"
    return Attending(
        answers=0,
        sequence=sequence,
        code="KITE2345AB",
        title="",
        rules=rules,
        options=TableOptions(),
        phase=phase,
        host="ann",
        seats=people(rules.players, bots=bots),
        game=1,
        seat=seat,
        from_number=since,
        events=tuple(seen_by(events, seat)[since:]),
    )


def pushes(events: Sequence[Event], seat: int | None, *, after: int = 0) -> Iterator[Happened]:
    """Yield the events one push each, redacted for a reader, numbered from `after` + 1."""
    for number, event in enumerate(seen_by(events, seat), after + 1):
        yield Happened(sequence=number, events=(event,))


def until(events: Sequence[Event], number: int) -> list[Event]:
    """Return the first `number` events."""
    return list(events[:number])


def rounds_in(events: Sequence[Event]) -> int:
    """Return how many rounds are over in these events."""
    return sum(isinstance(event, RoundScored) for event in events)


def deals_in(events: Sequence[Event]) -> list[RoundDealt]:
    """Return the deals of a game."""
    return [event for event in events if isinstance(event, RoundDealt)]


def overbid(view: State, rng: random.Random) -> Action:
    """Bid all there is to bid and, on seat 0, win all there is to win, so that Plan B promotes card after card."""
    allowed = legal_actions(view)
    if view.phase is Phase.PLANNING:
        bids = [action for action in allowed if isinstance(action, Bid)]
        return bids[int(rng.random() * len(bids))] if bids else PASS
    by_strength = sorted(
        (action for action in allowed if isinstance(action, Play | Cover)),
        key=lambda action: (suit_of(action.card) == TRUMP, rank_of(action.card)),
    )
    return by_strength[-1 if view.turn == 0 else 0]

"""A whole game among bots, as the list of its events: for simulations, tests and measuring one bot against another.

Game `number` of a seed depends on the seed and the number alone, so games can be played in any order and give the
same result. Nothing here draws a random number of its own: deals and choices all follow from the seed. Real games,
with people and clocks, are the server's.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence

from looseends_core.bots import Bot
from looseends_core.decide import deal_round, decide
from looseends_core.events import Event, RoundDealt
from looseends_core.redact import redact
from looseends_core.rules import RuleSet
from looseends_core.shuffle import ZERO_NONCE, Deal, Fairness, shuffled_deal
from looseends_core.state import Phase, State, evolve

_DOMAIN = "no-loose-ends/bot-game/1"


def play_bot_game(rules: RuleSet, bots: Sequence[Bot], seed: str, number: int = 0) -> Iterator[Event]:
    """Yield the full events of game `number` of a seed, from the first deal to the end of the game.

    `bots` are the players in seat order, one a seat; each chooses from a view that is the fold of what its seat may
    know. Raises ValueError where there is not one bot a seat, and IllegalAction where a bot chooses what it may not.
    """
    if len(bots) != rules.players:
        raise ValueError(f"{len(bots)} bots for {rules.players} seats: expected one a seat")
    # One source a seat, so that how often one bot draws changes nothing for another.
    sources = [random.Random(_drawn(seed, number, f"seat {seat}")) for seat in range(rules.players)]
    state = State(rules)
    views = [State(rules) for _ in bots]
    while state.phase is not Phase.OVER:
        if state.phase is Phase.DEALING:
            events = deal_round(state, bot_game_deal(rules, seed, number, state.round + 1, state.first))
        else:
            seat = state.turn
            assert seat is not None, "somebody is on turn while a round runs"
            events = decide(state, seat, bots[seat](views[seat], sources[seat]))
        for event in events:
            evolve(state, event)
            for seat, view in enumerate(views):
                evolve(view, redact(event, seat) if isinstance(event, RoundDealt) else event)
            yield event


def bot_game_deal(rules: RuleSet, seed: str, number: int, round_number: int, previous_first: int) -> Deal:
    """Return the deal of a round (numbered from 1) of game `number` of a seed, with its proof ([F1]).

    The secret follows from the three, and every nonce is a bot's: zero. `previous_first` is the first player of the
    round before; with `rotate` it fixes this one's.
    """
    secret = _drawn(seed, number, f"round {round_number}")
    fairness = Fairness(secret, (ZERO_NONCE,) * rules.players)
    return shuffled_deal(rules, round_number, fairness, previous_first)


def _drawn(seed: str, number: int, what_for: str) -> bytes:
    """Return 32 bytes that follow from the seed, the game and what they are for."""
    # Any text is a seed, also one of bytes that are no UTF-8, as an argument of a command can be.
    text = f"{_DOMAIN}/{seed}/{number}/{what_for}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).digest()

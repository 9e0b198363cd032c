"""`looseends arena --quick`: in less than a minute, whether the levels run, keep the rules, repeat, and stand in order.

The matches are fixed and small: they find a level that is broken, and none that is a little weaker than it was. For
that there is `make arena`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from looseends_client.arena.entrants import Entrant
from looseends_client.arena.game import GameTask, IllegalChoice, MatchSetup, Players
from looseends_client.arena.match import Match, MatchReached, play_match
from looseends_client.arena.workers import WorkerLost
from looseends_client.commands.arena_report import margin_line
from looseends_client.commands.printing import print_line
from looseends_core.bots import LEVELS
from looseends_core.rules import VARIANTS, RuleSet, rule_set

SEED = "quick"
CLEARLY = 3.0
"""Standard errors below 0 at which a level counts as clearly beaten."""
_BROKEN = 1


class _Size(NamedTuple):
    """How much of a pair of levels is played, and with what cards."""

    deals: int
    rounds: int
    hand_size: int


_OF_QUICK_LEVELS = _Size(deals=30, rounds=3, hand_size=12)
_OF_A_SEARCHING_LEVEL = _Size(deals=30, rounds=1, hand_size=9)
_OF_TWO_SEARCHING_LEVELS = _Size(deals=8, rounds=1, hand_size=9)
_EVERY_TABLE = _Size(deals=1, rounds=1, hand_size=6)


def quick_arena(jobs: int) -> int:
    """Play the quick matches, say what they show, and return the exit code: 1 where something is broken."""
    sound = True
    try:
        for name in LEVELS:
            sound &= _plays_everywhere(name)
        for weaker, stronger in itertools.pairwise(LEVELS):
            sound &= _is_not_beaten(stronger, weaker, jobs)
    except (IllegalChoice, WorkerLost) as error:
        print_line(f"broken: {error}")
        return _BROKEN
    except KeyboardInterrupt:
        print_line("interrupted")
        raise
    print_line("The levels run, keep the rules, repeat, and stand in order." if sound else "broken: see above")
    return 0 if sound else _BROKEN


def _plays_everywhere(name: str) -> bool:
    """Play a level against itself once at a table of each size, with all variants, twice over."""
    for rules in _every_table():
        setup = MatchSetup(rules, SEED, (Entrant(name),), records=True)
        task = GameTask(0, (0,) * rules.players)
        once, again = (Players(setup).play(task).record for _ in range(2))
        if once != again:
            print_line(f"{name}: the same game with {rules.players} players came out in two ways")
            return False
    print_line(f"{name}: plays with 2 to 5 players and all variants, twice the same")
    return True


def _every_table() -> Iterator[RuleSet]:
    for players in range(2, 6):
        yield rule_set(players, VARIANTS, rounds=_EVERY_TABLE.rounds, hand_size=_EVERY_TABLE.hand_size)


def _is_not_beaten(stronger: str, weaker: str, jobs: int) -> bool:
    searching = LEVELS[stronger].searches + LEVELS[weaker].searches
    size = (_OF_QUICK_LEVELS, _OF_A_SEARCHING_LEVEL, _OF_TWO_SEARCHING_LEVELS)[searching]
    rules = rule_set(3, rounds=size.rounds, hand_size=size.hand_size)
    setup = MatchSetup(rules, SEED, (Entrant(stronger), Entrant(weaker)))
    reached = play_match(Match(setup, (0, 1), range(size.deals), mirrored=True), jobs)
    if reached.interrupted:
        raise KeyboardInterrupt
    print_line(margin_line(stronger, weaker, reached.standings.margin(0, 1)))
    return not _clearly_beaten(reached)


def _clearly_beaten(reached: MatchReached) -> bool:
    away = reached.standings.margin(0, 1).errors_away
    return away is not None and away < -CLEARLY

"""`looseends bench engine`: what the rules of the game cost without any server: deciding, playing out, verifying.

All in this process and by its CPU time, so that a busy machine changes little.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, combinations
from typing import Annotated

import msgspec
from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line
from looseends_core.actions import Action
from looseends_core.bot_game import bot_game_deal, play_bot_game
from looseends_core.bots.board import Board
from looseends_core.bots.rollout import play_out
from looseends_core.bots.uniform import play_out_uniformly
from looseends_core.decide import deal_round, decide, legal_actions
from looseends_core.record import record_of, record_to_json
from looseends_core.rules import VARIANTS, RuleSet, rule_set
from looseends_core.shuffle import Deal
from looseends_core.state import Phase, State, evolve
from looseends_core.verify import verify_text

EVERY_SET = tuple(chain.from_iterable(combinations(VARIANTS, size) for size in range(len(VARIANTS) + 1)))
EVERY_TABLE = tuple(rule_set(players, EVERY_SET[at % len(EVERY_SET)]) for players in range(2, 6) for at in range(8))
"""Rule sets that everything is measured over: each number of players with each set of variants."""

Step = Deal | tuple[int, Action]


class Measured(msgspec.Struct, frozen=True):
    """What was measured, each a second of CPU."""

    seconds: float
    """CPU seconds that each was measured for."""
    decided_moves_per_cpu_second: float
    """Bids, passes, cards and covers through `decide` and `evolve`."""
    uniform_card_moves_per_cpu_second: float
    """Cards in playouts in which each legal card is as likely, covering, variants and scoring included."""
    uniform_playouts_per_cpu_second: float
    """From the first trick of a round to its score."""
    policy_card_moves_per_cpu_second: float
    """The same with the policy that the strong bots play out with."""
    policy_playouts_per_cpu_second: float
    records_verified_per_cpu_second: float
    """Whole games from their JSON text, the proof of every deal included."""


def engine(
    *, seconds: float = 2.0, seed: int = 1, json: Annotated[bool, Parameter(negative=(), show_default=False)] = False
) -> int:
    """Measure the rules themselves: moves decided, rounds played out and records verified, by a second of CPU.

    Over tables of two to five with every set of variants.

    Parameters
    ----------
    seconds
        How much CPU to measure each with, 0.1 to 600.
    seed
        What all deals and actions follow from.
    json
        Print one JSON object instead of lines.
    """
    if not 0.1 <= seconds <= 600:
        raise CommandFailed(f"--seconds must be from 0.1 to 600, not {seconds}.")
    show(measured(seconds, seed), as_json=json)
    return 0


def measured(seconds: float, seed: int) -> Measured:
    """Measure each for so much CPU."""
    rng = random.Random(seed)
    games = [any_game(rules, rng, number) for number, rules in enumerate(EVERY_TABLE)]
    boards = [board_of(rules, rng, number) for number, rules in enumerate(EVERY_TABLE)]
    cards = [board.left * board.players for board in boards]
    records = [_record(rules, rng, number) for number, rules in enumerate(EVERY_TABLE)]
    decided = _a_second(seconds, [partial(_decide_anew, *game) for game in games])
    uniform = _a_second(seconds, [partial(play_out_uniformly, board, rng.random) for board in boards])
    policy = _a_second(seconds, [partial(play_out, board) for board in boards])
    verified = _a_second(seconds, [partial(_verify, record) for record in records])
    moves = sum(sum(not isinstance(step, Deal) for step in steps) for _, steps in games) / len(games)
    return Measured(
        seconds=seconds,
        decided_moves_per_cpu_second=decided * moves,
        uniform_card_moves_per_cpu_second=uniform * sum(cards) / len(cards),
        uniform_playouts_per_cpu_second=uniform,
        policy_card_moves_per_cpu_second=policy * sum(cards) / len(cards),
        policy_playouts_per_cpu_second=policy,
        records_verified_per_cpu_second=verified,
    )


def _a_second(seconds: float, jobs: Sequence[Callable[[], object]]) -> float:
    """Return how many of these jobs, each as often as another, are done in a second of CPU."""
    done = 0
    began = time.process_time()
    while (took := time.process_time() - began) < seconds or done == 0:
        for job in jobs:
            job()
        done += len(jobs)
    return done / took if took else 0.0


def any_game(rules: RuleSet, rng: random.Random, number: int) -> tuple[RuleSet, list[Step]]:
    """Return a whole game of any legal actions, as its deals and decisions."""
    state = State(rules)
    steps: list[Step] = []
    while state.phase is not Phase.OVER:
        step = _any_step(state, rng, number)
        steps.append(step)
        _take(state, step)
    return rules, steps


def board_of(rules: RuleSet, rng: random.Random, number: int) -> Board:
    """Return the board of a round in which planning is over, with everybody's cards."""
    state = State(rules)
    while state.phase is not Phase.PLAYING:
        _take(state, _any_step(state, rng, number))
    board = Board(state)
    board.hold(state.hands)
    return board


def _any_step(state: State, rng: random.Random, number: int) -> Step:
    if state.phase is Phase.DEALING:
        return bot_game_deal(state.rules, "bench", number, state.round + 1, state.first)
    assert state.turn is not None, "somebody is on turn while a round runs"
    return state.turn, rng.choice(legal_actions(state))


def _take(state: State, step: Step) -> None:
    for event in deal_round(state, step) if isinstance(step, Deal) else decide(state, *step):
        evolve(state, event)


def _decide_anew(rules: RuleSet, steps: Sequence[Step]) -> None:
    state = State(rules)
    for step in steps:
        _take(state, step)


def _record(rules: RuleSet, rng: random.Random, number: int) -> bytes:
    def anybody(view: State, source: random.Random) -> Action:
        return source.choice(legal_actions(view))

    events = play_bot_game(rules, [anybody] * rules.players, str(rng.random()), number)
    return msgspec.json.encode(record_to_json(record_of(rules, ["anybody"] * rules.players, events)))


def _verify(record: bytes) -> None:
    verdict = verify_text(record)
    if verdict.fault is not None:
        raise CommandFailed(f"A record of the benchmark is wrong: {verdict.fault}", 1)


def show(measured: Measured, *, as_json: bool) -> None:
    """Print what was measured."""
    if as_json:
        print_line(json.dumps(msgspec.to_builtins(measured)))
        return
    for line in (
        f"a second of CPU, over tables of 2 to 5 with every set of variants; {measured.seconds:g} s each",
        f"decide and evolve     {measured.decided_moves_per_cpu_second:>12,.0f} moves",
        f"uniform playouts      {measured.uniform_card_moves_per_cpu_second:>12,.0f} cards   "
        f"{measured.uniform_playouts_per_cpu_second:>8,.0f} rounds",
        f"playouts by policy    {measured.policy_card_moves_per_cpu_second:>12,.0f} cards   "
        f"{measured.policy_playouts_per_cpu_second:>8,.0f} rounds",
        f"records verified      {measured.records_verified_per_cpu_second:>12,.0f} games",
    ):
        print_line(line)

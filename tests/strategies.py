"""Rule sets, deals and whole games for Hypothesis, for every test that needs them.

A game is played to its end by a seeded chooser, so that Hypothesis draws a handful of numbers and not one a move.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from hypothesis import strategies as st

from looseends_core.actions import Action, verb_of
from looseends_core.decide import deal_round, decide, legal_actions
from looseends_core.events import Event
from looseends_core.rules import FIRST_PLAYER, MAX_HAND, MAX_ROUNDS, MIN_HAND, VARIANTS, RuleSet, rule_set
from looseends_core.scoring import SCORING_LIMIT, ScoringTable
from looseends_core.shuffle import NONCE_BYTES, SECRET_BYTES, Deal, Fairness, shuffled_deal
from looseends_core.state import Phase, State, evolve

_VARIANT_SETS = [chosen for count in range(len(VARIANTS) + 1) for chosen in itertools.combinations(VARIANTS, count)]
"""Every set of variants."""


def scoring_tables() -> st.SearchStrategy[ScoringTable]:
    """Every five numbers within their limits."""
    number = st.integers(-SCORING_LIMIT, SCORING_LIMIT)
    return st.builds(ScoringTable, number, number, number, number, number)


@st.composite
def rule_sets(draw: st.DrawFn, *, max_rounds: int = MAX_ROUNDS, max_hand: int = MAX_HAND) -> RuleSet:
    """Every rule set within its limits, with at most so many rounds and cards a hand."""
    players = draw(st.sampled_from(range(2, 6)))
    variants = draw(st.sampled_from(_VARIANT_SETS))
    deck = (48 if players <= 3 else 60) + (4 if "getaway" in variants else 0)
    hand_size = draw(st.sampled_from(range(MIN_HAND, min(max_hand, MAX_HAND, deck // players) + 1)))
    return rule_set(
        players,
        variants,
        scoring=draw(st.sampled_from(("standard", "simplified")) | scoring_tables()),
        rounds=draw(st.integers(1, max_rounds)),
        hand_size=hand_size,
        max_bid=draw(st.sampled_from(range(hand_size))),
        first_player=draw(st.sampled_from(FIRST_PLAYER)),
    )


def fairness_of(rules: RuleSet) -> st.SearchStrategy[Fairness]:
    """A secret and one nonce a seat."""
    nonce = st.binary(min_size=NONCE_BYTES, max_size=NONCE_BYTES)
    return st.builds(
        Fairness,
        st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES),
        st.tuples(*[nonce] * rules.players),
    )


def seeded_fairness(rules: RuleSet, seed: int, number: int) -> Fairness:
    """Return a secret and nonces that a seed and a round number fix."""

    def drawn(label: str) -> bytes:
        return hashlib.sha256(f"{seed}/{number}/{label}".encode()).digest()

    return Fairness(drawn("secret"), tuple(drawn(f"nonce {seat}")[:NONCE_BYTES] for seat in range(rules.players)))


@dataclass
class PlayedGame:
    """A game that was played: `steps` are the lists of events that each deal and each action led to."""

    rules: RuleSet
    deals: list[Deal] = field(default_factory=list)
    actions: list[tuple[int, Action]] = field(default_factory=list)
    steps: list[list[Event]] = field(default_factory=list)

    @property
    def events(self) -> list[Event]:
        """All events, in order."""
        return [event for step in self.steps for event in step]

    def states(self) -> Iterator[State]:
        """Yield the state before each step and after the last; always the same object, so copy what is kept."""
        state = State(self.rules)
        yield state
        for step in self.steps:
            for event in step:
                evolve(state, event)
            yield state


def choose(state: State, chance: random.Random, boldness: float) -> Action:
    """Return a legal action: with the probability `boldness` a bid where one is legal, else any kind, then any card."""
    kinds: defaultdict[str, list[Action]] = defaultdict(list)
    for action in legal_actions(state):
        kinds[verb_of(action)].append(action)
    if "bid" in kinds and len(kinds) > 1:
        if chance.random() < boldness:
            return chance.choice(kinds["bid"])
        del kinds["bid"]
    return chance.choice(kinds[chance.choice(sorted(kinds))])


def play_game(rules: RuleSet, seed: int, *, proven: bool = True) -> PlayedGame:
    """Return a whole game that a seed fixes, deals and choices both."""
    chance = random.Random(seed)
    boldness = chance.choice((0.2, 0.6, 0.9))
    game = PlayedGame(rules)
    state = State(rules)
    while state.phase is not Phase.OVER:
        if state.phase is Phase.DEALING:
            number = state.round + 1
            deal = shuffled_deal(rules, number, seeded_fairness(rules, seed, number), state.first)
            if not proven:
                deal = Deal(deal.hands, deal.first)
            game.deals.append(deal)
            step = deal_round(state, deal)
        else:
            assert state.turn is not None
            seat, action = state.turn, choose(state, chance, boldness)
            game.actions.append((seat, action))
            step = decide(state, seat, action)
        game.steps.append(step)
        for event in step:
            evolve(state, event)
    return game


@st.composite
def games(draw: st.DrawFn, *, max_rounds: int = 3, max_hand: int = MAX_HAND) -> PlayedGame:
    """Whole games under any rule set, their deals proven or not."""
    rules = draw(rule_sets(max_rounds=max_rounds, max_hand=max_hand))
    return play_game(rules, draw(st.integers(0, 2**32 - 1)), proven=draw(st.booleans()))

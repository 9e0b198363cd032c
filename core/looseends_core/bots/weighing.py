"""Turns a view into choices, tries each in sampled worlds, and says which is best: what `sharp` and `fox` share.

Nothing here knows which of them asks; what differs between them comes in as a `Way`.
"""

from __future__ import annotations

import abc
import random
from collections.abc import Callable, Sequence

import msgspec

from looseends_core.actions import BIDS, DOUBLE_CROSS, PASS, PLAYS, Action, Bid, Cover, Play
from looseends_core.bots.bidding import Bidding
from looseends_core.bots.board import GETAWAY_AT, Board, suit_masks
from looseends_core.bots.planning import PlanningTable
from looseends_core.bots.rollout import AS_ALL, Outcome, play_out
from looseends_core.bots.search import (
    UNITS_A_GUESS,
    UNITS_A_MOVE,
    UNITS_A_PLAYOUT,
    UNITS_A_SETTLING,
    Effort,
    Tally,
    halving,
    weighed,
)
from looseends_core.bots.thought import Stop, Thought, Weighed, unsearched
from looseends_core.cards import GETAWAY_MASK, RANKS, SUITED_MASK, Card, CardSet, cards_in
from looseends_core.decide import legal_actions
from looseends_core.rules import RuleSet
from looseends_core.state import Phase, State

Draw = Callable[[], list[CardSet]]
"""Draws the next world: the cards of every hand."""
Worth = Callable[[Outcome, float], float]
"""What a bot makes of an outcome, whose lead in points is given."""


class Way(msgspec.Struct, frozen=True):
    """How one bot searches: how much work, how many plans it weighs, where its worlds come from, what it plays for."""

    effort: Effort
    plans: int
    world_units: float
    """What a world costs to draw, in the units of the effort."""
    looks: int
    """How often it looks for a better plan beside the best so far."""
    neighbours: int
    """How many plans it tries then: one card exchanged, one more or one less."""
    styles: tuple[int, ...]
    """How it may go on itself after an action (see `rollout`): each action is tried with each, and the best counts."""
    worlds_of: Callable[[State, Bidding, random.Random], Draw]
    worth_of: Callable[[State], Worth]


_BIDDINGS: dict[RuleSet, Bidding] = {}
_BIDDINGS_KEPT = 16


def bidding_for(rules: RuleSet) -> Bidding:
    """Return how hands are valued under these rules; what was worked out before is used again."""
    bidding = _BIDDINGS.get(rules)
    if bidding is None:
        if len(_BIDDINGS) >= _BIDDINGS_KEPT:
            _BIDDINGS.clear()
        bidding = _BIDDINGS[rules] = Bidding(rules)
    return bidding


def think(view: State, rng: random.Random, stop: Stop, way: Way) -> Thought:
    """Return what a bot of this way thinks of every legal action of the seat on turn, whose hand the view knows."""
    allowed = legal_actions(view)
    if len(allowed) == 1:
        return unsearched(allowed[0], allowed)
    search = _Planning(view, rng, way) if view.phase is Phase.PLANNING else _Playing(view, rng, way)
    return search.thought(allowed, stop)


class _Search(abc.ABC):
    """One decision under way."""

    def __init__(self, view: State, rng: random.Random, way: Way) -> None:
        assert view.turn is not None, "somebody is on turn"
        self.view = view
        self.way = way
        self.seat = view.turn
        self.bidding = bidding_for(view.rules)
        self.draw = way.worlds_of(view, self.bidding, rng)
        self.worth = way.worth_of(view)
        self.others = view.players - 1
        self.looks = 0
        """How often choices like the best so far are tried, each time with as much work as the first choices."""
        self.playouts = 0
        self.worlds = 0

    @abc.abstractmethod
    def cost(self) -> float:
        """Return the units that one attempt takes."""

    def world_cost(self) -> float:
        """Return the units that one more world takes."""
        return self.way.world_units

    @abc.abstractmethod
    def choices(self, allowed: Sequence[Action]) -> list[Tally]:
        """Return what is to be tried."""

    def closer_choices(self, _best: Tally) -> list[Tally]:
        """Return choices like the best so far that are worth trying too, and that one; none where there are none."""
        return []

    @abc.abstractmethod
    def attempt(self, tally: Tally, number: int) -> Outcome:
        """Return how a choice ends in a world, numbered from 0 in the order of drawing."""

    def thought(self, allowed: list[Action], stop: Stop) -> Thought:
        """Return the outcome of the whole search."""
        choices = self.choices(allowed)
        effort = self.way.effort
        cost = self.cost()
        world_cost = self.world_cost()
        worlds = min(effort.worlds, max(4, int(0.4 * effort.units / world_cost)))
        # The first stage tries every choice in a world and the last ones two: half of the choices, about.
        budget = max(len(choices), int(effort.units / (cost + world_cost / max(1.0, len(choices) / 2))))

        def attempt(tally: Tally, number: int) -> None:
            outcome = self.attempt(tally, number)
            points = outcome.points
            mine = points[self.seat]
            lead = mine - (sum(points) - mine) / self.others
            tally.count(outcome, lead, self.worth(outcome, lead))
            self.playouts += 1

        share = budget // (self.looks + 1)
        ranked = halving(choices, attempt, worlds, share, stop)
        for _ in range(self.looks):
            closer = self.closer_choices(ranked[0])
            if closer:
                ranked = halving(closer, attempt, worlds, share, stop) + ranked
        return Thought(ranked[0].action, self._all_weighed(ranked, allowed), self.worlds, self.playouts)

    def _all_weighed(self, ranked: list[Tally], allowed: list[Action]) -> tuple[Weighed, ...]:
        """Return every legal action once, by the best that was found to begin with it."""
        perfection = self.view.rules.table.perfect_crime != 0
        found: dict[Action, Weighed] = {}
        for tally in ranked:
            if tally.action not in found:
                found[tally.action] = weighed(tally, perfection)
                if isinstance(tally.action, Play) and tally.action.card >= GETAWAY_AT:
                    for card in cards_in(self.view.hands[self.seat] & GETAWAY_MASK):
                        if PLAYS[card] not in found:
                            found[PLAYS[card]] = msgspec.structs.replace(found[tally.action], action=PLAYS[card])
        for action in allowed:
            if action not in found:
                found[action] = Weighed(action)
        return tuple(found.values())


class _Playing(_Search):
    """Which card to play, or which bid card to cover."""

    def __init__(self, view: State, rng: random.Random, way: Way) -> None:
        super().__init__(view, rng, way)
        self.board = Board(view)
        self.boards: dict[Action, Board] = {}

    def cost(self) -> float:
        moves = self.board.left * self.view.players - self.board.count
        return UNITS_A_PLAYOUT + UNITS_A_MOVE * moves

    def choices(self, allowed: Sequence[Action]) -> list[Tally]:
        view, seat = self.view, self.seat
        snitching = view.snitching[seat] and not view.won[seat]
        # A snitch wants no trick, and in the last trick nobody goes on.
        styles = (AS_ALL,) if snitching or self.board.left == 1 else self.way.styles
        tallies: list[Tally] = []
        away = False
        for action in allowed:
            if isinstance(action, Play) and action.card >= GETAWAY_AT:
                if away:
                    continue
                away = True
            if isinstance(action, Cover):
                board = self.board.copy()
                board.cover(seat, action.card)
                self.boards[action] = board
            tallies += [Tally(action, seat, snitching, style=style) for style in styles]
        return tallies

    def attempt(self, tally: Tally, number: int) -> Outcome:
        if number == self.worlds:
            self.board.hold(self.draw())
            self.worlds += 1
        action = tally.action
        if isinstance(action, Play):
            return play_out(self.board, action.card, None, tally.style)
        board = self.boards[action]
        board.hands = self.board.hands
        board.away = self.board.away
        return play_out(board, -1, None, tally.style)


class _Planning(_Search):
    """Which card to bid, or whether to stop, snitch or double-cross: whole plans are tried, their first step taken."""

    def __init__(self, view: State, rng: random.Random, way: Way) -> None:
        super().__init__(view, rng, way)
        self.table = PlanningTable(view)
        self.rng = rng
        self.looks = way.looks
        self.tried: set[tuple[Card, ...]] = set()
        """The plans tried so far, without their order."""
        self.drawn: list[tuple[list[CardSet], list[Sequence[Card]]]] = []

    def cost(self) -> float:
        n = self.view.players
        tricks = min(self.view.hand_sizes) - 1
        return UNITS_A_SETTLING + UNITS_A_PLAYOUT + UNITS_A_MOVE * n * tricks

    def world_cost(self) -> float:
        return self.way.world_units + UNITS_A_GUESS * (self.view.players - 1 - len(self.view.passed))

    def choices(self, allowed: Sequence[Action]) -> list[Tally]:
        seat = self.seat
        laid = self.view.bids[seat]
        tallies: list[Tally] = []
        if PASS in allowed:
            tallies.append(Tally(PASS, seat, not laid and not self._snitch_taken()))
        if DOUBLE_CROSS in allowed:
            tallies.append(Tally(DOUBLE_CROSS, seat, True))
        bids = [action.card for action in allowed if isinstance(action, Bid)]
        plans = self._plans_to_weigh(bids, self.way.plans)
        self.tried = {tuple(sorted(plan)) for plan in plans}
        return tallies + [Tally(BIDS[plan[0]], seat, False, plan) for plan in plans]

    def _snitch_taken(self) -> bool:
        return self.view.rules.double_cross and True in self.view.snitching

    def _plans_to_weigh(self, bids: Sequence[Card], most: int) -> list[list[Card]]:
        """Return about `most` ways to go on bidding: by first card and by number of cards, the likeliest first."""
        if not bids:
            return []
        view, seat, bidding = self.view, self.seat, self.bidding
        laid = view.bids[seat]
        more = view.rules.max_bid - view.planned_bids(seat)
        masks = suit_masks(view.hands[seat] & SUITED_MASK)
        in_suit = [0, 0, 0, 0]
        for card in laid:
            in_suit[card // RANKS] += 1
        fits = [
            (bidding.fitness(masks, card // RANKS, card % RANKS + 1, in_suit[card // RANKS]), card) for card in bids
        ]
        fits.sort(key=lambda pair: (-pair[0], pair[1]))
        firsts = [card for _, card in fits[: max(3, most // more)]]
        plans: list[list[Card]] = []
        for card in firsts:
            rest = list(masks)
            rest[card // RANKS] ^= 1 << card % RANKS
            following = bidding.ranked(rest, [*laid, card], more - 1)
            plans.extend([card, *following[:length]] for length in range(len(following) + 1))
        return plans

    def closer_choices(self, best: Tally) -> list[Tally]:
        if not best.plan:
            return []
        seat = self.seat
        held = list(cards_in(self.view.hands[seat] & SUITED_MASK))
        others = [card for card in held if card not in best.plan]
        more = self.view.rules.max_bid - self.view.planned_bids(seat)
        plans = [[*best.plan[:at], card, *best.plan[at + 1 :]] for at in range(len(best.plan)) for card in others]
        if len(best.plan) < more:
            plans += [[*best.plan, card] for card in others]
        if len(best.plan) > 1:
            plans += [[*best.plan[:at], *best.plan[at + 1 :]] for at in range(len(best.plan))]
        plans = [plan for plan in plans if tuple(sorted(plan)) not in self.tried]
        for last in range(len(plans) - 1, 0, -1):
            other = int(self.rng.random() * (last + 1))
            plans[last], plans[other] = plans[other], plans[last]
        chosen = [best.plan, *plans[: self.way.neighbours]]
        self.tried.update(tuple(sorted(plan)) for plan in chosen)
        return [Tally(BIDS[plan[0]], seat, False, plan) for plan in chosen]

    def attempt(self, tally: Tally, number: int) -> Outcome:
        if number == self.worlds:
            self._draw_world()
        hands, plans = self.drawn[number]
        plans[self.seat] = tally.plan
        crosser = self.seat if tally.action is DOUBLE_CROSS else -1
        return play_out(self.table.settle(hands, plans, crosser))

    def _draw_world(self) -> None:
        hands = self.draw()
        self.worlds += 1
        plans: list[Sequence[Card]] = []
        for seat, hand in enumerate(hands):
            if seat == self.seat or seat in self.view.passed:
                plans.append(())
            else:
                away = (hand >> GETAWAY_AT).bit_count()
                plans.append(self.bidding.bids(suit_masks(hand), away, self.table.laid[seat]))
        self.drawn.append((hands, plans))

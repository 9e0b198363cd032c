"""The bots: always legal, from their seat's view alone, the same for the same random numbers, and worth their names."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.actions import PASS, Action, Bid, Cover, Play, action_text
from looseends_core.bot_game import play_bot_game
from looseends_core.bots import LEVELS, Bot, Level, fox, sharp
from looseends_core.bots.search import Effort
from looseends_core.bots.thought import Stop, Thought, never
from looseends_core.bots.weighing import Way, think
from looseends_core.cards import card_set, cards_in, deck, is_getaway, parse
from looseends_core.decide import deal_round, decide, legal_actions
from looseends_core.events import DoubleCrossed, Event, GameEnded, Passed, RoundDealt
from looseends_core.redact import redact
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import Deal
from looseends_core.state import Phase, State, evolve, fold
from tests.strategies import PlayedGame, play_game, rule_sets

steady = LEVELS["steady"].choose
rookie = LEVELS["rookie"].choose
every_level = pytest.mark.parametrize("level", LEVELS.values(), ids=list(LEVELS))


def hurried(name: str, way: Way) -> Level:
    """A level that searches, with so little work for a thought that thousands of thoughts make no test long."""

    def mind(view: State, rng: random.Random, stop: Stop) -> Thought:
        return think(
            view, rng, stop, msgspec.structs.replace(way, effort=Effort(units=1_200, worlds=4), plans=6, neighbours=3)
        )

    return Level(name, "In haste.", lambda view, rng: mind(view, rng, never).best, mind)


QUICK_LEVELS = [LEVELS["rookie"], LEVELS["steady"], hurried("sharp", sharp.WAY), hurried("fox", fox.WAY)]
every_quick_level = pytest.mark.parametrize("level", QUICK_LEVELS, ids=list(LEVELS))


def hand(text: str) -> tuple[int, ...]:
    return tuple(parse(name) for name in text.split())


def view_of(rules: RuleSet, events: list[Event], seat: int) -> State:
    return fold(rules, [redact(event, seat) for event in events])


def planning_view(rules: RuleSet, cards: str, seat: int = 0) -> State:
    """The view of a seat that begins a round with these cards and knows of nobody else's."""
    hands = tuple(hand(cards) if at == seat else None for at in range(rules.players))
    return fold(rules, [RoundDealt(1, seat, hands)])


def moments(game: PlayedGame) -> Iterator[tuple[list[Event], State]]:
    """Every moment of a game in which a seat is due to act: the events so far and the full state."""
    events: list[Event] = []
    for state, step in zip(game.states(), game.steps, strict=False):
        if state.turn is not None:
            yield list(events), state
        events += step


def test_the_levels_go_by_their_names() -> None:
    assert list(LEVELS) == ["rookie", "steady", "sharp", "fox"]
    for name, level in LEVELS.items():
        assert level.name == name
        assert level.player_name == f"bot:{name}"
        assert level.character.endswith(".")
        assert "\n" not in level.character


@every_quick_level
@given(rules=rule_sets(max_rounds=2), seed=st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_bot_chooses_only_what_is_legal_under_every_rule_set(level: Level, rules: RuleSet, seed: int) -> None:
    """Random games put it into every position, its own games into those that it brings about."""
    rng = random.Random(seed)
    for events, state in moments(play_game(rules, seed)):
        assert state.turn is not None
        view = view_of(rules, events, state.turn)
        assert level.choose(view, rng) in legal_actions(view)
    assert isinstance(list(play_bot_game(rules, [level.choose] * rules.players, str(seed)))[-1], GameEnded)


@every_quick_level
@given(rules=rule_sets(max_rounds=2, max_hand=8), seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_choosing_leaves_the_view_as_it_was(level: Level, rules: RuleSet, seed: int) -> None:
    for events, state in moments(play_game(rules, seed)):
        assert state.turn is not None
        view = view_of(rules, events, state.turn)
        before = view.copy()
        level.choose(view, random.Random(seed))
        assert view == before


@every_quick_level
@given(rules=rule_sets(max_rounds=2, max_hand=8), seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_the_same_view_and_the_same_random_numbers_give_the_same_choice(
    level: Level, rules: RuleSet, seed: int
) -> None:
    for events, state in moments(play_game(rules, seed)):
        assert state.turn is not None
        view = view_of(rules, events, state.turn)
        assert level.choose(view, random.Random(seed)) == level.choose(view.copy(), random.Random(seed))


def with_other_hands(game: PlayedGame, seat: int, rng: random.Random) -> list[Event]:
    """The same public events over deals that differ in all that this seat never gets to see.

    Cards that were shown in the round stay where they were dealt; all other cards, those never dealt included, are
    shuffled among the other seats and the rest of the deck.
    """
    events: list[Event] = []
    shown_by_round = shown_cards(game)
    for event in game.events:
        if not isinstance(event, RoundDealt):
            events.append(event)
            continue
        shown = shown_by_round[event.round]
        hands = [held or () for held in event.hands]
        used = card_set(card for held in hands for card in held)
        everything = deck(game.rules.players, game.rules.getaway)
        hidden = [card for at, held in enumerate(hands) if at != seat for card in held if not shown >> card & 1]
        hidden += [card for card in everything if not used >> card & 1]
        rng.shuffle(hidden)
        for at, held in enumerate(hands):
            if at != seat:
                kept = [card for card in held if shown >> card & 1]
                hands[at] = (*kept, *(hidden.pop() for _ in range(len(held) - len(kept))))
        events.append(RoundDealt(event.round, event.first, tuple(hands), None))
    return events


def shown_cards(game: PlayedGame) -> dict[int, int]:
    """The cards, by round, that were bid or played in it."""
    shown: dict[int, int] = {}
    number = 0
    for event in game.events:
        if isinstance(event, RoundDealt):
            number = event.round
            shown[number] = 0
        card = getattr(event, "card", None)
        if card is not None:
            shown[number] |= 1 << card
    return shown


@every_quick_level
@given(rules=rule_sets(max_rounds=2, max_hand=10), seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_a_bot_cannot_tell_apart_two_games_that_differ_in_what_its_seat_cannot_know(
    level: Level, rules: RuleSet, seed: int
) -> None:
    """Worlds apart for an onlooker, one and the same for the seat: the choice must be the same."""
    game = play_game(rules, seed)
    other = {seat: with_other_hands(game, seat, random.Random(seed + seat)) for seat in range(rules.players)}
    for events, state in moments(game):
        seat = state.turn
        assert seat is not None
        here = view_of(rules, events, seat)
        elsewhere = view_of(rules, other[seat][: len(events)], seat)
        assert level.choose(here, random.Random(seed)) == level.choose(elsewhere, random.Random(seed))


def test_the_other_worlds_of_the_test_above_are_other_worlds() -> None:
    game = play_game(rule_set(3, hand_size=12, rounds=1), 7)
    assert with_other_hands(game, 0, random.Random(7)) != game.events


@every_quick_level
def test_a_bot_game_hands_each_bot_its_own_view_and_nothing_else(level: Level) -> None:
    """Nobody's hand but the seat's own is known, and no cards are in the others' save those shown to all."""
    rules = rule_set(4, ("double-cross", "getaway", "plan-b"))
    asked = 0

    def watching(seat: int) -> Bot:
        def choose(view: State, rng: random.Random) -> Action:
            nonlocal asked
            asked += 1
            assert view.turn == seat
            assert view.hand_known == [at == seat for at in range(rules.players)]
            assert all(not view.hands[at] for at in range(rules.players) if at != seat)
            return level.choose(view, rng)

        return choose

    for _ in play_bot_game(rules, [watching(seat) for seat in range(rules.players)], "watched"):
        pass
    assert asked > 100


@every_quick_level
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_level_plays_with_every_number_of_players_and_all_variants(level: Level, players: int) -> None:
    rules = rule_set(players, ("double-cross", "getaway", "plan-b"), first_player="rotate")
    ended = list(play_bot_game(rules, [level.choose] * players, "whole"))[-1]
    assert isinstance(ended, GameEnded)


def mean_lead(rules: RuleSet, games: int, of: Bot, over: Bot) -> tuple[float, float]:
    """The mean lead of one bot's seats over the other's, in points a game, and its standard error.

    Each deal is played twice, in swapped seats, so that luck with cards falls on both.
    """
    leads: list[float] = []
    for number in range(games):
        lead = 0.0
        for swap in (0, 1):
            seated = [(of, over)[(seat + swap) % 2] for seat in range(rules.players)]
            ended = list(play_bot_game(rules, seated, "match", number))[-1]
            assert isinstance(ended, GameEnded)
            mine = [score for score, bot in zip(ended.scores, seated, strict=True) if bot is of]
            theirs = [score for score, bot in zip(ended.scores, seated, strict=True) if bot is over]
            lead += (sum(mine) / len(mine) - sum(theirs) / len(theirs)) / 2
        leads.append(lead)
    mean = sum(leads) / games
    return mean, (sum((lead - mean) ** 2 for lead in leads) / (games - 1) / games) ** 0.5


@pytest.mark.parametrize(
    ("players", "variants", "scoring"),
    [
        (2, (), "standard"),
        (3, ("plan-b",), "simplified"),
        (4, (), "standard"),
        (4, ("double-cross", "getaway", "plan-b"), "standard"),
        (5, ("getaway",), "standard"),
    ],
)
def test_steady_clearly_beats_rookie(players: int, variants: tuple[str, ...], scoring: str) -> None:
    lead, error = mean_lead(rule_set(players, variants, scoring=scoring), 12, steady, rookie)
    assert lead > 3
    assert lead > 3 * error


# What each level does in positions where it is plain what to do


@every_quick_level
def test_a_hand_of_high_cards_bids(level: Level) -> None:
    rules = rule_set(4)
    view = planning_view(rules, "B15 B14 B13 B12 R15 R14 R3 G15 G14 G2 Y15 Y14 Y13 Y4 B2")
    bids = sum(isinstance(level.choose(view, random.Random(seed)), Bid) for seed in range(20))
    assert bids > 10


def test_rookie_mostly_stops_bidding_with_a_weak_hand() -> None:
    view = planning_view(rule_set(4, hand_size=10), "R1 R2 R3 G1 G2 G3 Y1 Y2 Y3 Y14")
    assert sum(rookie(view, random.Random(seed)) == PASS for seed in range(40)) > 25


def test_steady_snitches_with_a_hand_of_low_cards() -> None:
    view = planning_view(rule_set(4), "B1 B2 R1 R2 R3 R4 G1 G2 G3 G5 Y1 Y2 Y3 Y4 Y6")
    assert steady(view, random.Random(1)) == PASS


def test_steady_does_not_snitch_with_the_highest_trumps() -> None:
    view = planning_view(rule_set(4), "B15 B14 B13 R15 R14 R3 G15 G14 G4 G2 Y15 Y14 Y13 Y4 B12")
    assert isinstance(steady(view, random.Random(1)), Bid)


def test_steady_bids_low_cards_of_suits_it_can_win_and_keeps_its_winners() -> None:
    view = planning_view(rule_set(4), "B15 B14 B13 B12 B2 R15 R14 R2 G5 G6 G7 Y8 Y9 Y6 Y5")
    choice = steady(view, random.Random(1))
    assert action_text(choice) in {"bid B2", "bid R2"}


def played_to(rules: RuleSet, deal: Deal, line: str, seat: int) -> State:
    """The view of a seat after a line of play, `bid R3, pass, …`: each step by whoever is on turn."""
    state = State(rules)
    events = deal_round(state, deal)
    evolve(state, events[0])
    makers: dict[str, Callable[[int], Action]] = {"bid": Bid, "play": Play, "cover": Cover}
    for words in line.split(", "):
        verb, _, name = words.partition(" ")
        action = makers[verb](parse(name)) if name else PASS
        assert state.turn is not None
        for event in decide(state, state.turn, action):
            evolve(state, event)
            events.append(event)
    assert state.turn == seat
    return view_of(rules, events, seat)


def test_steady_covers_with_the_cheapest_card_when_it_plays_last() -> None:
    deal = Deal((hand("R5 R2 G3 G4"), hand("R12 R6 R3 R1")), first=1)
    view = played_to(rule_set(2, hand_size=4), deal, "bid R1, bid G4, pass, pass, play R5", 1)
    assert action_text(steady(view, random.Random(1))) == "play R6"


def test_steady_ducks_as_a_snitch_and_sheds_its_highest_loser() -> None:
    deal = Deal((hand("R5 R2 G3 G4"), hand("R12 R6 R3 R1")), first=1)
    view = played_to(rule_set(2, hand_size=4), deal, "pass, bid G4, pass, play R5", 1)
    assert action_text(steady(view, random.Random(1))) == "play R3"


def test_steady_ducks_with_a_getaway_card_where_every_other_card_wins() -> None:
    rules = rule_set(2, ("getaway",), hand_size=4)
    deal = Deal((hand("R5 R2 G3 G4"), hand("R12 R6 X1 Y1")), first=1)
    view = played_to(rules, deal, "pass, bid G4, pass, play R5", 1)
    choice = steady(view, random.Random(1))
    assert isinstance(choice, Play)
    assert is_getaway(choice.card)


def test_steady_throws_its_most_dangerous_card_on_a_suit_that_it_is_void_in_as_a_snitch() -> None:
    deal = Deal((hand("R5 R2 G3 G4"), hand("G12 Y2 Y3 B1")), first=1)
    view = played_to(rule_set(2, hand_size=4), deal, "pass, bid G4, pass, play R5", 1)
    assert action_text(steady(view, random.Random(1))) == "play G12"


def test_steady_covers_the_bid_card_that_its_other_cards_could_not_cover() -> None:
    """R9 may cover R1 by its suit or G9 by its rank; the cards it keeps can win for R1 but not for G9."""
    deal = Deal((hand("R5 R4 Y1 Y2 Y3"), hand("R1 G9 R9 R12 R11")), first=1)
    line = "bid R1, bid Y3, bid G9, pass, pass, play R9, play R5"
    view = played_to(rule_set(2, hand_size=5), deal, line, 1)
    assert view.phase is Phase.COVERING
    assert action_text(steady(view, random.Random(1))) == "cover G9"


def test_steady_double_crosses_now_and_then() -> None:
    rules = rule_set(2, ("double-cross", "getaway"))
    crossed = passed = 0
    for number in range(40):
        for event in play_bot_game(rules, [steady, steady], "cross", number):
            crossed += isinstance(event, DoubleCrossed)
            passed += isinstance(event, Passed)
    assert 0 < crossed < passed / 2


def test_steady_bids_one_card_where_it_may_not_be_the_second_snitch() -> None:
    """[V3]: with the worst of hands it still has to lay a card, and then stops."""
    low = "R1 R2 R3 G1 G2 G3"
    deal = Deal((hand("B1 B2 B3 B4 B5 B6"), hand(low)), first=0)
    rules = rule_set(2, ("double-cross",), hand_size=6)
    choice = steady(played_to(rules, deal, "pass", 1), random.Random(1))
    assert isinstance(choice, Bid)
    assert choice.card in cards_in(card_set(hand(low)))

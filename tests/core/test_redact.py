"""What each reader is told, event by event and over whole games."""

from __future__ import annotations

import typing
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import assume, given, settings

from looseends_core import cards, events
from looseends_core.actions import Action
from looseends_core.decide import HandNotKnown, IllegalAction, deal_round, decide, legal_actions, why_not
from looseends_core.events import CardBid, CardPlayed, Event, RoundDealt
from looseends_core.redact import is_public, redact
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import Deal, Fairness
from looseends_core.state import State, evolve, fold
from tests.core.table import Table, action_of
from tests.strategies import PlayedGame, games

# Relative to the profile, so that a thorough one is thorough here too.
MORE = settings(max_examples=2 * settings().max_examples)

DEALT = RoundDealt(1, 1, ((3, 4), (5, 6)), Fairness(bytes(32), (bytes(16), bytes(16))))


def test_of_a_deal_a_seat_sees_its_own_hand_and_never_the_proof() -> None:
    assert redact(DEALT, 0) == RoundDealt(1, 1, ((3, 4), None), None)
    assert redact(DEALT, 1) == RoundDealt(1, 1, (None, (5, 6)), None)
    assert not is_public(DEALT)


@pytest.mark.parametrize("reader", [None, -1, 2, 64])
def test_who_holds_no_hand_sees_none(reader: int | None) -> None:
    assert redact(DEALT, reader) == RoundDealt(1, 1, (None, None), None)


def test_every_other_event_is_public_and_passes_unchanged() -> None:
    for kind in typing.get_args(Event):
        if kind is not RoundDealt:
            event = msgspec.convert([kind.__struct_config__.tag, *_arguments(kind)], kind)
            assert is_public(event)
            assert redact(event, 0) is event


def _arguments(kind: type[msgspec.Struct]) -> list[object]:
    return [[1, 2] if "tuple" in str(field.type) else 1 for field in msgspec.structs.fields(kind)]


def test_an_event_that_redact_does_not_know_is_shown_to_nobody() -> None:
    class HandShown(CardBid, frozen=True, array_like=True, tag="hand-shown"):
        pass

    assert not is_public(HandShown(0, 1))
    with pytest.raises(TypeError, match="HandShown"):
        redact(HandShown(0, 1), 0)


def test_every_event_of_the_module_belongs_to_the_union() -> None:
    structs = {
        thing
        for thing in vars(events).values()
        if isinstance(thing, type) and issubclass(thing, msgspec.Struct) and thing.__module__ == events.__name__
    }
    assert structs == set(typing.get_args(Event))


def readers(rules: RuleSet) -> list[int | None]:
    """Return every seat, and the spectator."""
    return [*range(rules.players), None]


def hidden_from(state: State, reader: int | None) -> State:
    """Return what a reader may know, made the other way round: the full state with all other hands taken out."""
    view = state.copy()
    for seat in range(state.rules.players):
        if seat != reader:
            view.hands[seat] = 0
            view.hand_known[seat] = False
        elif state.round == 0:
            view.hand_known[seat] = False
    return view


@MORE
@given(game=games(max_rounds=2))
def test_the_fold_of_redacted_events_is_what_that_reader_may_know(game: PlayedGame) -> None:
    for reader in readers(game.rules):
        view = State(game.rules)
        full = State(game.rules)
        for step in game.steps:
            for event in step:
                evolve(full, event)
                evolve(view, redact(event, reader))
            assert view == hidden_from(full, reader)


CARD_SLOTS = {"bids", "covered", "hands", "promoted", "shown", "trick", "tricks"}
"""The slots of a State that hold cards."""
OTHER_SLOTS = {
    *("double_crosser", "first", "hand_known", "hand_sizes", "last_delta", "leader", "loose", "number", "passed"),
    *("phase", "results", "round", "rules", "scores", "snitching", "tricks_in_round", "turn", "winners", "won"),
}


def cards_in_view(view: State) -> set[int]:
    """Return every card that a view holds anywhere."""
    masks = [*view.hands, *view.covered, *view.promoted, *view.shown]
    found = {card for mask in masks for card in cards.cards_in(mask)}
    found.update(card for bids in view.bids for card in bids)
    found.update(card for _, card in view.trick)
    for trick in view.tricks:
        found.update(card for _, card in trick.plays)
        found.add(trick.card)
        found.update(card for card in [trick.bid_card] if card is not None)
    return found


def test_every_slot_of_a_state_is_known_to_hold_cards_or_none() -> None:
    # A new slot fails here until somebody has said whether it could hold a card that a reader may not see.
    assert set(State.__slots__) == CARD_SLOTS | OTHER_SLOTS


@MORE
@given(game=games(max_rounds=2))
def test_a_view_holds_no_card_of_another_hand_before_it_lies_on_the_table(game: PlayedGame) -> None:
    for reader in readers(game.rules):
        view = State(game.rules)
        seen: set[int] = set()
        for event in game.events:
            if isinstance(event, RoundDealt):
                seen = set(event.hands[reader] or ()) if reader is not None else set()
            elif isinstance(event, CardBid | CardPlayed):
                seen.add(event.card)
            evolve(view, redact(event, reader))
            assert cards_in_view(view) <= seen


def replayed(rules: RuleSet, deals: Sequence[Deal], actions: Sequence[tuple[int, Action]]) -> list[Event] | None:
    """Return the events of the same actions on these deals, None where one is not legal."""
    state = State(rules)
    happened: list[Event] = []
    left = list(actions)
    try:
        for deal in deals:
            step = deal_round(state, deal)
            while True:
                happened += step
                for event in step:
                    evolve(state, event)
                if state.turn is None:
                    break
                seat, action = left.pop(0)
                step = decide(state, seat, action)
    except IllegalAction:
        return None
    return happened


def exchanged(deal: Deal, one: int, other: int) -> Deal:
    """Return the deal with two cards changing places, wherever they are, and with another proof."""
    swap = {one: other, other: one}
    hands = tuple(tuple(swap.get(card, card) for card in hand) for hand in deal.hands)
    return Deal(hands, deal.first, Fairness(bytes([7]) * 32, (bytes([9]) * 16,) * len(hands)))


@MORE
@given(game=games(max_rounds=1, max_hand=8))
def test_two_games_that_differ_only_in_what_a_reader_cannot_know_look_the_same(game: PlayedGame) -> None:
    deal = game.deals[0]
    shown = {event.card for event in game.events if isinstance(event, CardBid | CardPlayed)}
    holder = {card: seat for seat, hand in enumerate(deal.hands) for card in hand}
    unseen = [card for card in cards.deck(game.rules.players, game.rules.getaway) if card not in shown]
    compared = 0
    for one, other in zip(unseen, reversed(unseen), strict=True):
        if one >= other or holder.get(one) == holder.get(other):
            continue
        twin = replayed(game.rules, [exchanged(deal, one, other)], game.actions)
        if twin is None:  # the exchanged card would have had to follow suit
            continue
        assert twin != game.events
        for reader in readers(game.rules):
            if reader is None or reader not in (holder.get(one), holder.get(other)):
                assert [redact(event, reader) for event in twin] == [redact(event, reader) for event in game.events]
                compared += 1
    assume(compared)


@pytest.mark.rule("V1")
def test_cards_taken_back_by_a_double_cross_stay_known_until_they_are_played() -> None:
    table = Table("R1 R2 R3 | B1 B2 B3", variants="double-cross", max_bid=2)
    table.run("0 bid R1, 1 bid B1, 0 bid R3, 1 bid B2, 0 double-cross")
    view = fold(table.rules, [redact(event, 1) for event in table.events])
    assert list(cards.cards_in(view.shown[0])) == [cards.parse("R1"), cards.parse("R3")]
    assert (view.hands[0], view.hand_sizes[0], view.hand_known) == (0, 3, [False, True])
    table.run("1 pass, 1 B3, 0 R3")
    view = fold(table.rules, [redact(event, 1) for event in table.events])
    assert list(cards.cards_in(view.shown[0])) == [cards.parse("R1")]


@pytest.mark.parametrize("action", ["bid R1", "pass", "double-cross", "R1", "cover R1"])
def test_a_view_does_not_guess_what_an_unknown_hand_allows(action: str) -> None:
    table = Table("R1 R2 | B1 B2", variants="double-cross", max_bid=1)
    view = fold(table.rules, [redact(event, 1) for event in table.events])
    for asked in (lambda: legal_actions(view), lambda: why_not(view, 0, action_of(action))):
        with pytest.raises(HandNotKnown, match="seat 0"):
            asked()
    refusal = why_not(view, 1, action_of(action))
    assert refusal is not None
    assert refusal.code == "action/not_your_turn"


def test_a_view_sees_what_the_winner_may_cover() -> None:
    table = Table("R9 R8 R1 R5 | R2 R3 G1 G2", first=1, max_bid=2)
    table.run("1 bid G1, 0 bid R1, 1 bid G2, 0 bid R5, 1 pass, 0 pass, 0 R9, 1 R2")
    view = fold(table.rules, [redact(event, None) for event in table.events])
    assert legal_actions(view) == legal_actions(table.state)


def test_a_view_before_the_first_deal_knows_no_hand() -> None:
    assert State(rule_set(3)).hand_known == [False, False, False]

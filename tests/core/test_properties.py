"""What holds in every game, under every rule set, whatever is played."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.actions import BIDS, COVERS, DOUBLE_CROSS, PASS, PLAYS, Action, Bid, Cover, Play
from looseends_core.cards import card_set, cards_in, deck
from looseends_core.decide import IllegalAction, decide, legal_actions, why_not
from looseends_core.events import BidCovered, BidPromoted, Event, LooseEndTaken, RoundScored, TrickWon
from looseends_core.record import events_of, record_from_json, record_of, record_to_json
from looseends_core.state import Phase, State, Trick, evolve, fold
from looseends_core.verify import verify_text
from tests.strategies import PlayedGame, games

EVERY_ACTION: list[Action] = [*BIDS, *PLAYS, *COVERS, PASS, DOUBLE_CROSS]
# Relative to the profile, so that a thorough one is thorough here too.
MORE = settings(max_examples=3 * settings().max_examples)


NO_SUCH_CARD = (-1, 64, -(10**30), 10**30)
IMPOSSIBLE: list[Action] = [kind(card) for kind in (Bid, Play, Cover) for card in NO_SUCH_CARD]


def assert_refused(state: State, seat: int, action: Action) -> None:
    """Assert that an action is refused with a code and a sentence, by `why_not` and `decide` alike."""
    refusal = why_not(state, seat, action)
    assert refusal is not None, (seat, action)
    assert refusal.code.startswith("action/")
    assert refusal.sentence[0].isupper()
    assert refusal.sentence.endswith(".")
    with pytest.raises(IllegalAction) as caught:
        decide(state, seat, action)
    assert caught.value.refusal == refusal


@given(game=games(max_rounds=1), data=st.data())
def test_what_is_legal_is_accepted_and_everything_else_is_refused_and_changes_nothing(
    game: PlayedGame, data: st.DataObject
) -> None:
    closely = data.draw(st.integers(0, len(game.steps)))  # one state in which every seat tries everything
    for at, state in enumerate(game.states()):
        before = state.copy()
        legal = legal_actions(state)
        assert len(set(legal)) == len(legal)
        assert bool(legal) == (state.turn is not None)
        for action in EVERY_ACTION:
            if action in legal:
                assert state.turn is not None
                assert why_not(state, state.turn, action) is None
                assert decide(state, state.turn, action)
            elif state.turn is not None:
                assert why_not(state, state.turn, action) is not None
        if at == closely:
            for seat in (*range(state.players), -1, state.players, 64, 10**30):
                for action in (*EVERY_ACTION, *IMPOSSIBLE):
                    if seat != state.turn or action not in legal:
                        assert_refused(state, seat, action)
        assert state == before


@MORE
@given(game=games())
def test_every_action_taken_was_legal_and_somebody_is_on_turn_until_the_deal_or_the_end(game: PlayedGame) -> None:
    taken = iter(game.actions)
    for state in game.states():
        assert (state.turn is None) == (state.phase in (Phase.DEALING, Phase.OVER))
        if state.turn is not None:
            seat, action = next(taken)
            assert seat == state.turn
            assert action in legal_actions(state)
    assert next(taken, None) is None


@MORE
@given(game=games())
def test_cards_are_conserved(game: PlayedGame) -> None:
    dealt: list[int] = []
    in_play = card_set(deck(game.rules.players, game.rules.getaway))
    for state in game.states():
        if state.round == 0:
            continue
        if not state.passed and not any(state.bids):
            dealt = list(state.hands)
            assert sum(hand.bit_count() for hand in dealt) == game.rules.players * game.rules.hand_size
        running = set(state.trick)
        finished = {play for trick in state.tricks for play in trick.plays}
        for seat in range(state.players):
            planned = [card for card in state.bids[seat] if not state.promoted[seat] >> card & 1]
            played = [card for by, card in running | finished if by == seat]
            everywhere = [*cards_in(state.hands[seat]), *planned, *played]
            assert len(everywhere) == len(set(everywhere))  # no card is in two places
            assert card_set(everywhere) == dealt[seat]
            assert card_set(everywhere) & ~in_play == 0
            assert state.hand_sizes[seat] == state.hands[seat].bit_count()
            assert state.covered[seat] & ~card_set(state.bids[seat]) == 0
            assert state.promoted[seat] & ~card_set(played) == 0
            assert len(planned) <= game.rules.max_bid
            assert state.shown[seat] & ~state.hands[seat] == 0


@MORE
@given(game=games())
def test_a_round_has_as_many_tricks_as_the_smallest_hand_and_each_is_settled_once(game: PlayedGame) -> None:
    sizes: list[int] = []
    for state in game.states():
        if state.phase is Phase.PLAYING and not state.tricks and not state.trick:
            sizes = list(state.hand_sizes)
        if state.phase in (Phase.DEALING, Phase.OVER) and state.round:
            assert len(state.tricks) == min(sizes) == state.tricks_in_round == sum(state.won)
            assert min(state.hand_sizes) == 0
            for trick in state.tricks:
                assert trick.outcome is not None
                assert (trick.bid_card is None) == (trick.outcome == "loose")
    settled = sum(isinstance(event, BidCovered | BidPromoted | LooseEndTaken) for event in game.events)
    assert settled == sum(isinstance(event, TrickWon) for event in game.events)


@MORE
@given(game=games())
def test_at_most_one_snitch_under_double_cross_and_exactly_those_without_a_bid_card_otherwise(game: PlayedGame) -> None:
    for state in game.states():
        if state.phase is Phase.PLAYING and not state.tricks and not state.trick:
            without = [not bids for bids in state.bids]
            if game.rules.double_cross:
                assert sum(state.snitching) == min(1, sum(without))
            else:
                assert state.snitching == without
            assert sorted(state.passed) == list(range(state.players))
            assert state.leader == state.passed[-1]


@MORE
@given(game=games())
def test_scores_are_the_starting_points_and_all_deltas(game: PlayedGame) -> None:
    state = fold(game.rules, game.events)
    deltas = [event.delta for event in game.events if isinstance(event, RoundScored)]
    assert len(deltas) == len(state.results) == game.rules.rounds
    assert state.scores == [5 + sum(points) for points in zip(*deltas, strict=True)]
    assert [tuple(line.points for line in sheet) for sheet in state.results] == deltas
    assert state.winners
    assert all(state.scores[seat] == max(state.scores) for seat in state.winners)


@MORE
@given(game=games())
def test_the_fold_of_events_that_went_through_bytes_is_the_live_state(game: PlayedGame) -> None:
    *_, live = game.states()
    packed = msgspec.msgpack.encode(game.events)
    assert msgspec.msgpack.decode(packed, type=list[Event]) == game.events
    assert msgspec.json.decode(msgspec.json.encode(game.events), type=list[Event]) == game.events
    assert fold(game.rules, msgspec.msgpack.decode(packed, type=list[Event])) == live
    assert live.number == len(game.events)


@MORE
@given(game=games())
def test_an_action_that_went_through_bytes_is_the_same(game: PlayedGame) -> None:
    for _, action in game.actions:
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(action), type=Action) == action


@MORE
@given(game=games(max_rounds=2), data=st.data())
def test_a_copy_is_equal_and_goes_its_own_way(game: PlayedGame, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(game.steps)))
    for steps, state in enumerate(game.states()):
        if steps == at:
            kept, twin = state.copy(), state.copy()
            break
    else:
        raise AssertionError("there is a state before and after each step")
    assert kept == twin
    for step in game.steps[at:]:
        for event in step:
            evolve(twin, event)
    assert kept == fold(game.rules, [event for step in game.steps[:at] for event in step])
    assert twin == fold(game.rules, game.events)


def assert_nothing_shared(one: State, other: State) -> None:
    """Assert that two states have no list and no trick in common, so that neither can change the other."""
    for slot in State.__slots__:
        mine, theirs = getattr(one, slot), getattr(other, slot)
        if isinstance(mine, list):
            assert mine is not theirs, slot
            for inner, twin in zip(mine, theirs, strict=True):
                assert inner is not twin or not isinstance(inner, list | Trick), slot


@given(game=games(max_rounds=2))
def test_a_copy_shares_nothing_that_can_change(game: PlayedGame) -> None:
    for state in game.states():
        assert_nothing_shared(state, state.copy())


@MORE
@given(game=games(), data=st.data())
def test_a_record_goes_to_json_to_events_and_back_and_is_accepted_however_far_the_game_is(
    game: PlayedGame, data: st.DataObject
) -> None:
    far = data.draw(st.integers(0, len(game.steps)) | st.just(len(game.steps)))
    happened = [event for step in game.steps[:far] for event in step]
    names = [f"bot:{seat}" for seat in range(game.rules.players)]
    record = record_of(game.rules, names, happened)
    text = json.dumps(record_to_json(record)).encode()
    assert record_from_json(json.loads(text)) == record
    assert events_of(record) == happened
    verdict = verify_text(text, 7)
    assert (verdict.line, verdict.fault) == (7, None)
    assert verdict.unproven == tuple(
        number for number, played in enumerate(record.rounds, 1) if played.fairness is None
    )
    finished = far == len(game.steps)
    assert (record.scores is not None) == (record.winners is not None) == finished

"""The legal list that travels says what the rules say, no more and no less."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given

from looseends_core.actions import BIDS, COVERS, DOUBLE_CROSS, PASS, PLAYS
from looseends_core.decide import HandNotKnown, legal_actions
from looseends_core.events import RoundDealt
from looseends_core.redact import redact
from looseends_core.rules import rule_set
from looseends_core.state import Phase, State, evolve
from looseends_protocol.legal import actions_of, legal_of
from looseends_protocol.messages import Legal
from tests.strategies import PlayedGame, games


@given(games(max_rounds=2))
def test_the_legal_list_means_the_legal_actions_at_every_step(game: PlayedGame) -> None:
    for state in game.states():
        legal = legal_of(state)
        assert actions_of(legal, state.phase) == legal_actions(state)
        assert list(legal.cards) == sorted(set(legal.cards))
        assert (legal == Legal(())) == (state.turn is None)


@given(games(max_rounds=1, max_hand=6))
def test_a_seat_works_out_from_its_own_view_what_the_server_sends_it(game: PlayedGame) -> None:
    views = [State(game.rules) for _ in range(game.rules.players)]
    states = game.states()
    next(states)
    for step, state in zip(game.steps, states, strict=True):
        for seat, view in enumerate(views):
            for event in step:
                evolve(view, redact(event, seat))
        if state.turn is not None:
            assert legal_of(views[state.turn]) == legal_of(state)


@given(games(max_rounds=1, max_hand=4))
def test_a_legal_list_travels_as_a_short_array(game: PlayedGame) -> None:
    for state in game.states():
        legal = legal_of(state)
        written = msgspec.msgpack.decode(msgspec.msgpack.encode(legal))
        assert written == [list(legal.cards), legal.may_pass, legal.may_double_cross]
        assert msgspec.convert(written, Legal) == legal


def test_each_phase_reads_the_cards_as_its_own_actions() -> None:
    legal = Legal((0, 17))
    assert actions_of(legal, Phase.PLANNING) == [BIDS[0], BIDS[17]]
    assert actions_of(legal, Phase.PLAYING) == [PLAYS[0], PLAYS[17]]
    assert actions_of(legal, Phase.COVERING) == [COVERS[0], COVERS[17]]
    assert actions_of(Legal((), may_pass=True, may_double_cross=True), Phase.PLANNING) == [PASS, DOUBLE_CROSS]


@pytest.mark.parametrize("phase", [Phase.DEALING, Phase.OVER])
def test_nothing_is_legal_while_nobody_is_on_turn(phase: Phase) -> None:
    assert actions_of(Legal(()), phase) == []


def test_a_spectator_cannot_be_told_what_is_legal() -> None:
    view = State(rule_set(2))
    evolve(view, RoundDealt(1, 0, (None, None)))
    with pytest.raises(HandNotKnown):
        legal_of(view)

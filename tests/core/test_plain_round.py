from __future__ import annotations

from hypothesis import given, settings

from looseends_core.actions import Action, action_text
from looseends_core.cards import name
from looseends_core.decide import legal_actions
from looseends_core.events import RoundDealt
from tests.core.plain_round import Decision, PlainRound
from tests.strategies import PlayedGame, games

# Relative to the profile, so that a thorough one is thorough here too.
MORE = settings(max_examples=5 * settings().max_examples)


def decision_of(seat: int, action: Action) -> Decision:
    verb, _, card = action_text(action).partition(" ")
    return seat, verb, card


@MORE
@given(game=games())
def test_a_second_reading_of_the_rules_allows_and_scores_the_same(game: PlayedGame) -> None:
    taken = iter(game.actions)
    table = game.rules.table
    numbers = (table.covered, table.loose_end, table.loose_end_with_snitch, table.perfect_crime, table.snitch)
    plain: PlainRound | None = None
    for state, step in zip(game.states(), game.steps, strict=False):
        if isinstance(step[0], RoundDealt):
            assert plain is None or plain.delta == list(state.last_delta or ())
            hands = [[name(card) for card in hand or ()] for hand in step[0].hands]
            plain = PlainRound(hands, step[0].first, game.rules.max_bid, set(game.rules.variants), numbers)
            continue
        assert plain is not None
        assert state.turn == plain.turn
        assert {decision_of(plain.turn, action) for action in legal_actions(state)} == plain.legal()
        plain.take(decision_of(*next(taken)))
    *_, end = game.states()
    assert plain is not None
    assert plain.delta == list(end.last_delta or ())

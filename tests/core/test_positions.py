"""Known hands: what is plainly right is done by the levels that search, and is not what anybody would do by chance.

Here each position is asked a few times; `make positions` asks twenty times, as the levels are held to.
"""

from __future__ import annotations

import pytest

from looseends_core.actions import action_text
from looseends_core.bots import LEVELS
from looseends_core.decide import legal_actions
from tests.core.positions import ENOUGH, POSITIONS, SEEDS, Position, times_right

every_position = pytest.mark.parametrize("position", POSITIONS, ids=[position.name for position in POSITIONS])


def test_there_are_thirty_positions_of_different_names() -> None:
    assert len({position.name for position in POSITIONS}) == 30


@every_position
def test_what_is_right_is_legal_and_something_else_is_too(position: Position) -> None:
    allowed = {action_text(action) for action in legal_actions(position.view())}
    assert set(position.answers) < allowed


@every_position
def test_sharp_and_fox_do_what_is_plainly_right(position: Position) -> None:
    assert times_right(LEVELS["sharp"], position, 3) == 3
    assert times_right(LEVELS["fox"], position, 1) == 1


def test_rookie_is_wrong_in_a_third_of_the_positions_at_least() -> None:
    passed = sum(times_right(LEVELS["rookie"], position, SEEDS) >= ENOUGH for position in POSITIONS)
    assert passed <= len(POSITIONS) * 2 // 3

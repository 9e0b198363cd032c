"""The first row gives up what matters least where there is little room, and never the round or the trick."""

from __future__ import annotations

import pytest

from looseends_client.drawing.rows import row_text, width_of
from looseends_client.drawing.top import top_row
from looseends_core.rules import VARIANTS, rule_set
from tests.client.scenes import FOUR_HANDS, PLANNED, played, scene_of

ALL = rule_set(4, VARIANTS)
EVENTS = played(ALL, FOUR_HANDS, PLANNED)


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (100, " No Loose Ends  KITE2345AB  round 1 of 3  trick 1 of 12   Double-Cross · Getaway · Plan B"),
        (80, " No Loose Ends  round 1 of 3  trick 1 of 12   Double-Cross · Getaway · Plan B"),
        (60, " No Loose Ends  round 1 of 3  trick 1 of 12   DC G PB"),
        (40, " NLE  round 1/3  trick 1/12   DC G PB"),
        (30, "  round 1/3  trick 1/12"),
    ],
)
def test_words_become_letters_before_the_round_or_trick_is_cut(width: int, shown: str) -> None:
    row = top_row(scene_of(ALL, EVENTS), width)
    assert width_of(row) == width
    assert row_text(row).split() == shown.split()


def test_a_lost_connection_takes_the_place_of_the_variants() -> None:
    scene = scene_of(ALL, EVENTS)
    scene.online = "reconnecting"
    assert row_text(top_row(scene, 80)).endswith("  reconnecting")

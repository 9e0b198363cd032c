"""At any moment of any game and any size of window: no row is wider than its room, and what is left out is counted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from hypothesis import given
from hypothesis import strategies as st

from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES
from looseends_client.drawing.hand import hand_rows
from looseends_client.drawing.hint import hint_rows, keys_row
from looseends_client.drawing.layout import MIN_HEIGHT, MIN_WIDTH, Layout, plan_layout
from looseends_client.drawing.log import log_rows
from looseends_client.drawing.middle import middle_rows
from looseends_client.drawing.rows import Row, row_text, width_of
from looseends_client.drawing.scene import Scene
from looseends_client.drawing.seats import seat_columns, seat_lines
from looseends_client.drawing.side import side_sheet_rows
from looseends_client.drawing.top import top_row
from looseends_client.drawing.trick import trick_rows
from looseends_client.drawing.tricks import tricks_rows
from looseends_client.table_offers import keys_now
from looseends_core.bot_game import play_bot_game
from looseends_core.events import Event
from looseends_core.rules import VARIANTS, RuleSet, rule_set
from tests.client.games import choose_any, overbid, people
from tests.client.scenes import scene_of

sizes = st.tuples(st.integers(MIN_WIDTH, 200), st.integers(MIN_HEIGHT, 60))
LONG_NAMES = ("A name of 20 letters", "漢字漢字漢字漢字漢字")


@lru_cache
def a_game(players: int, variants: tuple[str, ...], greedy: bool, seed: str) -> tuple[RuleSet, list[Event]]:
    rules = rule_set(players, variants, rounds=2)
    return rules, list(play_bot_game(rules, [overbid if greedy else choose_any] * players, seed))


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Any table at any moment, with as many bids as there can be in half of the games."""
    players = draw(st.integers(2, 5))
    rules, events = a_game(
        players,
        draw(st.sampled_from(((), ("plan-b",), ("double-cross", "getaway"), tuple(VARIANTS)))),
        draw(st.booleans()),
        draw(st.sampled_from("ab")),
    )
    number = draw(st.integers(1, len(events)))
    seat = draw(st.none() | st.integers(0, players - 1))
    faces = draw(st.sampled_from((UNICODE_FACES, ASCII_FACES)))
    scene = scene_of(rules, events[:number], seat, bots=draw(st.integers(0, players - 1)), faces=faces)
    if draw(st.booleans()):
        scene.model.names = [draw(st.sampled_from(LONG_NAMES)) for _ in people(players)]
    if scene.selectable:
        scene.chosen = draw(st.none() | st.sampled_from(scene.selectable))
    scene.keys = keys_now(scene, alone=draw(st.booleans()))
    return scene


def laid_out(scene: Scene, width: int, height: int) -> Layout:
    return plan_layout(width, height, scene.model.rules.players, scene.model.rules.rounds)


def cards_in(rows: Iterable[Row]) -> set[int]:
    """Return the cards that can be read in rows."""
    return {span.card for row in rows for span in row if span.card is not None and re.search(r"\w", span.text)}


def counted_in(rows: Iterable[Row]) -> int:
    """Return how many more the rows say there are."""
    said = (re.match(r" *\+(\d+)", span.text) for row in rows for span in row if span.look == "dim")
    return sum(int(found[1]) for found in said if found)


@given(scenes(), sizes)
def test_every_region_takes_its_room_and_no_more(scene: Scene, size: tuple[int, int]) -> None:
    width, height = size
    layout = laid_out(scene, width, height)
    main = width - layout.side
    seats = (seat_lines if layout.seats_in_lines else seat_columns)(scene, main, layout.seats)
    regions = [
        ([top_row(scene, main)], main, 1),
        (seats, main, layout.seats),
        (trick_rows(scene, main, layout.trick), main, layout.trick),
        (middle_rows(scene, layout, main, layout.middle), main, layout.middle),
        (hint_rows(scene, main, layout.hint), main, layout.hint),
        (hand_rows(scene, main, layout.hand), main, layout.hand),
        ([keys_row(scene, main)], main, 1),
    ]
    if layout.side:
        regions.append((side_sheet_rows(scene, layout.side, layout.sheet), layout.side, layout.sheet))
        regions.append((log_rows(scene, layout.side, height - layout.sheet), layout.side, height - layout.sheet))
    for rows, room, many in regions:
        assert len(rows) == many
        assert [width_of(row) for row in rows] == [room] * many
    assert 1 + layout.seats + layout.trick + layout.middle + layout.hint + layout.hand + 1 + 3 * layout.rules == height


@given(scenes(), sizes)
def test_every_bid_card_is_shown_or_counted(scene: Scene, size: tuple[int, int]) -> None:
    layout = laid_out(scene, *size)
    rows = (seat_lines if layout.seats_in_lines else seat_columns)(scene, size[0] - layout.side, layout.seats)
    bids = [card for seat in scene.model.state.bids for card in seat]
    assert cards_in(rows) <= set(bids)
    assert len(cards_in(rows)) + counted_in(rows) == len(bids), [row_text(row) for row in rows]


@given(scenes(), sizes)
def test_every_card_of_the_hand_is_shown_or_counted(scene: Scene, size: tuple[int, int]) -> None:
    seat = scene.model.seat
    layout = laid_out(scene, *size)
    rows = hand_rows(scene, size[0] - layout.side, layout.hand)
    held = 0 if seat is None else scene.model.state.hands[seat].bit_count()
    assert len(cards_in(rows)) + counted_in(rows) == held
    if scene.chosen is not None and scene.chosen in scene.selectable and scene.model.state.turn != seat:
        assert scene.chosen in cards_in(rows)


@given(scenes(), st.integers(40, 120), st.integers(1, 20))
def test_every_trick_of_the_round_is_shown_or_counted(scene: Scene, width: int, height: int) -> None:
    rows = tricks_rows(scene, width, height)
    shown = [row for row in rows if re.match(r" *\d+ ", row_text(row))]
    tricks = scene.model.state.tricks
    if tricks:
        assert len(shown) + counted_in(rows) == len(tricks)


@given(scenes(), st.integers(40, 200))
def test_every_key_of_the_moment_is_shown_or_counted(scene: Scene, width: int) -> None:
    row = keys_row(scene, width)
    shown = sum(span.look == "key" for span in row)
    more = re.search(r"\+(\d+)", row_text(row))
    assert shown + (int(more[1]) if more else 0) == len(scene.keys)
    assert "?" in row_text(row)
    for key in ("Enter", "q"):
        assert (key in [span.text for span in row]) == (key in dict(scene.keys))

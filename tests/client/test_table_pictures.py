"""How the table looks, as plain text, at every size that it is designed for. Look at each picture before you take it.

`make test ARGS="tests/client/test_table_pictures.py --snapshot-update"` takes new ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_core.bot_game import play_bot_game
from looseends_core.events import Event
from looseends_core.rules import RuleSet, rule_set
from tests.client.games import full_game, overbid
from tests.client.scenes import COVERING, FOUR, FOUR_HANDS, PLANNED, played
from tests.client.table_app import TableApp, at_size

SIZES = ((80, 24), (60, 20), (100, 30), (160, 50), (40, 16))

PLANNING = played(FOUR, FOUR_HANDS, ["bid R14", "pass", "bid G9", "bid Y13"])
TRICK = played(FOUR, FOUR_HANDS, [*PLANNED, "G15", "G2", "G6", "G11", "R3", "R2", "R7", "R12", "R13"])
COVER = played(FOUR, FOUR_HANDS, COVERING)


class Picture(SingleFileSnapshotExtension):
    """A screen in a text file of its own."""

    _file_extension = "txt"
    _write_mode = WriteMode.TEXT


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


async def _pictures(app: TableApp, sizes: Sequence[tuple[int, int]], picture: SnapshotAssertion, *keys: str) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        if isinstance(app.screen, ScoreSheet):
            async with asyncio.timeout(20):
                while "Enter: " not in app.picture.splitlines()[-1]:  # until it takes keys, which it does after a rest
                    await pilot.pause()
        for key in keys:
            await pilot.press(key)
        for width, height in sizes:
            await at_size(pilot, width, height)
            shown = app.picture
            assert shown.count("\n") == height
            assert all(len(line) <= width for line in shown.split("\n"))
            assert shown == picture(name=f"{width}x{height}")


async def test_planning(picture: SnapshotAssertion) -> None:
    await _pictures(TableApp(FOUR, PLANNING, bots=1), SIZES, picture, "g", "1", "5")


async def test_trick(picture: SnapshotAssertion) -> None:
    await _pictures(TableApp(FOUR, TRICK, bots=1), SIZES, picture, "right")


async def test_cover(picture: SnapshotAssertion) -> None:
    await _pictures(TableApp(FOUR, COVER, bots=1), SIZES, picture)


async def test_between_rounds(picture: SnapshotAssertion) -> None:
    """The table itself, after the sheet was put away."""
    rules = rule_set(3, ["plan-b"])
    events = full_game(rules, "sheet")
    one_round = events[: [type(event).__name__ for event in events].index("RoundScored") + 1]
    await _pictures(TableApp(rules, one_round), SIZES, picture, "q")


async def test_score_sheet(picture: SnapshotAssertion) -> None:
    events = full_game(rule_set(4, ["plan-b"]), "sheet")
    one_round = events[: [type(event).__name__ for event in events].index("RoundScored") + 1]
    await _pictures(TableApp(rule_set(4, ["plan-b"]), one_round), ((80, 24), (60, 20), (40, 16)), picture)


async def test_final_sheet(picture: SnapshotAssertion) -> None:
    rules = rule_set(3, rounds=3, hand_size=6)
    await _pictures(TableApp(rules, full_game(rules, "final")), ((80, 24), (60, 20), (40, 16)), picture)


async def test_full_hand(picture: SnapshotAssertion) -> None:
    """Sixteen cards, twelve of them with two digits: the widest hand that two players can hold."""
    hand = " ".join(f"{suit}{rank}" for suit in "BRGY" for rank in (9, 10, 11, 12))
    other = " ".join(f"{suit}{rank}" for suit in "BRGY" for rank in (1, 2, 3, 4))
    await _pictures(TableApp(rule_set(2), played(rule_set(2), [hand, other], [])), SIZES, picture, "r", "1", "1")


def _most_bids(rules: RuleSet, seed: str, number: int) -> list[Event]:
    """Return the moment of a game at which Plan B has given seat 0 the most bid cards."""
    return list(play_bot_game(rules, [overbid] * rules.players, seed))[:number]


async def test_most_bids_of_two(picture: SnapshotAssertion) -> None:
    rules = rule_set(2, ["plan-b"], rounds=1)
    await _pictures(TableApp(rules, _most_bids(rules, "114", 51)), SIZES, picture)


async def test_most_bids_of_five(picture: SnapshotAssertion) -> None:
    rules = rule_set(5, ["plan-b", "getaway"], rounds=1)
    await _pictures(TableApp(rules, _most_bids(rules, "28", 77), bots=2), SIZES, picture)


async def test_letters_alone(picture: SnapshotAssertion) -> None:
    app = TableApp(FOUR, TRICK, bots=1, faces=ASCII_FACES)
    await _pictures(app, ((80, 24),), picture, "right")


async def test_in_letters_alone_nothing_is_drawn_that_a_plain_terminal_lacks() -> None:
    app = TableApp(FOUR, COVER, bots=1, faces=ASCII_FACES)
    async with app.run_test(size=(160, 50)) as pilot:
        for width, height in SIZES:
            await at_size(pilot, width, height)
            assert app.picture.isascii()


async def test_spectator(picture: SnapshotAssertion) -> None:
    await _pictures(TableApp(FOUR, TRICK, None, bots=1, alone=False), ((80, 24), (60, 20)), picture)


@pytest.mark.parametrize(("width", "height"), [(39, 15), (39, 30), (200, 15), (10, 3)])
async def test_a_window_below_40_by_16_says_what_it_needs(width: int, height: int) -> None:
    app = TableApp(FOUR, TRICK)
    async with app.run_test(size=(width, height)) as pilot:
        await pilot.pause()
        said = " ".join(app.picture.split())
        assert said.startswith("The table needs 40 columns by 16 rows;"[: min(len(said), 9)])
        if width >= 39:
            assert (
                said == f"The table needs 40 columns by 16 rows; this window has {width} by {height}. Make it larger."
            )


async def test_a_storm_of_sizes_leaves_the_right_picture() -> None:
    app = TableApp(FOUR, TRICK, bots=1)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = app.picture
        for width, height in ((1, 1), (200, 60), (2, 2), (39, 16), (40, 15), (72, 20), (119, 24), (1, 60), (200, 1)):
            await at_size(pilot, width, height)
            assert app.picture.count("\n") == height
        await at_size(pilot, 80, 24)
        assert app.picture == before


async def test_a_window_of_any_size_shows_what_it_would_have_shown_from_the_start() -> None:
    rules = rule_set(5, ["plan-b", "getaway"], rounds=1)
    events = _most_bids(rules, "28", 77)
    sizes = ((100, 30), (60, 20), (100, 30), (72, 25), (71, 25), (120, 24), (119, 24), (120, 24))
    anew: dict[tuple[int, int], str] = {}
    for size in {*sizes}:
        app = TableApp(rules, events, bots=2)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            anew[size] = app.picture
    app = TableApp(rules, events, bots=2)
    async with app.run_test(size=(80, 24)) as pilot:
        for size in sizes:
            await at_size(pilot, *size)
            assert app.picture == anew[size]


def test_the_faces_are_one_cell_each() -> None:
    for faces in (UNICODE_FACES, ASCII_FACES):
        for frame in (faces.thin, faces.heavy, faces.dashed):
            assert all(cell_len(getattr(frame, part)) == 1 for part in frame.__struct_fields__)
        assert all(cell_len(shape) <= 1 for shape in faces.shapes)

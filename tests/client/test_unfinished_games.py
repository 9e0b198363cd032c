"""Several games against bots that were left in the middle: each can be gone on with."""

from __future__ import annotations

import pytest

from looseends_client.cards_text import UNICODE_FACES
from looseends_client.drawing.rows import row_text, width_of
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.table import TableScreen
from looseends_client.screens.unfinished import GameLines, UnfinishedPage
from looseends_client.seats_held import all_unfinished, unfinished
from looseends_client.starting import StartAlone
from looseends_protocol.messages import SeatHeld, TablePhase, Welcome
from tests.client.on_screen import opened, seated_before_the_screen, wish

PHASES: tuple[TablePhase, ...] = ("over", "playing", "between", "gathering", "frozen")
GAMES = tuple(
    SeatHeld(f"KITE{number}ABCDE", f"game {number}", 0, phase, yours=number == 2) for number, phase in enumerate(PHASES)
)


def test_the_newest_comes_first_and_what_is_over_or_not_begun_is_none() -> None:
    welcome = Welcome(1, 1, 0, "ann", "a server", seats=GAMES)
    games = all_unfinished(welcome)
    assert [game.title for game in games] == ["game 4", "game 2", "game 1"]
    assert unfinished(welcome) == games[0]
    assert all_unfinished(None) == []
    assert unfinished(None) is None


@pytest.mark.parametrize(("width", "height"), [(80, 22), (60, 18), (40, 8), (40, 3)])
def test_the_list_fits_any_window_and_counts_what_does_not(width: int, height: int) -> None:
    games = [SeatHeld(f"KITE{number:06}", "Friday " * 9, 0, "playing", yours=True) for number in range(30)]
    lines = GameLines(games, UNICODE_FACES)
    for chosen in (0, 15, 29):
        lines.chosen = chosen
        rows = lines.rows(width, height)
        assert [width_of(row) for row in rows] == [width] * height
        text = "\n".join(map(row_text, rows))
        assert f"▶ {'Friday'[:3]}" in text
        if height > 3:
            assert f"+{30 - text.count('KITE')} more" in text


async def test_any_of_them_is_gone_on_with() -> None:
    async with opened() as place:
        token = b""
        codes: list[str] = []
        for number in range(3):
            async with seated_before_the_screen(*place, StartAlone(wish()), token=token) as on:
                if number:
                    await on.until_shown("not finished.")
                    await on.press("n")
                await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.state.round == 1)
                codes.append(on.model.code)
                token = on.app.client._token  # pyright: ignore[reportPrivateUsage]
        assert len(set(codes)) == 3
        async with seated_before_the_screen(*place, StartAlone(wish()), token=token) as on:
            await on.until_shown("You have 3 games that are not finished.")
            await on.press("enter")
            assert isinstance(on.app.screen, UnfinishedPage)
            assert on.text.count("Friday") == 3
            await on.press("q")
            assert isinstance(on.app.screen, MenuScreen)
            assert "(3 of them)" in on.text
            await on.press("g", "down", "down", "enter")
            await on.until(lambda: isinstance(on.app.screen, TableScreen))
            assert on.model.code == codes[0]

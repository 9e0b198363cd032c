"""What somebody new presses: a card that is not in hand and Enter behind it, Ctrl-C, and an address to copy."""

from __future__ import annotations

from looseends_client.cards_text import UNICODE_FACES
from looseends_client.drawing.rows import row_text, width_of
from looseends_client.screens.lobby import TableList
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.page import Choice
from looseends_core.cards import cards_in, name
from tests.client.on_screen import alone


async def test_enter_behind_a_card_that_is_not_in_hand_chooses_no_other() -> None:
    async with alone() as on:
        await on.watch_out()
        assert on.model.seat is not None
        hand = on.model.state.hands[on.model.seat]
        starts = {name(card)[:2] for card in cards_in(hand) if len(name(card)) == 3}
        missing = next(
            card for card in range(60) if not hand >> card & 1 and len(name(card)) == 3 and name(card)[:2] not in starts
        )
        await on.press(*name(missing).lower())
        assert on.screen.scene.chosen is None
        await on.press("enter")
        assert on.screen.scene.chosen is None
        assert on.acted == []


async def test_ctrl_c_asks_what_q_asks() -> None:
    async with alone() as on:
        await on.watch_out()
        await on.press("ctrl+c")
        assert isinstance(on.app.screen, Choice)
        await on.press("enter")
        await on.until(lambda: isinstance(on.app.screen, MenuScreen))


def test_an_address_longer_than_a_row_is_broken_and_never_cut() -> None:
    tables = TableList(UNICODE_FACES)
    tables.come_back = f"looseends join 'looseends://games.example:8749#sha256={'ab' * 32}' --name ann"
    for width in (40, 60, 80, 120):
        rows = tables.rows(width, 24)
        assert all(width_of(row) <= width for row in rows)
        shown = "".join(row_text(row)[1:].rstrip() for row in rows)
        assert "ab" * 32 + "'" in shown.replace(" ", "")

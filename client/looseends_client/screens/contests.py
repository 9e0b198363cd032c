"""From the lobby, the menu or a sheet to the deal of the day, and to how a contest went. It draws nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from looseends_client.contest_words import told_right
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.screens.contest import ContestPage
from looseends_client.table_model import Misfit

if TYPE_CHECKING:
    from looseends_client.app import LooseEndsApp

PLAYED = "daily/played"
"""The refusal to somebody who has had the deal of the day; its list is open to them."""


async def play_daily(app: LooseEndsApp) -> None:
    """Sit down to the deal of the day, or show how it went where it has been played."""
    if app.visits.busy:
        return
    try:
        await app.visits.play_daily(app.client)
    except RequestRefused as error:
        if error.refusal.error == PLAYED:
            await show_contest(app, "", word=str(error))
        else:
            _say(app, str(error))
    except (NotConnected, Misfit) as error:
        _say(app, str(error))
    else:
        app.show_table()


async def show_contest(app: LooseEndsApp, contest: str, *, word: str = "") -> None:
    """Show how a contest went, the deal of the day where none is named, under a word on why it is shown."""
    try:
        told = await app.looking_back.desk.contest(contest)
    except (RequestRefused, NotConnected) as error:
        _say(app, str(error))
        return
    app.push_screen(ContestPage(told_right(told), app.faces, word=word))


def _say(app: LooseEndsApp, text: str) -> None:
    """Show a sentence where the person looks."""
    show = getattr(app.screen, "show_answer", None)
    if show is not None:
        show(text)
    else:
        app.say_aside(text)

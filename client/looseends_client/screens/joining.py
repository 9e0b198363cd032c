"""Joining a server from the menu: what is asked, one dialog after the other."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from textual.app import App

from looseends_client.arrival import NotLetIn, arrive
from looseends_client.game_client import GameClient
from looseends_client.screens.page import Ask
from looseends_client.starting import Dial, Dialled
from looseends_protocol.limits import NAME_LENGTH, PASSWORD_LENGTH


async def join_a_server(
    app: App[None], dial: Dial, name: str, listen_to: Callable[[GameClient], None], say: Callable[[str], None]
) -> Dialled | None:
    """Ask where to and as whom, connect, and return the connected client; None where it came to nothing, and said why.

    `name` is offered; `listen_to` is given the client before it connects. Runs in a worker, because it waits for
    dialogs.
    """
    address = await app.push_screen_wait(Ask("The server's address", "HOST or HOST:PORT, as you were told it."))
    if not address:
        return None
    chosen = await app.push_screen_wait(Ask("Your name there", value=name, max_length=NAME_LENGTH))
    if not chosen:
        return None
    try:
        dialled = dial(address, chosen)
    except ValueError as error:
        say(str(error))
        return None
    listen_to(dialled.client)
    say(f"Connecting to {dialled.server} ...")
    word = await _arrive(app, dialled, say)
    if word is None:
        return None
    say("")
    return msgspec.structs.replace(dialled, start=msgspec.structs.replace(dialled.start, word=word))


async def _arrive(app: App[None], dialled: Dialled, say: Callable[[str], None]) -> str | None:
    """Connect, with the server's password where it asks for one; None where it does not let us in."""
    while True:
        try:
            return await arrive(dialled.client, dialled.server)
        except NotLetIn as error:
            if error.code != "hello/password":
                say(str(error))
                return None
            ask = Ask("The server's password", error.said, max_length=PASSWORD_LENGTH, secret=True)
            password = await app.push_screen_wait(ask)
            if not password:
                say("")
                return None
            dialled.client.password = password

"""Who is at a table, in words: where the people of the seats are, who watches, and whom the reader has muted.

Pure functions of what the server tells. Muting is the reader's own affair: nobody is told of it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from looseends_client.seat_names import speaker_name
from looseends_client.table_model import TableModel
from looseends_protocol.messages import SeatInfo
from looseends_protocol.people_text import visible


class Companion(msgspec.Struct, frozen=True):
    """Somebody at a table: the name as it is shown, what is to be said of them, and the name that mutes them.

    `name_sent` is empty for whoever cannot be muted: oneself, a bot, nobody.
    """

    role: Literal["seat", "watcher"]
    shown: str
    about: tuple[str, ...] = ()
    name_sent: str = ""
    seat: int | None = None


def where_they_are(info: SeatInfo) -> str:
    """Return where the person of a seat is, if not at the table; empty where they are, and for bots and open seats."""
    if info.kind != "person":
        return ""
    if info.away == "left":
        return "left"
    if info.away == "removed":
        return "removed"
    if info.connected and not info.away:
        return ""
    return "elsewhere" if info.elsewhere else "offline"


def company_of(model: TableModel) -> list[Companion]:
    """Return everybody at the table: the seats in their order, then who watches."""
    found: list[Companion] = []
    for seat, info in enumerate(model.seats):
        about: list[str] = []
        if info.kind == "bot":
            about.append(f"bot, {visible(info.level)}")
        if info.kind == "person" and info.name == model.host:
            about.append("host")
        about += filter(None, [where_they_are(info)])
        if info.stand_in:
            about.append("a bot plays")
        sent = info.name if info.kind == "person" and seat != model.seat else ""
        if model.mutes(sent):
            about.append("muted by you")
        found.append(Companion("seat", model.names[seat], tuple(about), sent, seat))
    for name in model.watching:
        mine = model.seat is None and name == visible(model.me)
        about = ["you"] if mine else ["muted by you"] if model.mutes(name) else []
        found.append(Companion("watcher", speaker_name(name), tuple(about), "" if mine else name))
    return found

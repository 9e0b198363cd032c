"""What each seat is called on this screen. Nothing here knows who is on turn or draws a thing."""

from __future__ import annotations

from collections.abc import Sequence

from looseends_client.narration import YOU
from looseends_protocol.messages import SeatInfo
from looseends_protocol.people_text import visible


def seat_names(seats: Sequence[SeatInfo], me: int | None) -> list[str]:
    """Return one name a seat, made harmless: `you`, a person's name, or a bot's; no two bots are called the same."""
    names: list[str] = []
    for seat, info in enumerate(seats):
        if seat == me:
            names.append(YOU)
        elif info.kind == "open":
            names.append("open seat")
        else:
            own = speaker_name(info.name) or speaker_name(info.level) or f"seat {seat + 1}"
            names.append(_unlike(own, names) if info.kind == "bot" else own)
    return names


def speaker_name(name: str) -> str:
    """Return somebody else's name, made harmless; one that the reader would take for their own is quoted."""
    shown = visible(name).strip()
    return f'"{shown}"' if shown.casefold() == YOU else shown


def _unlike(name: str, taken: Sequence[str]) -> str:
    number = 2
    unlike = name
    while unlike in taken:
        unlike = f"{name} {number}"
        number += 1
    return unlike

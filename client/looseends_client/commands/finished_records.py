"""The finished games in a file of records, each verified: what may be taken in, and what is wrong with the others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from looseends_client.commands import CommandFailed
from looseends_client.commands.record_texts import Unreadable, record_texts, too_long
from looseends_core.record import GameRecord, record_from_json
from looseends_core.verify import verify_text

if TYPE_CHECKING:
    from looseends_server.house import House

NOT_OVER = "the game in this record is not over: only finished games are kept"


class Found(msgspec.Struct, frozen=True):
    """A record of a file: the line where it begins, and itself, or in a sentence what is wrong with it."""

    line: int
    record: GameRecord | str

    @property
    def proven(self) -> bool:
        """Whether every deal of it is proven."""
        return isinstance(self.record, GameRecord) and all(one.fairness is not None for one in self.record.rounds)


def finished_records(name: str) -> Iterator[Found]:
    """Yield what each record of a file is. Raises Unreadable."""
    for line, text in record_texts(name):
        fault = too_long() if text is None else verify_text(text, line).fault
        if fault or text is None:
            yield Found(line, fault or too_long())
            continue
        record = record_from_json(msgspec.json.decode(text))
        yield Found(line, record if record.scores is not None else NOT_OVER)


async def take_in(house: House, name: str) -> str:
    """Take the finished games of a file into a house, and return in a sentence what came of it."""
    from looseends_client.commands.own_games import keep_in

    def identity_of(player: str) -> int:
        person = house.people.by_name(player)
        return 0 if person is None else person.identity

    try:
        # In a thread: to verify many games takes seconds, and the table must not stand still meanwhile.
        found = await asyncio.to_thread(lambda: list(finished_records(str(Path(name).expanduser()))))
        good = [one.record for one in found if isinstance(one.record, GameRecord)]
        new = await keep_in(house.archive, identity_of, good)
    except Unreadable as error:
        return f"{name} cannot be read: {error}."
    except CommandFailed as error:
        return str(error)
    said = [f"{new} taken in", f"{len(good) - new} there already", f"{len(found) - len(good)} not right"]
    bad = next((one for one in found if isinstance(one.record, str)), None)
    first = f" Line {bad.line}: {bad.record}" if bad is not None else ""
    unproven = sum(isinstance(one.record, GameRecord) and not one.proven for one in found)
    bare = f" The deals of {unproven} are not proven." if unproven else ""
    return f"{', '.join(said)}.{bare}{first}"

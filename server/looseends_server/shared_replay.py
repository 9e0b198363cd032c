"""A finished game that several people look at together: a table at which nobody sits, and one of them leads.

Whoever may see the game may share it and is the host of its table: they say which moment is looked at, and it closes
when they leave. Everybody else comes by its code, reads the game there as its record, and may talk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from looseends_core.record import GameRecord
from looseends_protocol.messages import LookAt, LookedAt, ShareReplay, TableOptions
from looseends_protocol.people_text import BOT_PREFIX
from looseends_server.archive import unpacked
from looseends_server.facts import BotSeated, Fact, GameOpened, HostPassed, SeatTaken, TableOpened
from looseends_server.game_requests import read_games
from looseends_server.looking_back import decisions_of, played_again
from looseends_server.store.games import GamesReader
from looseends_server.table_making import open_table, why_no_table

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House
    from looseends_server.table import Table

TITLE = "A replay together"
NOBODY = 0
"""The identity on a seat of a game that is over: whoever sat there then does not sit there now."""


def share_replay(house: House, connection: Connection, message: ShareReplay) -> None:
    """Open a table that stands at the end of a finished game, with the sender to lead through it."""
    person = connection.person
    assert person is not None

    def read(reader: GamesReader) -> tuple[GameRecord | None]:
        kept = reader.record(message.game, person.identity)
        return (None if kept is None else unpacked(kept),)

    def begin(found: tuple[GameRecord | None]) -> None:
        (record,) = found
        if record is None:
            connection.refuse(message.id, "game/unknown")
        elif why_not := why_no_table(house, person.identity):
            connection.refuse(message.id, why_not)
        else:
            house.tables_in_making.append(person.identity)
            open_table(house, connection, message.id, _facts_of(house, record, person.identity), None)

    read_games(house, connection, message, read, begin)


def _facts_of(house: House, record: GameRecord, host: int) -> list[Fact]:
    options = TableOptions(title=TITLE, private=True, hint=False, replay=True)
    seats = [
        BotSeated(seat, name.removeprefix(BOT_PREFIX)) if name.startswith(BOT_PREFIX) else SeatTaken(seat, NOBODY, name)
        for seat, name in enumerate(record.players)
    ]
    return [
        TableOpened(record.rules, options, house.clock.wall(), practice=True),
        HostPassed(host),
        *seats,
        GameOpened(1, tuple(record.players)),
        *played_again(decisions_of(record)[0]),
    ]


def look_at(table: Table, connection: Connection, message: LookAt) -> None:
    """Host: lead everybody to a moment, the last one where the number is past it."""
    if not table.state.options.replay:
        connection.refuse(message.id, "replay/none")
    elif not table.is_led_by(connection):
        connection.refuse(message.id, "table/not_host")
    else:
        number = table.looking_at = min(message.number, table.state.play.number)
        connection.done(message.id)
        table.push(lambda sequence: LookedAt(sequence, number))


HALL_HANDLERS: dict[type, Callable[[House, Connection, Any], None]] = {ShareReplay: share_replay}
"""The function of the message that makes such a table."""

"""What is asked about games that are over: lists of them, their records, numbers of players, ladders.

Nothing here waits for a disk: what has to be read is read in the archive's thread, one thing at a time for each
person, and answered then. What is kept, and who may see it, is `archive`'s and the store's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from looseends_core.numbers import Numbers
from looseends_protocol.messages import (
    DeleteTraces,
    Done,
    GameLine,
    Games,
    GetGame,
    GetLeaders,
    GetNumbers,
    Leader,
    Leaders,
    LeaveLists,
    ListGames,
    NumbersLine,
    NumbersOf,
    RecordText,
    Request,
)
from looseends_protocol.people_text import BOT_PREFIX, name_key
from looseends_server.archive import record_json
from looseends_server.store.base import StoreFailed
from looseends_server.store.games import GameQuery, GameRow, GamesReader, Rating
from looseends_server.totals import strength

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House

GAMES_A_PAGE = 50
"""A page has to fit a frame."""
LEADERS = 100
"""Rungs of a ladder that are sent."""
END_OF_TIME = 1e18

_Found = TypeVar("_Found")


def list_games(house: House, connection: Connection, message: ListGames) -> None:
    """Answer with a page of finished games that the sender may see."""
    person = connection.person
    assert person is not None
    query = GameQuery(
        identity=person.identity,
        mine=message.own,
        who=_who(message.name),
        since=float(message.since),
        until=float(message.until) if message.until else END_OF_TIME,
        players=message.players,
        variants=None if message.variants is None else "+".join(sorted(message.variants)),
        offset=message.page * GAMES_A_PAGE,
        limit=GAMES_A_PAGE,
    )

    def answer(found: tuple[list[GameRow], int]) -> None:
        rows, count = found
        pages = max(1, -(-count // GAMES_A_PAGE))
        lines = tuple(game_line(row, person.identity) for row in rows)
        connection.send(Games(message.id, lines, message.page, pages))

    read_games(house, connection, message, lambda reader: reader.find(query), answer)


def game_line(row: GameRow, identity: int) -> GameLine:
    """Return a finished game as a list shows it to somebody."""
    return GameLine(
        game=row.game,
        ended_at=int(row.ended_at),
        names=tuple(seat.name for seat in row.seats),
        scores=tuple(seat.score for seat in row.seats),
        winners=tuple(at for at, seat in enumerate(row.seats) if seat.won),
        variants=variants_of(row.variants),
        origin=row.origin,
        seat=next((at for at, seat in enumerate(row.seats) if identity and seat.identity == identity), None),
        proven=row.proven,
        open_to_all=row.open_to_all,
    )


def variants_of(key: str) -> tuple[str, ...]:
    """Return the variants that numbers are kept by."""
    return tuple(key.split("+")) if key else ()


def get_game(house: House, connection: Connection, message: GetGame) -> None:
    """Answer with the record of a finished game, to those who may see it."""
    person = connection.person
    assert person is not None

    def read(reader: GamesReader) -> str:
        kept = reader.record(message.game, person.identity)
        return "" if kept is None else record_json(kept).decode()

    def answer(record: str) -> None:
        if record:
            connection.send(RecordText(message.id, record))
        else:
            connection.refuse(message.id, "game/unknown")

    read_games(house, connection, message, read, answer)


def get_numbers(house: House, connection: Connection, message: GetNumbers) -> None:
    """Answer with somebody's numbers; of somebody who is in no list they are shown to themselves alone."""
    asker = connection.person
    assert asker is not None
    who = _who(message.name) or asker.name_key
    person = house.people.by_name(who)
    hidden = person is not None and person.identity in house.archive.left_out
    totals = house.archive.totals
    name = person.name if person is not None else who
    if hidden and person is not asker:
        connection.send(NumbersOf(message.id, name))
        return
    lines = tuple(
        NumbersLine(one.players, variants_of(one.variants), msgspec.structs.astuple(one.numbers))
        for one in totals.standings_of(who)
        if one.numbers != Numbers()
    )
    rating = totals.rating_of(who)
    connection.send(NumbersOf(message.id, name, lines, None if rating is None else _hundredths(rating), hidden))


def get_leaders(house: House, connection: Connection, message: GetLeaders) -> None:
    """Answer with the top of a ladder, without those who want to be in no list."""
    leaders: list[Leader] = []
    for rating in house.archive.totals.leaders(message.ladder):
        person = house.people.by_name(rating.who)
        if person is None or person.identity not in house.archive.left_out:
            name = person.name if person is not None else rating.who
            leaders.append(Leader(name, _hundredths(rating), rating.games))
        if len(leaders) == LEADERS:
            break
    connection.send(Leaders(message.id, tuple(leaders)))


def _hundredths(rating: Rating) -> int:
    return round(100 * strength(rating))


def leave_lists(house: House, connection: Connection, message: LeaveLists) -> None:
    """Leave the sender out of every list of players, or take them in again."""
    person = connection.person
    assert person is not None
    house.archive.leave_out(person.identity, message.out, lambda error: _done(connection, message, error))


def delete_traces(house: House, connection: Connection, message: DeleteTraces) -> None:
    """Take the sender out of every finished game."""
    person = connection.person
    assert person is not None
    digits = house.entropy(8).hex()

    def deleted(error: StoreFailed | None) -> None:
        connection.games_asked = False
        _done(connection, message, error)

    if _begins(connection, message):
        house.archive.delete_traces(person.identity, person.name, digits, deleted)


def _who(name: str) -> str:
    return name if name.startswith(BOT_PREFIX) else name_key(name)


def _done(connection: Connection, message: Request, error: StoreFailed | None) -> None:
    if error is None:
        connection.send(Done(message.id))
    else:
        connection.refuse(message.id, "server/cannot_save")


def _begins(connection: Connection, message: Request) -> bool:
    """Return whether a search may begin; it may not while another of the same connection goes on."""
    if connection.games_asked:
        connection.refuse(message.id, "game/busy", retry_after=1)
        return False
    connection.games_asked = True
    return True


def read_games(
    house: House,
    connection: Connection,
    message: Request,
    what: Callable[[GamesReader], _Found],
    answer: Callable[[_Found], None],
) -> None:
    """Read in the archive's thread and answer then, or refuse where that cannot be."""

    def then(found: _Found | None) -> None:
        connection.games_asked = False
        if found is None:
            connection.refuse(message.id, "game/unreadable", retry_after=5)
        else:
            answer(found)

    if _begins(connection, message):
        house.archive.read(what, then)


HANDLERS: dict[type, Callable[[House, Connection, Any], None]] = {
    DeleteTraces: delete_traces,
    GetGame: get_game,
    GetLeaders: get_leaders,
    GetNumbers: get_numbers,
    LeaveLists: leave_lists,
    ListGames: list_games,
}
"""The function of each message about games that are over."""

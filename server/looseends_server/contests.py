"""Contests: games in which the same cards are dealt at several tables, so that results can be compared.

The deal of the day is one for everybody on the server, each alone against the same bots, once. A contest of tables is
one that a host opens: as many tables as they like with the same deals. What others made of a deal is shown to those who
have finished it. A contest has no nonces, since its deal is fixed; its commitments are published all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import msgspec

from looseends_core.record import GameRecord
from looseends_core.rules import VARIANTS, RuleSet, rule_set
from looseends_protocol.duplicate import DuplicateTable, duplicate_table
from looseends_protocol.messages import (
    Contest,
    ContestLine,
    CreateTable,
    GetContest,
    JoinTable,
    PlayDaily,
    TableOptions,
)
from looseends_server.archive import unpacked
from looseends_server.facts import BotSeated, Fact, SeatTaken, TableOpened
from looseends_server.game_requests import read_games
from looseends_server.store.games import GameRow, GamesReader
from looseends_server.table import Table
from looseends_server.table_making import new_code, open_empty_table, open_table, why_no_table
from looseends_server.table_state import DAILY
from looseends_server.turns import drawn_from

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.house import House

DAILY_PLAYERS = 4
DAILY_LEVELS: tuple[str, ...] = ("steady", "sharp", "fox")
LINES = 200
"""Games of a contest that are told: they have to fit a frame."""
_EVERY_SET = tuple(chain.from_iterable(combinations(VARIANTS, size) for size in range(len(VARIANTS) + 1)))


def today(house: House) -> date:
    """Return the day of the deal of the day, which changes at midnight UTC."""
    return datetime.fromtimestamp(house.clock.wall(), UTC).date()


def daily_rules(day: date) -> RuleSet:
    """Return the rules of a day: four players and three rounds, with every set of variants in turn."""
    return rule_set(DAILY_PLAYERS, variants=_EVERY_SET[day.toordinal() % len(_EVERY_SET)])


def play_daily(house: House, connection: Connection, message: PlayDaily) -> None:
    """Let the sender play the deal of the day, or go on with it."""
    person = connection.person
    assert person is not None
    day = today(house)
    name = f"{DAILY}{day}"
    for table in house.tables.values():
        if table.state.options.contest == name and table.state.seat_of(person.identity) is not None:
            if table.state.stage == "over":
                connection.refuse(message.id, "daily/played")
            else:
                house.handle(connection, JoinTable(message.id, table.code))
            return

    def begin(played: bool) -> None:
        if played:
            connection.refuse(message.id, "daily/played")
        elif why_not := why_no_table(house, person.identity):
            connection.refuse(message.id, why_not)
        else:
            rules = daily_rules(day)
            levels = [level if level in house.levels else next(iter(house.levels)) for level in DAILY_LEVELS]
            options = TableOptions(title=f"Deal of {day}", private=True, spectators=False, hint=False, contest=name)
            facts: list[Fact] = [
                TableOpened(rules, options, house.clock.wall(), deals=drawn_from(house.contest_secret, name)),
                SeatTaken(0, person.identity, person.name),
                *(BotSeated(seat, level) for seat, level in enumerate(levels, 1)),
            ]
            house.tables_in_making.append(person.identity)
            open_table(house, connection, message.id, facts, 0, lambda table: table.submit(table.turns.begin_game))

    def has_played(reader: GamesReader) -> bool:
        return any(seat.identity == person.identity for row, _ in reader.of_origin(name) for seat in row.seats)

    read_games(house, connection, message, has_played, begin)


def make_contest(
    house: House, connection: Connection, message: CreateTable, options: TableOptions, password: str
) -> None:
    """Make tables at which the same cards are dealt, the sender at the first."""
    person = connection.person
    assert person is not None
    codes = [new_code(house) for _ in range(message.copies)]
    deals = house.entropy(32)

    def opened(number: int) -> TableOpened:
        title = f"{options.title} {number}" if number > 1 else options.title
        contest = DuplicateTable(codes[0], number, len(codes)).contest
        named = msgspec.structs.replace(options, title=title, contest=contest)
        return TableOpened(message.rules, named, house.clock.wall(), password, deals=deals)

    def tell(table: Table) -> None:
        others = ", ".join(f"{number} {code}" for number, code in enumerate(codes[1:], 2))
        table.system_says(
            f"{person.name} plays for side A. At each table a side sits one seat further on: who plays for B types a "
            f"code and B, as in {codes[1]}-B."
        )
        table.system_says(f"The same cards are dealt at {len(codes)} tables. The others: table {others}.")

    for number, code in enumerate(codes[1:], 2):
        open_empty_table(house, [opened(number)], code)
    facts: list[Fact] = [opened(1), SeatTaken(0, person.identity, person.name)]
    open_table(house, connection, message.id, facts, 0, tell, codes[0])


def get_contest(house: House, connection: Connection, message: GetContest) -> None:
    """Answer with how a contest went, to those who have finished a game of it."""
    person = connection.person
    assert person is not None
    name = message.contest or f"{DAILY}{today(house)}"
    duplicate = duplicate_table(name)
    origins = [name] if duplicate is None else [table.contest for table in duplicate.all]

    def read(reader: GamesReader) -> list[tuple[GameRow, GameRecord]]:
        games = [game for origin in origins for game in reader.of_origin(origin)]
        if not any(seat.identity == person.identity for row, _ in games for seat in row.seats):
            return []
        best = sorted(games, key=lambda game: -_best_of_people(game[0]))[:LINES]
        return [(row, unpacked(kept)) for row, kept in best]

    def answer(games: Sequence[tuple[GameRow, GameRecord]]) -> None:
        if not games:
            connection.refuse(message.id, "contest/closed")
            return
        lines = tuple(
            _line(row, record, person.identity)
            for row, record in games
            if not _wants_no_list(row, person.identity, house.archive.left_out)
        )
        connection.send(Contest(message.id, name, games[0][1].rules, lines))

    read_games(house, connection, message, read, answer)


def _best_of_people(row: GameRow) -> int:
    return max((seat.score for seat in row.seats if seat.identity), default=-(10**6))


def _wants_no_list(row: GameRow, asker: int, left_out: set[int]) -> bool:
    people = {seat.identity for seat in row.seats if seat.identity}
    return asker not in people and bool(people & left_out)


def _line(row: GameRow, record: GameRecord, identity: int) -> ContestLine:
    duplicate = duplicate_table(row.origin)
    return ContestLine(
        number=0 if duplicate is None else duplicate.number,
        game=row.game,
        names=tuple(seat.name for seat in row.seats),
        scores=tuple(seat.score for seat in row.seats),
        deltas=tuple(played.delta or () for played in record.rounds),
        seat=next((at for at, seat in enumerate(row.seats) if seat.identity == identity), None),
    )


HANDLERS: dict[type, Callable[[House, Connection, Any], None]] = {GetContest: get_contest, PlayDaily: play_daily}
"""The function of each message about contests."""

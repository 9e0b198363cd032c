"""`looseends games`: the games that were finished, listed, shown, taken out and taken in.

Where they are kept is `own_games`'s; what is right in a record is the core's.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import App, Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_error, print_line
from looseends_client.commands.record_texts import Unreadable, checked_names
from looseends_client.examples import examples_text

if TYPE_CHECKING:
    from looseends_client.commands.own_games import OwnGame, OwnGames
    from looseends_core.record import GameRecord

SOME_BAD = 1
"""Exit code of `import` where a record was not right, and of `show` and `export` where there is no such game."""

Folder = Annotated[
    Path | None, Parameter(help="The folder that holds the games, where it is not the usual one of this user.")
]

games = App(
    name="games",
    help="List, show, export and import the games that you finished alone.",
    help_epilogue=examples_text(
        "looseends games list --with bot:fox --since 2026-11-01",
        "looseends games show 1-17",
        "looseends games export all.jsonl",
        "looseends games import friends.jsonl",
    )
    + "\nGames on a server are listed in the client: `looseends join`, then g.\n",
)


@games.command(name="list")
def list_games(
    *,
    player: Annotated[str, Parameter(name="--with")] = "",
    since: str = "",
    until: str = "",
    players: int = 0,
    variant: Annotated[tuple[str, ...] | None, Parameter(negative=())] = None,
    page: int = 1,
    folder: Folder = None,
) -> int:
    """List finished games, newest first, fifty a page.

    Parameters
    ----------
    player
        Only games in which somebody of this name played, or a bot such as bot:fox.
    since
        Only games that ended on this day or later, as 2026-11-30.
    until
        Only games that ended on this day or before.
    players
        Only games of so many players, 2 to 5.
    variant
        Only games with this variant and those of the other times the option is given, and no others; `none` for games
        without any.
    page
        Which page, from 1.
    """
    from looseends_server.archive import who_is
    from looseends_server.game_requests import GAMES_A_PAGE
    from looseends_server.store.games import GameQuery

    if page < 1:
        raise CommandFailed(f"--page is a number from 1 on, not {page}.")
    query = GameQuery(
        0,
        mine=False,
        see_all=True,
        who=who_is(player) if player else "",
        since=_day(since, "--since").timestamp() if since else 0.0,
        until=(_day(until, "--until") + timedelta(days=1)).timestamp() if until else 1e18,
        players=players,
        variants=None if variant is None else "+".join(sorted({*variant} - {"none"})),
        offset=(page - 1) * GAMES_A_PAGE,
        limit=GAMES_A_PAGE,
    )
    with closing(_own(folder)) as own:
        found, count = own.find(query)
    for game in found:
        print_line(_line(game))
    shown = f", page {page} of {max(1, -(-count // GAMES_A_PAGE))}" if count > len(found) else ""
    print_line(f"{count} {'game' if count == 1 else 'games'}{shown}")
    return 0


@games.command
def show(key: str, /, *, folder: Folder = None) -> int:
    """Show one game, round by round.

    Parameters
    ----------
    key
        What `games list` puts in front of it, such as 1-17.
    """
    from looseends_core.numbers import results_of_game

    record = _named(key, folder)
    width = max(len(name) for name in record.players)
    variants = ", ".join(record.rules.variants) or "no variants"
    print_line(f"Game {key}: {record.rules.players} players, {variants}")
    for number, sheet in enumerate(results_of_game(record), 1):
        print_line(f"Round {number}")
        for name, result in zip(record.players, sheet, strict=True):
            notes = [
                f"{result.covered} covered",
                f"{result.loose_ends} loose",
                f"{result.tricks} tricks",
                "snitched" if result.snitched else "",
                "Perfect Crime" if result.perfect_crime else "",
            ]
            print_line(f"  {name:<{width}}  {_signed(result.points):>4}  {', '.join(filter(None, notes))}")
    assert record.scores is not None
    assert record.winners is not None
    print_line("Final")
    for seat, name in enumerate(record.players):
        print_line(f"  {name:<{width}}  {record.scores[seat]:4d}{'  won' if seat in record.winners else ''}")
    unproven = [str(at) for at, played in enumerate(record.rounds, 1) if played.fairness is None]
    print_line(f"The deal of round {', '.join(unproven)} is not proven." if unproven else "Every deal is proven.")
    return 0


@games.command
def numbers(name: str = "", /, *, folder: Folder = None) -> int:
    """Say what finished games add up to.

    Parameters
    ----------
    name
        Whose; everybody's where none is named.
    """
    from looseends_server.archive import who_is

    wanted = who_is(name) if name else ""
    with closing(_own(folder)) as own:
        standings = [one for one in own.standings() if not wanted or one.who == wanted]
    for one in standings:
        sums = one.numbers
        rules = f"{one.players} players" + (f", {one.variants}" if one.variants else "")
        print_line(
            f"{one.who}  {rules}: {sums.games} games, {sums.wins} won, mean {sums.points / sums.games:.1f}, "
            f"{sums.perfect_crimes} Perfect Crimes, {sums.snitches_made} of {sums.snitches} snitches, "
            f"{sums.exact} of {sums.bidding} bids exact, {sums.loose_ends / sums.rounds:.2f} loose ends a round"
        )
    if not standings:
        print_line("No games.")
    return 0


@games.command
def export(file: Annotated[str, Parameter(allow_leading_hyphen=True)], /, *keys: str, folder: Folder = None) -> int:
    """Write the records of games into a file, one a line, as `looseends verify` reads them.

    Parameters
    ----------
    file
        The file to make; it must not exist yet. `-` is standard output.
    keys
        The games, as `games list` names them; all where none is named.
    """
    from looseends_core.record import record_to_json

    records = (_named(key, folder) for key in keys) if keys else _all(folder)
    count = 0
    if file == "-":
        for record in records:
            sys.stdout.write(msgspec.json.encode(record_to_json(record)).decode() + "\n")
        return 0
    chosen = list(records) if keys else records
    try:
        with Path(file).open("xb") as made:
            for record in chosen:
                made.write(msgspec.json.encode(record_to_json(record)) + b"\n")
                count += 1
    except FileExistsError:
        raise CommandFailed(f"{file} is there already and stays as it is: name another file.") from None
    print_line(f"Wrote {count} {'game' if count == 1 else 'games'} to {file}. `looseends verify {file}` proves them.")
    return 0


@games.command(name="import")
def import_games(
    *files: Annotated[str, Parameter(required=True, allow_leading_hyphen=True)], folder: Folder = None
) -> int:
    """Take in finished games from records of anywhere, each verified first.

    One line says of each bad record where it goes wrong, and of each good one whose deals nothing proves that it is
    so. Exit code 0: all of them are in. 1: some were not right.

    Parameters
    ----------
    files
        Files of records, one JSON object in a .json file, one a line in a .jsonl file. - is standard input.
    """
    from looseends_client.commands.finished_records import finished_records
    from looseends_client.commands.own_games import keep_records

    good: list[GameRecord] = []
    bad = 0
    for name in checked_names("games import", files):
        try:
            for found in finished_records(name):
                if isinstance(found.record, str):
                    bad += 1
                    print_error(f"{name}:{found.line}: {found.record}")
                    continue
                if not found.proven:
                    print_line(f"{name}:{found.line}: right, but the deal is not proven")
                good.append(found.record)
        except Unreadable as error:
            raise CommandFailed(f"{name} cannot be read: {error}.") from error
    new = asyncio.run(keep_records(games_folder(folder), good)) if good else 0
    there = len(good) - new
    print_line(f"{new} taken in, {there} there already, {bad} not right")
    return SOME_BAD if bad else 0


def games_folder(folder: Path | None) -> Path:
    """Return the folder that holds the games: the one that was named, or the usual one of this user."""
    from platformdirs import user_data_path

    return folder if folder is not None else user_data_path("looseends", appauthor=False)


def _own(folder: Path | None) -> OwnGames:
    from looseends_client.commands.own_games import OwnGames

    return OwnGames(games_folder(folder))


def _all(folder: Path | None) -> Iterator[GameRecord]:
    with closing(_own(folder)) as own:
        yield from own.records()


def _named(key: str, folder: Path | None) -> GameRecord:
    with closing(_own(folder)) as own:
        record = own.record(key)
    if record is None:
        raise CommandFailed(f"There is no game {key}: `looseends games list` names them.", SOME_BAD)
    return record


def _line(game: OwnGame) -> str:
    row = game.row
    when = datetime.fromtimestamp(row.ended_at, UTC).astimezone()
    seats = ", ".join(f"{seat.name} {seat.score}{'*' if seat.won else ''}" for seat in row.seats)
    notes = [row.variants, "" if row.proven else "not proven", "imported" if row.origin == "import" else ""]
    extra = "".join(f"  [{note}]" for note in notes if note)
    return f"{game.key:>6}  {when:%Y-%m-%d %H:%M}  {seats}{extra}"


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _day(text: str, option: str) -> datetime:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        try:
            return datetime.fromisoformat(text).astimezone()
        except ValueError:
            pass
    raise CommandFailed(f"{option} takes a day such as 2026-11-30, not {text!r}.")

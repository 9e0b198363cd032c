"""`looseends play`: a game against bots, on a server of its own inside this very process.

The server, its store and its protocol are the ones that others join over the network; only the socket is missing. A
game that was left in the middle is in its folder and offered again.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.on_terminal import run_on_terminal
from looseends_client.commands.rule_options import line_up_of_option, rules_of_options
from looseends_client.commands.terminal_options import (
    NO_OPTIONS,
    TerminalOptions,
    found_settings,
    set_up_terminal,
)
from looseends_client.plain.wording import CardStyle
from looseends_client.settings import DEFAULT_BOTS
from looseends_client.terminal import has_terminal, login_name
from looseends_core.bots import LEVELS
from looseends_core.rules import DEFAULT_ROUNDS
from looseends_protocol.people_text import NameInvalid, person_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from looseends_client.game_client import GameClient
    from looseends_client.starting import AppSettings
    from looseends_client.visits import TableWish
    from looseends_server.house import House

DEFAULT_PACE = 600
MOST_AT_ONCE = 32
"""Games of one user that can be open in as many terminals."""


def play(
    *,
    players: int = 4,
    variant: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    scoring: str = "standard",
    rounds: int = DEFAULT_ROUNDS,
    bots: str | None = None,
    name: str | None = None,
    pace: int = DEFAULT_PACE,
    terminal: TerminalOptions = NO_OPTIONS,
    coach: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    tutorial: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    plain: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    cards: CardStyle = "letters",
) -> int:
    """Play a game against bots.

    A game that you leave is kept, and offered when you come again. Everything is done from the keyboard; ? shows all
    keys, i the rules.

    Parameters
    ----------
    players
        How many sit at the table, you among them: 2 to 5.
    variant
        A variant to play with: double-cross, getaway or plan-b. Give the option again for another.
    scoring
        standard, simplified, or five whole numbers: the points for a covered bid card, a loose end, a loose end in a
        round with a successful snitch, a Perfect Crime and a successful snitch, as in 2,-1,-2,5,10.
    rounds
        Rounds of the game, 1 to 20.
    bots
        The levels of the others, with commas: rookie, steady, sharp, fox. Fewer than there are seats are repeated in
        order; those of your settings, steady,rookie,sharp at first, if not given.
    name
        Your name at the table: that of your settings, or your login name, if not given.
    pace
        Milliseconds that a bot waits before it acts, so that you can follow: 0 to 5000.
    coach
        Be asked "are you sure?", at most once a trick, before a move that costs more than a point on average; on the
        full screen alone. Hints (h) are there without it too.
    tutorial
        Learn the game first, in three minutes at a real table; the same as `looseends learn`.
    plain
        Play in lines of text instead of on a full screen: for a screen reader, a serial line, a pipe or a script.
    cards
        With --plain: cards as letters (R9), words (red 9) or shapes, which need Unicode.
    """
    rules = rules_of_options(players, variant, scoring, rounds=rounds)
    seats = players - 1
    found = found_settings(terminal)
    usual = [name for name in found.settings.bots if name in LEVELS] or DEFAULT_BOTS
    levels = tuple(level.name for level in line_up_of_option(bots or ",".join(usual[:seats]), seats))
    if not 0 <= pace <= 5000:
        raise CommandFailed(f"--pace must be a whole number from 0 to 5000 milliseconds, not {pace}.")
    try:
        chosen = person_name(name) if name is not None else found.settings.name or own_name()
    except NameInvalid as error:
        raise CommandFailed(f"--name: {error}") from error
    if tutorial and plain:
        raise CommandFailed("--tutorial is a full screen: leave --plain away, or read the rules in lines with `rules`.")
    if coach and plain:
        raise CommandFailed("--coach asks on the full screen: leave --plain away, or ask for hints with `hint`.")
    settings = None if plain else set_up_terminal("looseends play", found, is_terminal=has_terminal())
    # Imported from here on: the user interface, which the checks above must not wait for.
    from looseends_client.visits import PRACTICE, TableWish
    from looseends_protocol.messages import TableOptions

    wish = TableWish(rules, TableOptions(title=PRACTICE, private=True, bots=pace), levels, coach=coach)
    if settings is None:
        return asyncio.run(_play_in_lines(wish, chosen, cards))
    # Whoever gives options knows what they want.
    given = (players, variant, scoring, rounds, bots, name, pace, terminal, coach)
    newcomer = given == (4, (), "standard", DEFAULT_ROUNDS, None, None, DEFAULT_PACE, NO_OPTIONS, False)
    return asyncio.run(run_alone(wish, chosen, settings, lesson=int(tutorial), offer_lessons=newcomer))


def own_name() -> str:
    """Return what this person is called where they did not say: the others at the table are bots and do not mind."""
    try:
        return person_name(login_name())
    except NameInvalid:
        return "you"


async def run_alone(
    wish: TableWish, name: str, settings: AppSettings, *, lesson: int = 0, offer_lessons: bool = False
) -> int:
    """Run the user interface on a server of this process alone; return the exit code.

    It begins with a lesson where one is named, and else with the wish; `offer_lessons` offers the lessons before it to
    somebody who has never played here.
    """
    from looseends_client.app import LooseEndsApp
    from looseends_client.commands.finished_records import take_in
    from looseends_client.commands.join import dial
    from looseends_client.commands.school import school_of
    from looseends_client.starting import StartAlone

    async with AsyncExitStack() as stack:
        newcomer = offer_lessons and not _has_played()
        client, house = await _at_home(stack, name)
        app = LooseEndsApp(
            client,
            StartAlone(wish, lesson, newcomer),
            settings=settings,
            dial=dial,
            entropy=secrets.token_bytes,
            school=school_of(client, wish.options.bots),
            take_in=lambda file: take_in(house, file),
        )
        return await run_on_terminal(app)


def _has_played() -> bool:
    """Return whether this user has had a table of their own on this machine."""
    return next(_state_folder().glob("solo-*"), None) is not None


async def _play_in_lines(wish: TableWish, name: str, cards: CardStyle) -> int:
    from looseends_client.commands.on_lines import run_on_lines
    from looseends_client.plain.conversation import Conversation
    from looseends_client.plain.line_mode import LineMode
    from looseends_client.plain.standard_channel import StandardChannel
    from looseends_client.starting import StartAlone

    async with AsyncExitStack() as stack:
        client, _ = await _at_home(stack, name)
        talk = Conversation(StandardChannel())
        return await run_on_lines(LineMode(talk, client, StartAlone(wish), style=cards, bots=DEFAULT_BOTS))


async def _at_home(stack: AsyncExitStack, name: str) -> tuple[GameClient, House]:
    """Return a client that is connected to a server inside this process, and the server; both close with the stack."""
    from looseends_client.game_client import GameClient
    from looseends_client.token_store import TokenStore
    from looseends_server.memory_transport import connect_in_memory

    house, folder = await _open_house(stack)

    async def connector(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
        return connect_in_memory(house.connection(), make())

    tokens = TokenStore(folder / "tokens")
    client = GameClient(
        connector,
        name=name,
        token=tokens.token_for("solo", name),
        keep_token=lambda kept, token: tokens.keep("solo", name, token),
    )
    stack.push_async_callback(client.close)
    await _sit_at_home(client)
    return client, house


async def _sit_at_home(client: GameClient) -> None:
    """Connect to the own server, under another name where token or name do not fit what it remembers."""
    from looseends_client.arrival import NotLetIn, arrive

    while True:
        try:
            await arrive(client, "your own table")
            return
        except NotLetIn as error:
            if not error.suggestion:
                raise CommandFailed(str(error), 1) from error
            client.call_me(error.suggestion)


def _state_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("looseends", appauthor=False)


async def _open_house(stack: AsyncExitStack) -> tuple[House, Path]:
    """Open the first house of this user's that no other terminal has open."""
    from looseends_server.house import House
    from looseends_server.limits import Limits, Pace, ServerSettings
    from looseends_server.logs import log_to
    from looseends_server.store.base import StoreInUse, StoreUnusable

    # Nobody else waits here, so the next round waits for its one player, and no message or game of theirs is one too
    # many.
    settings = ServerSettings(
        name="your own table",
        limits=Limits(burst_messages=200, resyncs=200, tables_per_person=2_000),
        pace=Pace(ready_seconds=None),
    )
    base = _state_folder()
    for number in range(1, MOST_AT_ONCE + 1):
        folder = base / f"solo-{number}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            log_to(stack.enter_context((folder / "log.jsonl").open("a", encoding="utf-8")), "warning", as_json=True)
            house = await House.open(folder, settings)
        except StoreInUse:
            continue
        except (StoreUnusable, OSError) as error:
            raise CommandFailed(f"The games kept in {folder} cannot be used: {error}", 1) from error
        stack.push_async_callback(house.close)
        return house, folder
    raise CommandFailed(f"{MOST_AT_ONCE} games are open already: leave one first.", 1)

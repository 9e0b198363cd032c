"""`looseends bot`: a level or a program of somebody else plays real games over TCP, at tables of a real server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import secrets
import shlex
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from looseends_client import game_client
from looseends_client.connector import tcp_connector
from looseends_client.game_client import GameClient
from looseends_client.programs.program import can_run_programs
from looseends_client.seated_bot import SeatedBot, TableGone
from looseends_client.visits import TableWish, Visits
from looseends_core.actions import Action
from looseends_core.bots import LEVELS
from looseends_core.rules import VARIANTS, rule_set
from looseends_core.state import State
from looseends_protocol.messages import TableOptions
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from tests.client.command import run

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "program_bot.py"
PATIENCE = 60
"""Seconds after which a game that goes on is a fault; one takes less than two."""
SHORT = rule_set(2, VARIANTS, rounds=2, hand_size=6)
FAST = TableOptions(bots=0)
needs_processes = pytest.mark.skipif(not can_run_programs(), reason="no process groups on this system")


@pytest.fixture
async def house() -> AsyncIterator[House]:
    house = await House.open(None, ServerSettings(limits=Limits(burst_messages=10_000)))
    try:
        yield house
    finally:
        await house.close()


@pytest.fixture
async def port(house: House) -> int:
    return await house.listen("127.0.0.1", 0)


class Host:
    """Makes a table, starts when it is full, and plays at random until it is told to stop."""

    def __init__(self, port: int, name: str = "ann") -> None:
        self.client = GameClient(tcp_connector("127.0.0.1", port), name=name)
        self.news = asyncio.Event()
        self.visits = Visits(secrets.token_bytes, self.news.set, lambda text: None)
        self.games = 0
        self.rng = random.Random(1)

    async def open_table(self, password: str = "", options: TableOptions = FAST) -> str:
        self.client.on_push = self.visits.take
        await self.client.connect()
        await self.visits.make(self.client, TableWish(SHORT, options, password=password))
        assert self.visits.attendance is not None
        return self.visits.attendance.model.code

    async def play(self, games: int, *, until: Callable[[State], bool] = lambda state: False) -> list[str]:
        """Play so many games and return the names at the table, or stop as soon as something holds of the state."""
        assert self.visits.attendance is not None
        at, said = self.visits.attendance, (0, 0)
        async with asyncio.timeout(PATIENCE):
            while True:
                model = at.model
                names = [seat.name for seat in model.seats]
                if model.phase != "gathering" and until(model.state):
                    return names
                if model.phase == "gathering" and all(seat.kind == "person" for seat in model.seats):
                    await at.start()
                elif model.my_turn:
                    await at.act(self.rng.choice(model.legal()))
                elif model.phase in ("between", "over") and said != (model.game, model.state.round):
                    said = (model.game, model.state.round)
                    self.games += model.phase == "over"
                    if self.games == games:
                        return names
                    await at.be_ready()
                await self.news.wait()
                self.news.clear()


@pytest.fixture
async def host(port: int) -> AsyncIterator[Host]:
    host = Host(port)
    yield host
    await host.client.close()


class Bot:
    """`looseends bot` in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def ends(self) -> tuple[int, str, str]:
        out, errors = await asyncio.wait_for(self.process.communicate(), PATIENCE)
        assert self.process.returncode is not None
        return self.process.returncode, out.decode(), errors.decode()


@contextlib.asynccontextmanager
async def bot(port: int, *options: str, environment: dict[str, str] | None = None) -> AsyncIterator[Bot]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "looseends_client", "bot", "--join", f"127.0.0.1:{port}", *options),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | (environment or {}),
    )
    try:
        yield Bot(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_a_level_plays_a_game_and_its_rematch_and_leaves(port: int, host: Host) -> None:
    code = await host.open_table()
    async with bot(port, "--table", code.lower(), "--level", "steady", "--games", "2") as mine:
        assert mine.process.stdout is not None
        # Said at once, also into a pipe.
        assert (
            await asyncio.wait_for(mine.process.stdout.readline(), PATIENCE) == f"At table {code} as steady.\n".encode()
        )
        assert await host.play(2) == ["ann", "steady"]
        exit_code, out, errors = await mine.ends()
    assert (exit_code, errors) == (0, "")
    lines = out.splitlines()
    assert host.visits.attendance is not None
    ann, steady = host.visits.attendance.model.state.scores
    assert lines[1] == f"Game over: ann {ann}, steady {steady}."
    assert [line.partition(":")[0] for line in lines] == ["Game over", "Game over"]


@needs_processes
async def test_a_program_plays_a_whole_game_and_nothing_is_chosen_in_its_place(port: int, host: Host) -> None:
    code = await host.open_table()
    command = shlex.join([sys.executable, str(EXAMPLE)])
    async with bot(port, "--table", code, "--command", command, "--name", "example", "--games", "1") as mine:
        assert await host.play(1) == ["ann", "example"]
        assert (await mine.ends())[::2] == (0, "")


@needs_processes
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import sys\nfor line in sys.stdin: print('no idea', flush=True)", "which is no action"),
        ("import sys\nsys.stdin.readline()", "ended: steady chooses, and it is started anew."),
        ("import signal\nsignal.pause()", "took more than 0.25 seconds"),
        ("print('x' * 100000, flush=True)", "wrote a line of more than 4096 bytes"),
    ],
    ids=["garbage", "ends", "never-answers", "floods"],
)
async def test_a_program_that_fails_is_replaced_and_the_game_goes_on(
    port: int, host: Host, tmp_path: Path, source: str, reason: str
) -> None:
    script = tmp_path / "program.py"
    script.write_text(source)
    # With a clock the turn's own time is the limit, also of the first answer.
    code = await host.open_table(options=TableOptions(bots=0, clock_seconds=1))
    command = shlex.join([sys.executable, "-S", str(script)])
    async with bot(port, "--table", code, "--command", command, "--limit", "0.1", "--games", "1") as mine:
        await host.play(1)
        exit_code, out, errors = await mine.ends()
    assert exit_code == 0
    assert "Game over" in out
    assert reason in errors


async def test_ctrl_c_leaves_the_table_for_good_and_the_game_goes_on_without_it(
    port: int, host: Host, house: House
) -> None:
    code = await host.open_table()
    async with bot(port, "--table", code, "--level", "rookie") as mine:
        await host.play(1, until=lambda state: state.round > 0)
        mine.process.send_signal(signal.SIGINT)
        assert (await mine.ends())[0] == 130
    await host.play(1)
    assert host.visits.attendance is not None
    assert host.visits.attendance.model.seats[1].stand_in


@needs_processes
async def test_ctrl_c_does_not_wait_for_a_program_that_thinks(port: int, host: Host, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    asked = tmp_path / "asked"
    os.mkfifo(asked)
    script.write_text(f"import sys, signal\nsys.stdin.readline()\nopen({str(asked)!r}, 'w').write('1')\nsignal.pause()")
    code = await host.open_table()
    command = shlex.join([sys.executable, "-S", str(script)])
    async with bot(port, "--table", code, "--command", command, "--limit", "3600") as mine:
        playing = asyncio.create_task(host.play(1))
        assert await asyncio.wait_for(asyncio.to_thread(asked.read_text), PATIENCE) == "1"
        mine.process.send_signal(signal.SIGINT)
        assert (await mine.ends())[0] == 130
        playing.cancel()


async def test_a_table_with_a_password_takes_it_from_the_environment(port: int, host: Host) -> None:
    code = await host.open_table("open sesame")
    async with bot(port, "--table", code, "--level", "rookie") as mine:
        exit_code, out, errors = await mine.ends()
    assert (exit_code, out) == (1, "")
    assert errors.startswith("looseends: ")
    environment = {"LOOSEENDS_TABLE_PASSWORD": "open sesame"}
    async with bot(port, "--table", code, "--level", "rookie", "--games", "1", environment=environment) as mine:
        await host.play(1)
        assert (await mine.ends())[0] == 0


async def test_who_cannot_get_to_the_table_is_told_why(port: int, host: Host) -> None:
    await host.open_table()
    async with bot(port, "--table", "0000000000", "--level", "rookie") as mine:
        exit_code, out, errors = await mine.ends()
    assert (exit_code, out) == (1, "")
    assert len(errors.splitlines()) == 1
    async with bot(port, "--table", "0000000000", "--level", "rookie", "--name", "ann") as mine:
        assert "ann" in (await mine.ends())[2]


async def test_a_bot_that_is_sent_away_says_so(port: int, host: Host) -> None:
    code = await host.open_table()
    async with bot(port, "--table", code, "--level", "rookie") as mine:
        assert host.visits.attendance is not None
        model = host.visits.attendance.model
        async with asyncio.timeout(PATIENCE):
            while model.seats[1].kind == "open":
                host.news.clear()
                await host.news.wait()
        await host.visits.attendance.unseat(1)
        exit_code, _, errors = await mine.ends()
    assert exit_code == 1
    assert errors.startswith("looseends: ")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "say with --level or --command who plays"),
        (["--level", "fox", "--command", "x"], "say with --level or --command who plays"),
        (["--level", "ace"], "--level must be among rookie, steady"),
        (["--command", "./no-such-bot"], "--command: "),
        (["--level", "fox", "--games", "0"], "--games must be 1 or more"),
        (["--level", "fox", "--limit", "0"], "--limit must be from 0.01"),
        (["--level", "fox", "--table", ""], "say with --table at which table"),
        (["--level", "fox", "--name", "x" * 30], "--name: "),
        (["--level", "fox", "--join", "http://x"], "is no address of a server"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(options: list[str], expected: str) -> None:
    before = [] if "--join" in options else ["--join", "127.0.0.1:1"]
    before += [] if "--table" in options else ["--table", "K7QP000000"]
    done = run("bot", *before, *options)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert expected in done.err


# Without a process of its own: what happens when the line breaks, and when a choice comes too late.


class Seated:
    """A `SeatedBot` at a host's table, on a connection that a test can cut."""

    def __init__(self, port: int, choose: Any) -> None:
        self.transports: list[asyncio.Transport] = []
        connect = tcp_connector("127.0.0.1", port)

        async def noted(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
            self.transports.append(await connect(make))
            return self.transports[-1]

        self.tokens: list[bytes] = []
        self.client = GameClient(noted, name="mybot", keep_token=lambda _name, token: self.tokens.append(token))
        self.told: list[str] = []
        self.bot = SeatedBot(self.client, choose, random.Random(1), self.told.append, secrets.token_bytes)


def rookie(view: State, rng: random.Random, _within: float | None) -> Action:
    return LEVELS["rookie"].choose(view, rng)


async def test_a_lost_connection_is_gone_back_on_and_the_game_is_played_to_its_end(
    port: int, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_client, "FIRST_WAIT_SECONDS", 0.0)
    code = await host.open_table()
    loop = asyncio.get_running_loop()
    asked = 0

    def choose(view: State, rng: random.Random, within: float | None) -> Action:
        nonlocal asked
        asked += 1
        if asked in (1, 4):
            loop.call_soon_threadsafe(seated.transports[-1].abort)
        return rookie(view, rng, within)

    seated = Seated(port, choose)
    await seated.client.connect()
    playing = asyncio.create_task(seated.bot.play(code, games=1))
    await host.play(1)
    await asyncio.wait_for(playing, PATIENCE)
    await seated.client.close()
    assert len(seated.transports) == 3
    assert seated.told.count("The connection is back.") == 2
    assert seated.told[-1].startswith("Game over: ")


async def test_a_server_that_ends_the_connection_for_good_ends_the_bot(port: int, host: Host, house: House) -> None:
    code = await host.open_table()
    seated = Seated(port, rookie)
    await seated.client.connect()
    playing = asyncio.create_task(seated.bot.play(code))
    await host.play(1, until=lambda state: state.round > 0)
    elsewhere = GameClient(tcp_connector("127.0.0.1", port), token=seated.tokens[0])
    await elsewhere.connect()
    with pytest.raises(TableGone):
        await asyncio.wait_for(playing, PATIENCE)
    await elsewhere.close()
    await seated.client.close()


async def test_a_choice_for_a_turn_that_is_over_is_not_sent(port: int, host: Host) -> None:
    """The turn runs out, the server acts, and what was chosen then is for a state that is no more."""
    code = await host.open_table(options=TableOptions(bots=0, clock_seconds=1))
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    withins: list[float | None] = []

    def choose(view: State, rng: random.Random, within: float | None) -> Action:
        withins.append(within)
        if len(withins) == 1:
            asyncio.run_coroutine_threadsafe(over.wait(), loop).result(PATIENCE)
        return rookie(view, rng, within)

    seated = Seated(port, choose)
    await seated.client.connect()
    playing = asyncio.create_task(seated.bot.play(code, games=1))
    number = await turn_taken_for(host, 1)
    over.set()
    await host.play(1)
    await asyncio.wait_for(playing, PATIENCE)
    await seated.client.close()
    assert number > 0
    assert withins[0] == 0.25
    assert seated.told[-1].startswith("Game over: ")


async def turn_taken_for(host: Host, seat: int) -> int:
    """Return the state number at which the server has taken a turn of this seat."""
    was_due: list[int] = []

    def taken(state: State) -> bool:
        if state.turn == seat and not was_due:
            was_due.append(state.number)
        return bool(was_due) and state.number > was_due[0]

    await host.play(1, until=taken)
    return was_due[0]

"""What `looseends bench server --bare` measures beside ours: a server that reads a move and writes it to everybody at
the same table, and its load. No rules, no journal, no limits, no messages: the sockets and the loop alone.

`serve SEATS` says its port first, `load PORT TABLES SEATS` begins at once; both answer each line on stdin with a line
of JSON, and end with their stdin.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
from collections.abc import Callable
from functools import partial
from typing import cast

import msgspec

from looseends_server.fast_loop import run_in_fast_loop

MOVE = bytes(36)
"""As many bytes as a move of ours sends to the server."""
PUSH = bytes(46)
"""As many bytes as each client is sent of a move."""
SEATED = bytes(1)


class Spent(msgspec.Struct, frozen=True):
    """What a process did and used since its start."""

    moves: int
    cpu_seconds: float


class Relay(asyncio.Protocol):
    """One connection of the server. `table` has the transports of everybody at the table, the own one included."""

    moves = 0
    """Of all connections together."""

    def __init__(self, table: list[asyncio.Transport]) -> None:
        self._table = table

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sit down, and say so: who is not there yet would miss the first move, and wait for ever."""
        taken = cast("asyncio.Transport", transport)  # uvloop's are no subclass of it
        self._table.append(taken)
        taken.write(SEATED)

    def data_received(self, data: bytes) -> None:
        """Write a move to everybody."""
        Relay.moves += 1
        for transport in self._table:
            transport.write(PUSH)


class Player(asyncio.Protocol):
    """One connection of the load: it moves when as many moves were heard as bring the turn to its seat."""

    moves = 0
    """Of all connections together."""

    def __init__(self, seat: int, seats: int) -> None:
        self._seat = seat
        self._seats = seats
        self._bytes = 0
        self.seated = asyncio.Event()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sit down."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass of it

    def data_received(self, data: bytes) -> None:
        """Hear moves, each of which is one push; the first thing heard is that the server has this connection."""
        if not self.seated.is_set():
            self.seated.set()
            return
        self._bytes += len(data)
        if self._bytes % len(PUSH) == 0 and self._bytes // len(PUSH) % self._seats == self._seat:
            self.move()

    def move(self) -> None:
        """Send a move."""
        Player.moves += 1
        assert self._transport is not None
        self._transport.write(MOVE)


async def _serve(seats: int) -> None:
    tables: list[list[asyncio.Transport]] = []
    taken = 0

    def relay() -> Relay:
        nonlocal taken
        if taken % seats == 0:
            tables.append([])
        taken += 1
        return Relay(tables[-1])

    server = await asyncio.get_running_loop().create_server(relay, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await _telling(lambda: Relay.moves)


async def _load(port: int, tables: int, seats: int) -> None:
    loop = asyncio.get_running_loop()
    first: list[Player] = []
    for _ in range(tables):
        for seat in range(seats):
            _, player = await loop.create_connection(partial(Player, seat, seats), "127.0.0.1", port)
            await player.seated.wait()
            if seat == 0:
                first.append(player)
    for player in first:
        player.move()
    await _telling(lambda: Player.moves)


async def _telling(moves: Callable[[], int]) -> None:
    """Answer each line on stdin until there are no more."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: _Stdin(lines), sys.stdin)
    while await lines.readline():
        usage = resource.getrusage(resource.RUSAGE_SELF)
        spent = Spent(moves(), usage.ru_utime + usage.ru_stime)
        sys.stdout.buffer.write(msgspec.json.encode(spent) + b"\n")
        sys.stdout.buffer.flush()


class _Stdin(asyncio.StreamReaderProtocol):
    """Ends the process with its stdin, whatever it waits for."""

    def connection_lost(self, exc: Exception | None) -> None:
        os._exit(0)


def main() -> None:
    """Be the server or the load, as the arguments say."""
    role, *numbers = sys.argv[1:]
    if role == "serve":
        run_in_fast_loop(_serve(int(numbers[0])))
    else:
        port, tables, seats = (int(number) for number in numbers)
        run_in_fast_loop(_load(port, tables, seats))


if __name__ == "__main__":
    main()

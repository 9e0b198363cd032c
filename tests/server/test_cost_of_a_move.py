"""What a move costs, counted and not timed: encodings, writes and commits, so that none of them comes in unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from looseends_core.state import Phase
from looseends_protocol import frames
from looseends_protocol.messages import Answer, Attending, Push, WatchTable
from looseends_server import facts
from looseends_server.house import House
from looseends_server.memory_transport import MemoryTransport
from looseends_server.store.base import Change, StoreFailed
from looseends_server.store.committing import Committer
from looseends_server.store.sqlite import SqliteStore
from tests.server.peers import Peer, arrive, open_house, seated_table, settled, start


class CountingEncoder:
    """Encodes as msgspec does and counts what the server encodes, by the kind of message."""

    def __init__(self, counted: Counter[str], what: Callable[[Any], str]) -> None:
        self._encoder = msgspec.msgpack.Encoder()
        self._counted = counted
        self._what = what

    def encode(self, message: object) -> bytes:
        self._counted[self._what(message)] += 1
        return self._encoder.encode(message)


def _who_sends(message: object) -> str:
    return "answers" if isinstance(message, Answer) else "pushes" if isinstance(message, Push) else "of clients"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What was counted since the counter was last cleared."""
    counted: Counter[str] = Counter()
    write = MemoryTransport.write
    commit = Committer.commit

    def counting_write(self: MemoryTransport, data: bytes) -> None:
        if not isinstance(self._own, Peer):  # pyright: ignore[reportPrivateUsage]
            counted["writes"] += 1
        write(self, data)

    def counting_commit(self: Committer, changes: Sequence[Change]) -> list[StoreFailed | None]:
        counted["commits"] += 1
        counted["changes"] += len(changes)
        return commit(self, changes)

    monkeypatch.setattr(frames, "_ENCODER", CountingEncoder(counted, _who_sends))
    monkeypatch.setattr(facts, "_ENCODER", CountingEncoder(counted, lambda _: "facts"))
    monkeypatch.setattr(MemoryTransport, "write", counting_write)
    monkeypatch.setattr(Committer, "commit", counting_commit)
    return counted


async def _watching(house: House, host: Peer, count: int) -> list[Peer]:
    assert host.table is not None
    watchers = [(await arrive(house, f"watcher {number}"))[0] for number in range(count)]
    for watcher in watchers:
        await watcher.expect(WatchTable(0, host.table.code), Attending)
    return watchers


def _is_dealt(peer: Peer) -> bool:
    return peer.view is not None and peer.view.phase is Phase.PLANNING


def _is_past(peer: Peer, number: int) -> bool:
    return peer.view is not None and peer.view.number > number


@pytest.mark.parametrize("watching", [0, 3])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
async def test_a_move_is_one_commit_one_encoding_an_audience_and_one_write_a_connection(
    tmp_path: Path, counted: Counter[str], players: int, watching: int
) -> None:
    house = await open_house(store=SqliteStore(tmp_path))
    peers = await seated_table(house, [f"player {seat}" for seat in range(players)])
    everybody = peers + await _watching(house, peers[0], watching)
    await start(peers)
    for peer in everybody:
        await peer.until(partial(_is_dealt, peer))
    await settled()
    moves = 0
    view = everybody[-1].view
    assert view is not None
    while True:
        before = view.number
        counted.clear()
        (actor,) = [peer for peer in peers if peer.legal is not None]
        assert actor.act_if_due()
        for peer in everybody:
            await peer.until(partial(_is_past, peer, before))
        await settled()
        if view.phase is Phase.DEALING:
            break  # the end of a round tells more: scores, and the proof of its deal
        audiences = 2  # the seat on turn, which is told what is legal, and everybody else
        assert counted == {
            "of clients": 1,
            "facts": 1,
            "commits": 1,
            "changes": 1,
            "answers": 1,
            "pushes": audiences,
            "writes": len(everybody),
        }
        moves += 1
    assert moves > 2 * players
    await house.close()


async def test_moves_of_many_tables_that_come_in_one_turn_of_the_loop_are_one_commit(
    tmp_path: Path, counted: Counter[str]
) -> None:
    house = await open_house(store=SqliteStore(tmp_path))
    tables = [await seated_table(house, [f"player {number}", f"other {number}"]) for number in range(6)]
    for peers in tables:
        await start(peers)
        for peer in peers:
            await peer.until(partial(_is_dealt, peer))
    await settled()
    counted.clear()
    for peers in tables:
        assert [peer.act_if_due() for peer in peers].count(True) == 1
    for peers in tables:
        for peer in peers:
            await peer.until(partial(_is_past, peer, 1))
    assert counted["changes"] == len(tables)
    assert counted["commits"] == 1
    await house.close()

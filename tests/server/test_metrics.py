"""/metrics and /healthz, scraped over real sockets."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from looseends_protocol.messages import Hello, Refused, Say, StartGame
from looseends_server.house import House
from looseends_server.measured_store import MeasuredStore
from looseends_server.metrics import LONGEST_REQUEST, MOST_CONNECTIONS, Metrics
from tests.server.faulty_store import FaultyStore
from tests.server.peers import HandClock, arrive, open_house, play_on, seated_table, settled, start
from tests.server.tcp import connected, until
from tests.server.test_workers import Asked


class Watched:
    """A house with its metrics on a port, on a store that a test can break."""

    def __init__(self, house: House, disk: FaultyStore, metrics: Metrics, port: int) -> None:
        self.house = house
        self.disk = disk
        self.metrics = metrics
        self.port = port

    async def get(self, what: str) -> tuple[int, str]:
        return await self.send(f"GET {what} HTTP/1.1\r\nHost: x\r\n\r\n".encode())

    async def send(self, request: bytes) -> tuple[int, str]:
        async with connected(self.port) as line:
            line.write(request)
            answer = (await line.rest()).decode()
        return int(answer.split(" ")[1]), answer.partition("\r\n\r\n")[2]

    async def numbers(self) -> dict[tuple[str, str], float]:
        """Return each sample by its name and the values of its labels."""
        _, text = await self.get("/metrics")
        return {
            (sample.name, ",".join(sample.labels.values())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }


@pytest.fixture
async def watched() -> AsyncIterator[Watched]:
    disk = FaultyStore()
    store = MeasuredStore(disk)
    house = await open_house(store=store, clock=HandClock())
    metrics = Metrics(house, store)
    port = await metrics.open("127.0.0.1", 0)
    yield Watched(house, disk, metrics, port)
    metrics.close()
    await house.close()


async def test_a_scrape_counts_what_happened(watched: Watched) -> None:
    peers = await seated_table(watched.house, ["ann", "ben"])
    await start(peers)
    await play_on(peers, lambda: watched.house.counts.moves >= 30)
    assert isinstance(await peers[0].ask(Say(0, "\x1b")), Refused)
    (await arrive(watched.house, "cid"))[0].write(Hello(0, 1))
    await settled()

    numbers = await watched.numbers()
    assert numbers["looseends_connections", ""] == 3
    assert numbers["looseends_connections_total", ""] == 3
    assert numbers["looseends_people", "connected"] == 3
    assert numbers["looseends_tables", "playing"] == 1
    assert numbers["looseends_tables", "frozen"] == 0
    assert numbers["looseends_moves_total", ""] == watched.house.counts.moves
    assert numbers["looseends_refused_total", "chat/empty"] == 1
    assert numbers["looseends_refused_total", "hello/again"] == 1
    assert numbers["looseends_commit_seconds_count", ""] > 30
    assert numbers["looseends_commit_seconds_bucket", "+Inf"] == numbers["looseends_commit_seconds_count", ""]
    assert numbers["looseends_commit_seconds_sum", ""] > 0
    assert numbers["looseends_loop_lag_seconds", ""] >= 0


async def test_thoughts_are_counted_by_what_came_of_them_and_the_workers_shown(watched: Watched) -> None:
    assert (await watched.numbers())["looseends_workers", ""] == 0
    assert await Asked(watched.house.minds, "sharp").answer()
    numbers = await watched.numbers()
    assert numbers["looseends_workers", ""] == 1
    assert numbers["looseends_thoughts_waiting", ""] == 0
    assert numbers["looseends_thoughts_total", "whole"] == 1
    assert numbers["looseends_thoughts_total", "lost"] == 0
    assert numbers["looseends_thinking_cpu_seconds_total", ""] > 0


async def test_dropped_connections_are_counted_by_reason(watched: Watched) -> None:
    peer, _ = await arrive(watched.house, "ann")
    assert peer.transport is not None
    peer.transport.write(b"\xff" * 8)
    await settled()
    assert peer.lost
    numbers = await watched.numbers()
    assert numbers["looseends_dropped_total", "frame/too_long"] == 1
    assert ("looseends_refused_total", "frame/too_long") not in numbers
    assert numbers["looseends_connections", ""] == 0


async def test_healthz_says_whether_the_store_can_write(watched: Watched) -> None:
    assert await watched.get("/healthz") == (200, "ok\n")
    peers = await seated_table(watched.house, ["ann", "ben"])
    watched.disk.fail_with("disk full")
    assert await peers[0].refused(StartGame(0)) == "server/cannot_save"
    assert await watched.get("/healthz") == (503, "the store cannot write\n")
    numbers = await watched.numbers()
    assert numbers["looseends_tables", "frozen"] == 1
    assert numbers["looseends_commit_failures_total", ""] == 1

    watched.disk.work_again()
    clock = watched.house.clock
    assert isinstance(clock, HandClock)
    await clock.advance(watched.house.settings.pace.retry_seconds + 0.1)
    assert await watched.get("/healthz") == (200, "ok\n")


async def test_healthz_does_not_wait_for_a_store_that_hangs(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("looseends_server.metrics.STORE_SECONDS", 0.01)
    watched.disk.hold()
    assert await watched.get("/healthz") == (503, "the store does not answer\n")
    watched.disk.release()


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /other HTTP/1.1\r\n\r\n", 404),
        (b"POST /metrics HTTP/1.1\r\n\r\n", 405),
        (b"GET /metrics\r\n\r\n", 400),
        (b"\r\n\r\n", 400),
        (b"GET /metrics SPDY/3\r\n\r\n", 400),
        (b"x" * (LONGEST_REQUEST + 1), 431),
    ],
)
async def test_other_requests_are_refused(watched: Watched, request_: bytes, status: int) -> None:
    assert (await watched.send(request_))[0] == status


async def test_a_request_that_never_ends_is_cut_off(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("looseends_server.metrics.REQUEST_SECONDS", 0.01)
    async with connected(watched.port) as line:
        line.write(b"GET /metrics HTTP/1.1\r\n")
        assert await line.rest() == b""


async def test_only_so_many_connections_are_held(watched: Watched) -> None:
    async with contextlib.AsyncExitStack() as held:
        for _ in range(MOST_CONNECTIONS):
            await held.enter_async_context(connected(watched.port))
        await until(lambda: len(watched.metrics.open_requests) == MOST_CONNECTIONS)
        async with connected(watched.port) as line:
            assert await line.rest() == b""
    await until(lambda: not watched.metrics.open_requests)
    assert (await watched.get("/healthz"))[0] == 200

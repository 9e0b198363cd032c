"""The numbers of a house for a monitoring system: /metrics in Prometheus' text form, and /healthz.

It reads what the house counts anyway and changes nothing. Imported only where it is switched on.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import structlog
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from looseends_server.admin import version
from looseends_server.clock import Timer
from looseends_server.measured_store import BUCKETS, MeasuredStore
from looseends_server.store.base import IdentitySeen, StoreFailed

if TYPE_CHECKING:
    from looseends_server.house import House

log = structlog.get_logger()

LONGEST_REQUEST = 8 * 1024
"""Bytes of a request, headers included."""
REQUEST_SECONDS = 5.0
"""From the connection to the end of its answer."""
STORE_SECONDS = 2.0
"""What the store may take to answer before it counts as ill."""
MOST_CONNECTIONS = 32
LAG_EVERY_SECONDS = 0.5
LAG_KEPT = 120
"""Samples of the loop's lag that are kept: a minute."""
OUTCOMES = ("whole", "cut_short", "failed", "lost")
PHASES = ("gathering", "dealing", "playing", "between", "over", "frozen")

_NOBODY = 0
"""An identity that nobody has: to note that it was seen changes nothing, and still goes through the store."""


class Numbers(Collector):
    """What a scrape reads."""

    def __init__(self, house: House, store: MeasuredStore, lags: deque[float]) -> None:
        self._house = house
        self._store = store
        self._lags = lags

    def collect(self) -> Iterator[Metric]:
        """Return every number as it is now."""
        house, counts = self._house, self._house.counts
        info = GaugeMetricFamily("looseends_build_info", "The version that runs.", labels=("version",))
        info.add_metric((version(),), 1)
        yield info
        yield GaugeMetricFamily("looseends_connections", "Open connections.", len(house.connections))
        yield CounterMetricFamily("looseends_connections", "Connections that were taken.", counts.connections)
        people = GaugeMetricFamily("looseends_people", "Identities, by whether they are connected.", labels=("state",))
        connected = sum(person.connection is not None for person in house.people)
        people.add_metric(("connected",), connected)
        people.add_metric(("away",), len(house.people) - connected)
        yield people
        phases: Counter[str] = Counter(table.phase for table in house.tables.values())
        tables = GaugeMetricFamily("looseends_tables", "Tables, by what they wait for.", labels=("phase",))
        for phase in PHASES:
            tables.add_metric((phase,), phases[phase])
        yield tables
        thoughts = CounterMetricFamily(
            "looseends_thoughts", "Questions to the processes in which bots think.", labels=("outcome",)
        )
        for outcome in OUTCOMES:
            thoughts.add_metric((outcome,), counts.thoughts[outcome])
        yield thoughts
        yield CounterMetricFamily(
            "looseends_thinking_cpu_seconds", "CPU that answered questions took.", counts.thinking_seconds
        )
        yield GaugeMetricFamily("looseends_thoughts_waiting", "Questions that wait for a process.", house.minds.waiting)
        yield GaugeMetricFamily("looseends_workers", "Processes in which bots think.", house.minds.workers)
        yield CounterMetricFamily("looseends_moves", "Actions and deals that took effect.", counts.moves)
        yield _by_code("looseends_refused", "Requests that were not carried out.", counts.refused)
        yield _by_code("looseends_dropped", "Connections that the server ended.", counts.dropped)
        yield self._commits()
        yield CounterMetricFamily("looseends_commit_failures", "Changes that were not kept.", self._store.failures)
        yield GaugeMetricFamily(
            "looseends_loop_lag_seconds", "The latest that the event loop was in the last minute.", max(self._lags)
        )

    def _commits(self) -> Metric:
        total = 0
        buckets: list[tuple[str, float]] = []
        for bound, count in zip((*(str(bound) for bound in BUCKETS), "+Inf"), self._store.buckets, strict=True):
            total += count
            buckets.append((bound, total))
        return HistogramMetricFamily(
            "looseends_commit_seconds", "From a change to its being durable.", buckets, self._store.seconds
        )


def _by_code(name: str, what: str, counted: Counter[str]) -> Metric:
    family = CounterMetricFamily(name, what, labels=("code",))
    for code, count in list(counted.items()):
        family.add_metric((code,), count)
    return family


class Metrics:
    """Answers on a port from `open` to `close`."""

    def __init__(self, house: House, store: MeasuredStore) -> None:
        self._house = house
        self._store = store
        self._lags: deque[float] = deque([0.0], maxlen=LAG_KEPT)
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(Numbers(house, store, self._lags))
        ProcessCollector(registry=self._registry)
        self._server: asyncio.Server | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self.open_requests: set[_Request] = set()

    async def open(self, host: str, port: int) -> int:
        """Listen, on any free port for 0; return the port. Raises OSError."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Request(self), host, port)
        self._due = loop.time()
        self._measure_lag()
        bound: int = self._server.sockets[0].getsockname()[1]
        log.info("metrics", host=host, port=bound)
        return bound

    def close(self) -> None:
        """Answer nothing more."""
        if self._server is not None:
            self._server.close()
        if self._timer is not None:
            self._timer.cancel()
        for request in list(self.open_requests):
            request.give_up()

    def _measure_lag(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._lags.append(max(0.0, now - self._due))
        self._due = now + LAG_EVERY_SECONDS
        self._timer = loop.call_at(self._due, self._measure_lag)

    def exposition(self) -> bytes:
        """Return all numbers as text."""
        return generate_latest(self._registry)

    def ask_health(self, request: _Request) -> None:
        """Answer whether the house can keep what happens: the store's thread answers, and its last write worked."""
        if self._house.closing:
            request.answer(503, "text/plain", b"closing\n")
            return

        def checked(error: StoreFailed | None) -> None:
            failing = str(error) if error is not None else self._store.failing
            if failing:
                request.answer(503, "text/plain", b"the store cannot write\n")
                log.warning("not healthy", why=failing)
            else:
                request.answer(200, "text/plain", b"ok\n")

        request.expect_within(STORE_SECONDS, b"the store does not answer\n")
        # Past the measuring store: a look must not count as a write that worked.
        self._store.store.write(IdentitySeen(_NOBODY, self._house.clock.wall()), checked)


class _Request(asyncio.Protocol):
    """One request and its answer; the connection ends with it."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._received = bytearray()
        self._transport: asyncio.Transport | None = None
        self._timer: Timer | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast("asyncio.Transport", transport)  # uvloop's are no subclass of it
        if len(self._metrics.open_requests) >= MOST_CONNECTIONS:
            transport.abort()
            return
        self._transport = transport
        self._metrics.open_requests.add(self)
        self._timer = asyncio.get_running_loop().call_later(REQUEST_SECONDS, self.give_up)

    def data_received(self, data: bytes) -> None:
        if self._transport is None or self._received.endswith(b"\r\n\r\n"):
            return
        self._received += data
        if len(self._received) > LONGEST_REQUEST:
            self.answer(431, "text/plain", b"too long\n")
        elif (end := self._received.find(b"\r\n\r\n")) >= 0:
            del self._received[end + 4 :]
            self._handle(bytes(self._received.split(b"\r\n", 1)[0]))

    def _handle(self, line: bytes) -> None:
        words = line.split(b" ")
        if len(words) != 3 or not words[2].startswith(b"HTTP/1."):
            self.answer(400, "text/plain", b"not HTTP\n")
        elif words[0] != b"GET":
            self.answer(405, "text/plain", b"only GET\n")
        elif words[1] == b"/metrics":
            self.answer(200, CONTENT_TYPE_LATEST, self._metrics.exposition())
        elif words[1] == b"/healthz":
            self._metrics.ask_health(self)
        else:
            self.answer(404, "text/plain", b"there are /metrics and /healthz\n")

    def expect_within(self, seconds: float, otherwise: bytes) -> None:
        """Answer 503 with a line where no answer comes in time."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.answer, 503, "text/plain", otherwise)

    def answer(self, status: int, kind: str, body: bytes) -> None:
        """Answer once, and end."""
        transport, self._transport = self._transport, None
        if transport is None:
            return
        head = f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        transport.write(f"{head}Cache-Control: no-store\r\nConnection: close\r\n\r\n".encode() + body)
        transport.close()
        if self._timer is not None:
            self._timer.cancel()
        # A peer that does not read its answer does not keep the connection.
        self._timer = asyncio.get_running_loop().call_later(REQUEST_SECONDS, transport.abort)

    def give_up(self) -> None:
        """End without an answer."""
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._metrics.open_requests.discard(self)
        if self._timer is not None:
            self._timer.cancel()


_REASONS = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}

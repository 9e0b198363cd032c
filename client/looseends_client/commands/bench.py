"""`looseends bench`: what this machine makes of the parts that have to be fast, one benchmark a module.

A benchmark runs the real thing and says what it measured; what is enough is in the documents. Each is imported only
when it runs.
"""

from __future__ import annotations

from typing import NamedTuple

from cyclopts import App

from looseends_client.examples import examples_text

bench = App(
    name="bench",
    help="Measure on this machine what has to be fast.",
    help_epilogue=examples_text(
        "looseends bench server --tables 50 --seconds 10",
        "looseends bench engine --json",
        "looseends bench start",
    ),
)


class Benchmark(NamedTuple):
    """A benchmark: its name, where its function is, and its line in `looseends bench --help`."""

    name: str
    function: str
    line: str


# A benchmark is added here and nowhere else.
BENCHMARKS = (
    Benchmark(
        "server",
        "looseends_client.commands.bench_server:server",
        "What a real server makes of many tables: moves a second of its CPU, latency, bytes, memory.",
    ),
    Benchmark(
        "engine",
        "looseends_client.commands.bench_engine:engine",
        "What the rules cost without a server: moves decided, rounds played out, records verified.",
    ),
    Benchmark(
        "bots",
        "looseends_client.commands.bench_bots:bots",
        "How late the server's event loop is beside bots that think, and what a thought costs.",
    ),
    Benchmark(
        "ssh",
        "looseends_client.commands.bench_ssh:ssh",
        "What people at tables over SSH cost: memory, bytes, and how soon a key is answered.",
    ),
    Benchmark(
        "history",
        "looseends_client.commands.bench_history:history",
        "How long it takes to list and to search thousands of finished games.",
    ),
    Benchmark(
        "start",
        "looseends_client.commands.bench_start:start",
        "How long it takes from the command line to the first picture, and to the help.",
    ),
)

for benchmark in BENCHMARKS:
    bench.command(benchmark.function, name=benchmark.name, help=benchmark.line)

"""A house as a process of its own: what it listens on, the signals it obeys, and how it ends.

What a host may set is in `config`; what the command prints and which options it has is the command's.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import msgspec
import structlog

from looseends_server.house import House
from looseends_server.limits import ServerSettings
from looseends_server.logs import log_faults_of_loop

log = structlog.get_logger()

ENDING_SECONDS = 4.5
"""What the end may take, a disk that hangs included; a service manager is promised five seconds."""


class HostingFailed(Exception):
    """The server cannot start; the message says why and what to do."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All that a server is started with."""

    settings: ServerSettings
    folder: Path
    host: str
    port: int


def run(plan: Plan, say: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. `say` prints a line for the person who started it.

    Raises HostingFailed, and `store.base.StoreUnusable` where the folder cannot be used.
    """
    try:
        import uvloop
    except ImportError:  # exists for neither PyPy nor every new Python
        factory = None
    else:
        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(_serve(plan, say))


async def _serve(plan: Plan, say: Callable[[str], None]) -> None:
    loop = asyncio.get_running_loop()
    log_faults_of_loop(loop)
    told_to_end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _end, told_to_end, number)
    house = await House.open(plan.folder, plan.settings)
    try:
        port = await _listen(house, plan)
        if not is_own_machine(plan.host):
            _warn_of_plain_tcp(plan)
        address = joined(name_of_host(plan.host), port)
        say(f"Serving on {joined(plan.host, port)}. Join with: looseends join {address}")
        await told_to_end.wait()
    finally:
        await _end_within(house, ENDING_SECONDS)


def _end(told_to_end: asyncio.Event, number: int) -> None:
    log.info("ending", signal=signal.Signals(number).name)
    told_to_end.set()


async def _end_within(house: House, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await house.close()
    except TimeoutError:
        log.error("the store does not answer; what was confirmed to players is on the disk, the process ends now")
        # The store's thread hangs in the system, and an ordinary exit would wait for it.
        os._exit(1)
    log.info("ended")


async def _listen(house: House, plan: Plan) -> int:
    try:
        return await house.listen(plan.host, plan.port)
    except OSError as error:
        raise HostingFailed(why_not_listening(error, plan.host, plan.port)) from error


def why_not_listening(error: OSError, host: str, port: int) -> str:
    """Return why an address cannot be listened on, as a sentence with what to do."""
    where = joined(host, port)
    if isinstance(error, socket.gaierror):
        return f"{host} is no address of this machine: name one with --host, 0.0.0.0 for all of them."
    if error.errno == errno.EADDRINUSE:
        return f"{where} is in use already: stop what listens there, or choose another port with --port."
    if error.errno == errno.EACCES:
        return f"{where} needs rights that this user does not have: choose a port above 1023 with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine: name one with --host, 0.0.0.0 for all of them."
    return f"{where} cannot be listened on: {error.strerror or error}."


def _warn_of_plain_tcp(plan: Plan) -> None:
    where = joined(plan.host, plan.port)
    if plan.settings.insecure:
        log.warning(
            "insecure: tokens and passwords travel unencrypted; whoever is on the way can read them and play in "
            "somebody else's name",
            address=where,
        )
    else:
        log.warning(
            "plain TCP: peers of other machines are refused (hello/insecure), because their tokens could be read on "
            "the way; use --tls-self-signed, or --tls-cert and --tls-key, or say --insecure",
            address=where,
        )


def is_own_machine(host: str) -> bool:
    """Return whether only this machine can reach what listens there."""
    from looseends_server.addresses import is_loopback

    return host == "localhost" or is_loopback(host)


def name_of_host(host: str) -> str:
    """Return what others may call the machine that listens there: its name where it listens on every address."""
    return socket.gethostname() if host in ("", "0.0.0.0", "::", "*") else host


def joined(host: str, port: int) -> str:
    """Return HOST:PORT, with the brackets that an IPv6 address needs."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

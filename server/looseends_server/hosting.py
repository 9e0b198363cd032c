"""A house as a process of its own: what it listens on, the signals it obeys, and how it ends.

What a host may set is in `config`; what the command prints and which options it has is the command's.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

import msgspec
import structlog

from looseends_server.addresses import is_loopback
from looseends_server.admin import Admin
from looseends_server.admin_socket import AdminSocket
from looseends_server.config import Config, endpoint
from looseends_server.door_secret import door_secret
from looseends_server.fast_loop import run_in_fast_loop
from looseends_server.house import House
from looseends_server.limits import ServerSettings
from looseends_server.logs import log_faults_of_loop
from looseends_server.measured_store import MeasuredStore
from looseends_server.passwords import PasswordDesk
from looseends_server.proxy_gate import Proxies
from looseends_server.service_manager import ServiceManager
from looseends_server.store.base import Store
from looseends_server.store.sqlite import SqliteStore
from looseends_server.tls import Certificate, CertificateUnusable, self_signed

log = structlog.get_logger()

ENDING_SECONDS = 4.5
"""What the end may take, a disk that hangs included; a service manager is promised five seconds."""
OTHER_FILES = 256
"""Files that the process has open beside its connections, generously."""
COLLECTOR_THRESHOLDS = (50_000, 20, 1_000)
"""As `gc.set_threshold` takes them: young objects are looked at rarely, all of them almost never."""
COLLECT_SECONDS = 120.0
"""How often everything is looked at all the same."""
EVERY_ADDRESS = ("0.0.0.0", "::")


class HostingFailed(Exception):
    """The server cannot start; the message says why and what to do."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All that a server is started with: what the host set, the state folder, and the house's password or nothing."""

    config: Config
    folder: Path
    password: str = ""


Beside = Callable[[House], AbstractAsyncContextManager[str]]
"""Opens something more beside a house, and says in a line where; closed before the house is."""


def run(plan: Plan, say: Callable[[str], None], beside: Beside | None = None, *, store: Store | None = None) -> None:
    """Serve until SIGTERM, SIGINT or the admin's shutdown. `say` prints a line for the person who started it.

    What is opened `beside` the house runs in its loop and may let people in on the strength of its door secret. A
    `store` stands in the place of the one in the plan's folder.
    Raises HostingFailed, and `store.base.StoreUnusable` where the folder cannot be used.
    """
    run_in_fast_loop(_serve(plan, say, beside, store or SqliteStore(plan.folder)))


async def _serve(plan: Plan, say: Callable[[str], None], beside: Beside | None, kept_in: Store) -> None:
    loop = asyncio.get_running_loop()
    log_faults_of_loop(loop)
    told_to_end = asyncio.Event()
    manager = ServiceManager(os.environ)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _end, told_to_end, number)
    server = plan.config.server
    _allow_files(plan.config.limits.connections + OTHER_FILES)
    certificate = _certificate(plan)
    loop.add_signal_handler(signal.SIGHUP, _reload, certificate)
    store = MeasuredStore(kept_in) if server.metrics else kept_in
    house = await House.open(plan.folder, await _settings(plan), store=store)
    _collect_seldom(loop)
    async with AsyncExitStack() as ending:
        ending.push_async_callback(close_within, house, ENDING_SECONDS)
        house.door_secret = _door_secret(plan.folder)
        admin = AdminSocket(Admin(house, told_to_end.set), plan.folder)
        ending.push_async_callback(admin.close)
        await _open_admin(admin, plan.folder)
        if isinstance(store, MeasuredStore):
            ending.callback(await _open_metrics(house, store, server.metrics))
        port = await _listen(house, plan, certificate)
        _warn(plan, certificate)
        where = await ending.enter_async_context(beside(house)) if beside is not None else ""
        say(welcome := _line_of_welcome(plan, port, certificate))
        if where:
            say(where)
        manager.ready(welcome)
        await told_to_end.wait()
        manager.ending()


def _allow_files(count: int) -> None:
    """Let the process have so many files open, as far as the system lets it: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < count:
        wanted = count if hard == unlimited else min(count, hard)
        with contextlib.suppress(OSError, ValueError):  # macOS has a lower limit than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != unlimited and soft < count:
        log.warning(
            "fewer open files than connections: lower limits.connections, or raise the limit of open files",
            files=soft,
            connections=count - OTHER_FILES,
        )


def _collect_seldom(loop: asyncio.AbstractEventLoop) -> None:
    """Let the garbage collector look at everything at times of our own choosing, and seldom.

    What games leave behind goes without it; only a table that was closed needs it. With the usual thresholds a tenth of
    what a move costs was the collector's. What was imported and loaded by now is never looked at again; what full
    collections look at are some 30 microseconds a table.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    _collect_later(loop)


def _collect_later(loop: asyncio.AbstractEventLoop) -> None:
    def collect() -> None:
        gc.collect()
        _collect_later(loop)

    loop.call_later(COLLECT_SECONDS, collect)


def _end(told_to_end: asyncio.Event, number: int) -> None:
    log.info("ending", signal=signal.Signals(number).name)
    told_to_end.set()


def _reload(certificate: Certificate | None) -> None:
    if certificate is None:
        log.info("nothing to reload: SIGHUP is for the TLS certificate")
        return
    try:
        certificate.reload()
    except CertificateUnusable as error:
        log.error("certificate not reloaded, the one before stays", why=str(error))
    else:
        log.info("certificate reloaded", sha256=certificate.fingerprint)


async def _settings(plan: Plan) -> ServerSettings:
    server = plan.config.server
    hashed: str | None = ""
    if plan.password:
        desk = PasswordDesk()
        made: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        desk.hash(plan.password, made.set_result)
        hashed = await made
        desk.close()
    if hashed is None:
        raise HostingFailed("The password cannot be hashed: that takes 64 MiB of memory, and there is less.")
    return ServerSettings(server.name, hashed, server.insecure, plan.config.limits, plan.config.pace, server.ratings)


def _certificate(plan: Plan) -> Certificate | None:
    server = plan.config.server
    try:
        if server.tls_self_signed:
            return self_signed(plan.folder, (endpoint_of(plan) or (server.host, 0))[0])
        return Certificate(Path(server.tls_cert), Path(server.tls_key)) if server.tls_cert else None
    except CertificateUnusable as error:
        raise HostingFailed(f"TLS cannot be used: {error}") from error


def _door_secret(folder: Path) -> bytes:
    try:
        return door_secret(folder)
    except OSError as error:
        raise HostingFailed(f"No secret for SSH doors can be kept in {folder}: {error.strerror or error}.") from error


async def _open_admin(admin: AdminSocket, folder: Path) -> None:
    try:
        await admin.open()
    except OSError as error:
        # The path of a Unix socket has some 100 bytes; a server whose folder lies deeper runs without one.
        log.warning(
            "no admin socket, so `looseends admin` cannot reach this server", folder=str(folder), why=str(error)
        )


async def _open_metrics(house: House, store: MeasuredStore, where: str) -> Callable[[], None]:
    from looseends_server.metrics import Metrics

    host, port = endpoint(where) or ("127.0.0.1", 0)
    metrics = Metrics(house, store)
    try:
        await metrics.open(host, port)
    except OSError as error:
        raise HostingFailed(why_not_listening(error, host, port, "--metrics")) from error
    return metrics.close


async def _listen(house: House, plan: Plan, certificate: Certificate | None) -> int:
    server = plan.config.server
    proxies = Proxies(server.proxy_from, over_tls=server.proxy_is_tls) if server.proxy_from else None
    try:
        return await house.listen(server.host, server.port, certificate.context if certificate else None, proxies)
    except OSError as error:
        raise HostingFailed(why_not_listening(error, server.host, server.port)) from error


async def close_within(house: House, seconds: float) -> None:
    """Close the house, or where its store hangs end the process without it, with exit code 1."""
    try:
        async with asyncio.timeout(seconds):
            await house.close()
    except TimeoutError:
        log.error("the store does not answer: the process ends without it; nothing that players saw is lost")
        # The store's thread hangs in the system, and an ordinary exit would wait for it.
        os._exit(1)
    log.info("ended")


def why_not_listening(error: OSError, host: str, port: int, option: str = "--port") -> str:
    """Return why an address cannot be listened on, as a sentence with what to do."""
    where = joined(host, port)
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine: name one that is, or 0.0.0.0 for all of them."
    if error.errno == errno.EADDRINUSE:
        return f"{where} is in use already: stop what listens there, or choose another port with {option}."
    if error.errno == errno.EACCES:
        return f"{where} needs rights that this user does not have: choose a port above 1023 with {option}."
    return f"{where} cannot be listened on: {error.strerror or error}."


def _warn(plan: Plan, certificate: Certificate | None) -> None:
    server = plan.config.server
    if certificate is None and server.insecure:
        log.warning(
            "insecure: tokens and passwords of other machines travel unencrypted; whoever is on the way can read them "
            "and play in somebody else's name"
        )
    elif certificate is None and server.proxy_from and not server.proxy_is_tls:
        log.warning(
            "peers that come through the proxy are refused (hello/insecure): say proxy_is_tls = true if it ends TLS "
            "for them, or insecure = true if nobody on the way could read their tokens"
        )
    elif certificate is None and not server.proxy_from and not is_own_machine(server.host):
        log.warning(
            "plain TCP: peers of other machines are refused (hello/insecure), because their tokens could be read on "
            "the way; give --tls-self-signed, or --tls-cert and --tls-key, or --insecure"
        )


def endpoint_of(plan: Plan) -> tuple[str, int] | None:
    """Return the host and port in `address`, 0 for a port that is not named; None where there is no address."""
    address = plan.config.server.address
    if not address:
        return None
    return endpoint(address) or (address.removeprefix("[").removesuffix("]"), 0)


def _line_of_welcome(plan: Plan, port: int, certificate: Certificate | None) -> str:
    server = plan.config.server
    listening = server.host if server.host not in EVERY_ADDRESS else socket.gethostname()
    host, outer_port = endpoint_of(plan) or (listening, 0)
    address = joined(host, outer_port or port)
    serving = f"Serving on {joined(server.host, port)}"
    if certificate is not None or server.proxy_is_tls:
        address = f"looseends://{address}"
    if certificate is not None and server.tls_self_signed:
        address += f"#sha256={certificate.fingerprint}"
    if certificate is not None:
        serving += " over TLS"
    if server.proxy_from:
        serving += f" behind {', '.join(server.proxy_from)}"
        if not server.address:
            return f"{serving}."  # where the proxy is reached nobody has said
    return f"{serving}. Join with: looseends join {address}"


def is_own_machine(host: str) -> bool:
    """Return whether only this machine can reach what listens there."""
    return host == "localhost" or is_loopback(host)


def joined(host: str, port: int) -> str:
    """Return HOST:PORT, with the brackets that an IPv6 address needs."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

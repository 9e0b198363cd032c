"""A whole session, with everything that can go wrong in it, leaves no secret, no card and no talk in the log."""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import structlog
from argon2 import PasswordHasher

from looseends_core.cards import CARD_NAMES
from looseends_core.rules import rule_set
from looseends_protocol.frames import framed
from looseends_protocol.limits import LENGTH_BYTES, PROTOCOL_MAJOR
from looseends_protocol.messages import (
    Attending,
    CreateTable,
    Done,
    GetRecord,
    Hello,
    JoinTable,
    Say,
    SeatBot,
    Welcome,
)
from looseends_server import table_requests
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.table import Table
from tests.server.conftest import Logged
from tests.server.crossed import connect_from
from tests.server.damage import damaged_journals
from tests.server.faulty_store import FaultyStore
from tests.server.peers import FAST, HandClock, Peer, come_back, play_on, settled, start

HOUSE_PASSWORD = "swordfish-of-the-house"
TABLE_PASSWORD = "carrot-of-the-table"
WRONG_PASSWORD = "parsnip-of-the-guesser"
TALK = "wordsthatonlythetablehears"
TYPED = (HOUSE_PASSWORD, TABLE_PASSWORD, WRONG_PASSWORD, TALK)

MAY_HOLD = {
    "hello": {"person", "client", "address"},
    "request failed": {"table", "request", "connection", "exception"},
    "table fault": {"table", "exception"},
    "table cannot save": {"table", "error"},
    "table set aside": {"table", "error"},
}
"""The lines of this session, each with all that it says: a card would need a key of its own."""


@pytest.fixture(autouse=True)
def _tracebacks_as_they_are_printed(logged: Logged) -> None:
    structlog.get_config()["processors"].insert(0, structlog.processors.format_exc_info)


class Session:
    """What was secret in a session."""

    def __init__(self) -> None:
        self.hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        self.random: list[bytes] = []
        self.hashes = [self.hasher.hash(HOUSE_PASSWORD)]
        self._rng = random.Random(1)

    def entropy(self, count: int) -> bytes:
        """Give bytes, and remember those that are long enough to be a secret."""
        made = self._rng.randbytes(count)
        if count >= 16:
            self.random.append(made)
        return made

    def leaks_in(self, logged: Logged) -> set[str]:
        """Return what of it all is in the log, in any way in which bytes are commonly written."""
        text = repr(logged.entries)
        found = {word for word in (*TYPED, *self.hashes, "$argon2") if word in text}
        for secret in self.random:
            forms = [
                secret.hex(),
                secret.hex().upper(),
                base64.b64encode(secret).decode().rstrip("="),
                base64.urlsafe_b64encode(secret).decode().rstrip("="),
                repr(secret)[2:-1],
                repr(secret[:8])[2:-1],
                repr(secret[-8:])[2:-1],
                str(list(secret))[1:-1],
            ]
            found |= {form for form in forms if form in text or repr(form)[1:-1] in text}
        return found | ({*re.split(r"\W+", text)} & {*CARD_NAMES})


def raises_once(function: Callable[..., Any]) -> Callable[..., Any]:
    calls = 0

    def planted(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise KeyError("planted")
        return function(*arguments)

    return planted


async def say_hello_badly(peer: Peer, token: bytes) -> None:
    """Send hellos with secrets in them of which one field is of the wrong kind."""
    assert peer.transport is not None
    good = Hello(1, PROTOCOL_MAJOR, name="ann", token=token, hello_password=HOUSE_PASSWORD)
    content = msgspec.to_builtins(good, builtin_types=(bytes,))
    for key in content:
        payload = msgspec.msgpack.encode({**content, key: [WRONG_PASSWORD]})
        peer.transport.write(len(payload).to_bytes(LENGTH_BYTES, "big") + payload)
    whole = framed(good)
    peer.transport.write(whole[:LENGTH_BYTES] + whole[LENGTH_BYTES:-4] + b"\xc1" * 4)
    await settled()


async def newcomer(session: Session, house: House, name: str, address: str) -> Peer:
    peer = connect_from(house, address)
    await peer.refused(Hello(0, PROTOCOL_MAJOR, name=name, hello_password=WRONG_PASSWORD))
    hello = Hello(0, PROTOCOL_MAJOR, name=name, client="a client", hello_password=HOUSE_PASSWORD)
    peer.token = (await peer.expect(hello, Welcome)).token
    assert peer.token in session.random
    return peer


async def play_a_session(session: Session, monkeypatch: pytest.MonkeyPatch) -> tuple[FaultyStore, ServerSettings]:
    """People with passwords, talk and faults at a table; return its store, and what its house was set to."""
    monkeypatch.setattr("looseends_server.passwords.PasswordHasher", lambda: session.hasher)
    settings = ServerSettings(password_hash=session.hashes[0], limits=Limits(burst_messages=10_000))
    clock = HandClock()
    store = FaultyStore()
    house = await House.open(None, settings, clock=clock, entropy=session.entropy, store=store)
    ann = await newcomer(session, house, "ann", "192.0.2.1")
    bob = await newcomer(session, house, "bob", "192.0.2.2")
    rules = rule_set(3, rounds=2, hand_size=6, max_bid=3)
    code = (await ann.expect(CreateTable(0, rules, FAST, TABLE_PASSWORD), Attending)).code
    table = house.tables[code]
    session.hashes.append(table.state.password)
    assert await bob.refused(JoinTable(0, code, password=WRONG_PASSWORD)) == "table/password"
    await bob.expect(JoinTable(0, code, password=TABLE_PASSWORD), Attending)
    await ann.expect(SeatBot(0, 2, "rookie"), Done)
    await bob.expect(Say(0, TALK), Done)

    await say_hello_badly(bob, bob.token)
    await say_hello_badly(connect_from(house, "192.0.2.3"), bob.token)
    with monkeypatch.context() as faulty:
        for handled in (GetRecord, Say):
            faulty.setitem(table_requests.HANDLERS, handled, raises_once(table_requests.HANDLERS[handled]))
        assert await ann.refused(GetRecord(0)) == "server/fault"
        assert await ann.refused(Say(0, TALK)) == "server/fault"

    await start([ann])
    await play_on([ann, bob], lambda: ann.view and ann.view.number > 6)
    await settled()
    for peer in (ann, bob):
        peer.may_miss = True
    with monkeypatch.context() as faulty:
        faulty.setattr(Table, "announce_events", raises_once(Table.announce_events))
        while not table.frozen:
            for peer in (ann, bob):
                peer.act_if_due()
            await settled(3)
    await clock.advance(3)
    for peer in (ann, bob):
        peer.post_resync()
    await settled()
    store.fail_with("disk full")
    for peer in (ann, bob):
        peer.act_if_due()
    await settled()
    assert table.frozen
    store.work_again()
    await clock.advance(3)
    for peer in (ann, bob):
        peer.post_resync()
    back = await come_back(house, bob)
    await play_on([ann, back], lambda: table.state.play.round == 2 and table.state.play.number > 40)
    session.random += [proof.secret for proof in table.state.proofs.values()]
    session.random += [nonce for proof in table.state.proofs.values() for nonce in proof.nonces.values()]
    return store, settings


async def open_damaged(store: FaultyStore, settings: ServerSettings) -> None:
    """Open the house on each way in which the table's journal may be damaged."""
    for facts in damaged_journals(store.kept.tables[1].facts):
        damaged = store.lose_unsynced()
        damaged.kept.tables[1].facts = facts
        await House.open(None, settings, clock=HandClock(), store=damaged)


async def test_no_line_of_a_session_holds_a_secret_or_a_card_or_talk(
    monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    session = Session()
    store, settings = await play_a_session(session, monkeypatch)
    await open_damaged(store, settings)
    assert len(session.random) > 8
    assert session.leaks_in(logged) == set()
    assert {entry["event"] for entry in logged.entries} == set(MAY_HOLD)
    for entry in logged.entries:
        assert entry.keys() - {"event", "log_level"} <= MAY_HOLD[entry["event"]]
    tracebacks = [entry["exception"] for entry in logged.entries if "exception" in entry]
    assert len(tracebacks) == 3
    assert all("KeyError: 'planted'" in traceback for traceback in tracebacks)
    logged.entries.clear()


@pytest.mark.parametrize(
    "leak",
    [
        lambda session: {"token": session.random[0]},
        lambda session: {"token": session.random[-1].hex()},
        lambda session: {"error": f"no such token: {session.random[0]!r}"},
        lambda session: {"error": f"({list(session.random[0])})"},
        lambda session: {"what": {"hash": session.hashes[0]}},
        lambda session: {"text": f"ann: {TALK}"},
        lambda session: {"password": WRONG_PASSWORD},
        lambda session: {"action": f"Play({CARD_NAMES[17]})"},
    ],
)
def test_what_would_leak_is_noticed(leak: Callable[[Session], dict[str, object]], logged: Logged) -> None:
    session = Session()
    session.entropy(32)
    session.entropy(16)
    structlog.get_logger().info("hello", person=1)
    assert session.leaks_in(logged) == set()
    structlog.get_logger().info("hello", **leak(session))
    assert session.leaks_in(logged)

"""Passwords are hashed off the event loop, one at a time, and whoever asked is always told."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher
from argon2.exceptions import HashingError

from looseends_core.rules import rule_set
from looseends_protocol.limits import PROTOCOL_MAJOR
from looseends_protocol.messages import Attending, CreateTable, Hello, JoinTable, Welcome
from looseends_server.limits import ServerSettings
from looseends_server.passwords import MOST_WAITING, PasswordDesk
from tests.server.conftest import Logged
from tests.server.peers import FAST, HandClock, arrive, connect, open_house
from tests.server.tcp import until

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Watched:
    """A hasher that notes who calls it, and how many do so at a time."""

    def __init__(self) -> None:
        self.threads: set[int] = set()
        self.running = 0
        self.most = 0
        self.fails: bool = False

    def hash(self, password: str) -> str:
        with self._at_work():
            if self.fails:
                raise HashingError("no memory")
            return CHEAP.hash(password)

    def verify(self, hashed: str, password: str) -> bool:
        with self._at_work():
            return CHEAP.verify(hashed, password)

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        self.threads.add(threading.get_ident())
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            yield
        finally:
            self.running -= 1


@pytest.fixture
def hasher(monkeypatch: pytest.MonkeyPatch) -> Watched:
    watched = Watched()
    monkeypatch.setattr("looseends_server.passwords.PasswordHasher", lambda: watched)
    return watched


async def test_hashes_are_made_in_one_other_thread_one_at_a_time_and_in_order(hasher: Watched) -> None:
    desk = PasswordDesk()
    made: list[tuple[int, str | None]] = []
    for number in range(20):
        desk.hash(f"word {number}", lambda hashed, number=number: made.append((number, hashed)))  # type: ignore[misc]
    assert not made, "nothing is waited for on the loop"
    await until(lambda: len(made) == 20)
    assert [number for number, _ in made] == list(range(20))
    assert hasher.most == 1
    assert len(hasher.threads) == 1
    assert threading.get_ident() not in hasher.threads
    desk.close()


async def test_the_right_password_fits_and_no_other_and_a_broken_hash_fits_nothing(hasher: Watched) -> None:
    desk = PasswordDesk()
    answers: list[bool] = []
    hashed = CHEAP.hash("carrot")
    for kept, typed in ((hashed, "carrot"), (hashed, "Carrot"), ("no hash", "carrot"), ("", "")):
        desk.check(kept, typed, answers.append)
    await until(lambda: len(answers) == 4)
    assert answers == [True, False, False, False]
    assert hasher.most == 1
    assert threading.get_ident() not in hasher.threads
    desk.close()


async def test_with_too_many_waiting_further_ones_are_turned_away(hasher: Watched) -> None:
    desk = PasswordDesk()
    done: list[str | None] = []
    for _ in range(MOST_WAITING):
        assert not desk.busy
        desk.hash("word", done.append)
    assert is_busy(desk)
    await until(lambda: len(done) == MOST_WAITING)
    assert not is_busy(desk)
    desk.close()


def is_busy(desk: PasswordDesk) -> bool:
    return desk.busy


async def test_a_table_whose_password_cannot_be_hashed_is_not_made_without_one(hasher: Watched, logged: Logged) -> None:
    house = await open_house(HandClock())
    ann, _ = await arrive(house, "ann")
    hasher.fails = True
    for _ in range(7):
        assert await ann.refused(CreateTable(0, rule_set(2), FAST, "carrot")) == "server/fault"
    assert not house.tables
    assert "password not hashed" in logged.events("error")
    hasher.fails = False
    await ann.expect(CreateTable(0, rule_set(2), FAST, "carrot"), Attending)
    await house.close()


async def test_passwords_of_a_house_and_of_a_table_are_looked_at_off_the_loop_one_at_a_time(hasher: Watched) -> None:
    house = await open_house(HandClock(), settings=ServerSettings(password_hash=CHEAP.hash("open sesame")))
    peers = [connect(house) for _ in range(6)]
    ids = [
        peer.post(Hello(0, PROTOCOL_MAJOR, name=f"p{number}", hello_password="open sesame"))
        for number, peer in enumerate(peers)
    ]
    welcomes = [await peer.until(lambda p=peer, n=n: p.answer(n)) for peer, n in zip(peers, ids, strict=True)]  # type: ignore[misc]
    assert all(isinstance(welcome, Welcome) for welcome in welcomes)
    table = await peers[0].expect(CreateTable(0, rule_set(5), FAST, "carrot"), Attending)
    ids = [peer.post(JoinTable(0, table.code, password="carrot")) for peer in peers[1:5]]
    for peer, number in zip(peers[1:5], ids, strict=True):
        assert isinstance(await peer.until(lambda p=peer, n=number: p.answer(n)), Attending)  # type: ignore[misc]
    assert hasher.most == 1
    assert len(hasher.threads) == 1
    assert threading.get_ident() not in hasher.threads
    await house.close()

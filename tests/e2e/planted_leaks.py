"""Leaks planted on purpose, each the kind of fault that a change to the server could make: the scan has to catch all.

Some replace a function of the server by one that hides less; others change what is sent on its last step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgpack
import msgspec
import pytest

from looseends_core.cards import CARD_NAMES, cards_in
from looseends_core.events import Event, RoundDealt
from looseends_core.record import record_of, record_to_json
from looseends_core.redact import redact
from looseends_protocol.legal import legal_of
from looseends_server.connection import Connection
from looseends_server.table import Table
from tests.e2e.secret_truth import HeardEntropy

Content = dict[str, Any]
Spoil = Callable[[Connection, Content], None]
Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Leak:
    """A fault to plant, and what the scan has to call it."""

    name: str
    plant: Plant
    found_as: str


# ── ways to plant one ────────────────────────────────────────────────────────────────────────────────────────────


def _redacting(*modules: str, hides: Callable[[Event, int | None], Event]) -> Plant:
    """Let these modules of the server hide only so much of an event."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        for module in modules:
            patch.setattr(f"looseends_server.{module}.redact", hides)

    return plant


def _sending(spoil: Spoil) -> Plant:
    """Change every message on its way out, whoever it is for."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        send_frame = Connection.send_frame

        def send_spoilt(connection: Connection, frame: bytes) -> None:
            content = msgpack.unpackb(frame[4:])
            spoil(connection, content)
            payload: bytes = msgpack.packb(content) or b""
            send_frame(connection, len(payload).to_bytes(4, "big") + payload)

        patch.setattr(Connection, "send_frame", send_spoilt)

    return plant


def _with_record_text(patch: pytest.MonkeyPatch) -> None:
    def text_of_all(table: Table) -> str:
        state = table.state
        return msgspec.json.encode(record_to_json(record_of(state.rules, state.names, state.events))).decode()

    patch.setattr("looseends_server.snapshots.record_text", text_of_all)


def _hand_of_somebody_else(connection: Connection) -> tuple[int, ...]:
    """Return the cards in the hand of a seat that is not this connection's, while a round runs; else none."""
    table = connection.table
    if table is None or table.state.stage != "playing":
        return ()
    seat = next(seat for seat in range(table.state.rules.players) if seat != connection.seat)
    return tuple(cards_in(table.state.play.hands[seat]))


def _secret(connection: Connection) -> bytes:
    """Return the secret of the round that runs or is about to; nothing where none does."""
    table = connection.table
    running = [] if table is None else [proof.secret for proof in table.state.proofs.values() if not proof.over]
    return running[-1] if running else b""


def _draws(connection: Connection, size: int) -> list[bytes]:
    entropy = connection.house.entropy
    assert isinstance(entropy, HeardEntropy)
    return [drawn for drawn in entropy.draws if len(drawn) == size]


def _deal_as(event: Event, seat: int | None, *, fair: bool = False) -> Event:
    hidden = redact(event, seat)
    if fair and isinstance(event, RoundDealt) and isinstance(hidden, RoundDealt):
        return msgspec.structs.replace(hidden, fairness=event.fairness)
    return hidden


# ── what is sent ─────────────────────────────────────────────────────────────────────────────────────────────────


def _legal_for_everybody(connection: Connection, content: Content) -> None:
    table = connection.table
    if content["t"] == "ev" and table is not None and table.state.play.turn is not None:
        content["l"] = msgspec.to_builtins(legal_of(table.state.play))


def _secret_beside_commitment(connection: Connection, content: Content) -> None:
    if content["t"] == "commit":
        content["sc"] = _secret(connection)


def _secret_for_commitment(connection: Connection, content: Content) -> None:
    if content["t"] == "commit":
        content["cm"] = _secret(connection)


def _proof_while_the_round_runs(connection: Connection, content: Content) -> None:
    if content["t"] == "attending" and content.get("pr") and _secret(connection):
        content["pr"][-1]["sc"] = _secret(connection)


def _nonces_while_the_round_runs(connection: Connection, content: Content) -> None:
    table = connection.table
    if content["t"] == "attending" and table is not None and _secret(connection):
        content["pr"][-1]["ns"] = list(list(table.state.proofs.values())[-1].nonces.values())


def _secret_in_a_notice(connection: Connection, content: Content) -> None:
    if content["t"] == "said":
        content["ln"]["tx"] = _secret(connection).hex()


def _token_of_the_first(connection: Connection, content: Content) -> None:
    if content["t"] == "welcome" and "tk" not in content:
        content["tk"] = _draws(connection, 32)[0]


def _token_again(connection: Connection, content: Content) -> None:
    if content["t"] == "seats" and connection.person is not None:
        by_hash = {hashlib.sha256(drawn).digest(): drawn for drawn in _draws(connection, 32)}
        content["h"] = by_hash[connection.person.token_hash].hex()


def _hash_of_the_token(connection: Connection, content: Content) -> None:
    if content["t"] == "seats" and connection.person is not None:
        content["ss"][0]["id"] = connection.person.token_hash


def _hash_of_the_password(connection: Connection, content: Content) -> None:
    if content["t"] == "attending" and connection.table is not None:
        content["ti"] += connection.table.state.password


def _randomness_of_bots(connection: Connection, content: Content) -> None:
    if content["t"] == "attending":
        content["ti"] += _draws(connection, 16)[0].hex()


def _card_in_talk(connection: Connection, content: Content) -> None:
    hand = _hand_of_somebody_else(connection)
    if content["t"] == "said" and hand:
        content["ln"]["tx"] += f" They hold {CARD_NAMES[hand[0]]}."


def _card_in_a_refusal(connection: Connection, content: Content) -> None:
    hand = _hand_of_somebody_else(connection)
    if content["t"] == "refused" and hand:
        content["tx"] += f" They hold {CARD_NAMES[hand[-1]]}."


def _event_before_it_happens(connection: Connection, content: Content) -> None:
    hand = _hand_of_somebody_else(connection)
    if content["t"] == "ev" and hand:
        content["e"].append(["played", 0, hand[0]])


def _event_with_an_element_more(connection: Connection, content: Content) -> None:
    hand = _hand_of_somebody_else(connection)
    if content["t"] == "ev" and hand:
        content["e"][-1].append(hand[0])


def _hand_under_a_key_nobody_reads(connection: Connection, content: Content) -> None:
    table = connection.table
    if content["t"] == "seats" and table is not None and _hand_of_somebody_else(connection):
        content["zz"] = table.state.play.hands[0]


def _hand_in_the_bytes_of_a_text(connection: Connection, content: Content) -> None:
    hand = _hand_of_somebody_else(connection)
    if content["t"] in ("seats", "attending") and hand and connection.table is not None:
        deal = next(event for event in reversed(connection.table.state.events) if isinstance(event, RoundDealt))
        dealt = deal.hands[1 if connection.seat == 0 else 0] or ()
        content["h"] = bytes(dealt).decode()


def _seat_of_somebody_else(connection: Connection, content: Content) -> None:
    if content["t"] == "attending" and _hand_of_somebody_else(connection):
        content["st"] = 1 if connection.seat == 0 else 0


def _message_of_another_kind(connection: Connection, content: Content) -> None:
    if content["t"] == "pong" or (content["t"] == "notice" and connection.person is not None):
        content["k"], content["hands"] = "info", [1, 2, 3]


LEAKS = (
    Leak(
        "a deal is not redacted for anybody",
        _redacting("table", "snapshots", hides=lambda event, seat: event),
        "somebody else's hand",
    ),
    Leak(
        "a snapshot is not redacted",
        _redacting("snapshots", hides=lambda event, seat: event),
        "somebody else's hand",
    ),
    Leak(
        "a spectator is shown the hand of seat 0",
        _redacting("table", hides=lambda event, seat: _deal_as(event, seat or 0)),
        "somebody else's hand",
    ),
    Leak(
        "a spectator who comes later is shown the hand of seat 0",
        _redacting("snapshots", hides=lambda event, seat: _deal_as(event, seat or 0)),
        "somebody else's hand",
    ),
    Leak(
        "a seat is shown the hand of its neighbour",
        _redacting("table", hides=lambda event, seat: _deal_as(event, 1 if seat == 0 else 0)),
        "somebody else's hand",
    ),
    Leak(
        "the proof is left in a deal",
        _redacting("table", hides=lambda event, seat: _deal_as(event, seat, fair=True)),
        "the proof of a deal before its reveal",
    ),
    Leak("a record tells of the round that runs", _with_record_text, "a record of a round that is not over"),
    Leak(
        "the legal list is sent to everybody",
        _sending(_legal_for_everybody),
        "a legal list for somebody who is not on turn",
    ),
    Leak("the secret stands beside its commitment", _sending(_secret_beside_commitment), "a secret before its reveal"),
    Leak(
        "the secret stands where its commitment should",
        _sending(_secret_for_commitment),
        "a secret before its reveal, in the bytes",
    ),
    Leak(
        "a snapshot proves the round that runs",
        _sending(_proof_while_the_round_runs),
        "a secret before its reveal",
    ),
    Leak(
        "a snapshot shows the nonces of the round that runs",
        _sending(_nonces_while_the_round_runs),
        "a nonce before its reveal, in the bytes",
    ),
    Leak("the secret is said aloud", _sending(_secret_in_a_notice), "a secret before its reveal, in the bytes"),
    Leak(
        "whoever comes back is given the first token", _sending(_token_of_the_first), "a token that is not the reader's"
    ),
    Leak("a token is sent a second time", _sending(_token_again), "a token after its welcome, in the bytes"),
    Leak("a seat carries the hash of a token", _sending(_hash_of_the_token), "a token's hash, in the bytes"),
    Leak("a table shows the hash of its password", _sending(_hash_of_the_password), "a password's hash, in the bytes"),
    Leak("a table shows the randomness of its bots", _sending(_randomness_of_bots), "a bot's randomness, in the bytes"),
    Leak("a line of talk names a hidden card", _sending(_card_in_talk), "a hidden card in words"),
    Leak("a refusal names a hidden card", _sending(_card_in_a_refusal), "a hidden card in words"),
    Leak("an event is told before it happens", _sending(_event_before_it_happens), "an event that has not happened"),
    Leak("an event has an element more", _sending(_event_with_an_element_more), "not the event that happened"),
    Leak("a hand stands under a key of its own", _sending(_hand_under_a_key_nobody_reads), "a key that no rule names"),
    Leak(
        "a hand stands in the bytes of a text",
        _sending(_hand_in_the_bytes_of_a_text),
        "somebody else's hand, in the bytes",
    ),
    Leak("a seat is taken for another", _sending(_seat_of_somebody_else), "a seat that the reader does not hold"),
    Leak("a message carries what it never did", _sending(_message_of_another_kind), "a key that no rule names"),
)

"""Every message comes back from the wire as it was, and whatever else comes is a named fault and nothing worse."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_core.actions import BIDS, Play
from looseends_core.record import record_of, record_to_json
from looseends_core.redact import redact
from looseends_core.rules import VARIANTS, rule_set
from looseends_core.scoring import SCORING_LIMIT, ScoringTable
from looseends_core.state import Phase
from looseends_protocol import limits
from looseends_protocol.frames import FrameSplitter, FrameUnreadable, framed, unpacked
from looseends_protocol.legal import legal_of
from looseends_protocol.limits import (
    CHAT_LENGTH,
    CODE_LENGTH,
    LARGEST_COUNT,
    NAME_LENGTH,
    PASSWORD_LENGTH,
    TITLE_LENGTH_SENT,
    TOKEN_BYTES,
    FrameCaps,
)
from looseends_protocol.messages import (
    FROM_CLIENT,
    FROM_SERVER,
    WIRE_KEYS,
    Act,
    Answer,
    Attending,
    ChatLine,
    CreateTable,
    GiveNonce,
    Hello,
    JoinTable,
    MessageInvalid,
    MessageUnknown,
    Proof,
    Push,
    RecordText,
    Refused,
    Request,
    Resync,
    Say,
    SeatBot,
    SeatInfo,
    TableLine,
    TableOptions,
    Tables,
    message_from_client,
    message_from_server,
    request_id_of,
)
from tests.protocol.from_annotations import messages_of, structs_in
from tests.strategies import PlayedGame, play_game

Reader = Callable[[dict[str, Any]], msgspec.Struct]
# The caps of a direction are what its frames are read with; a hello comes before them and has its own test.
DIRECTIONS: dict[str, tuple[tuple[type[msgspec.Struct], ...], Reader, FrameCaps]] = {
    "client": (FROM_CLIENT, message_from_client, limits.FROM_CLIENT),
    "server": (FROM_SERVER, message_from_server, limits.FROM_SERVER),
}
EVERY = [(side, kind) for side, (kinds, _, _) in DIRECTIONS.items() for kind in kinds]
every_message = pytest.mark.parametrize(
    ("side", "kind"), EVERY, ids=[f"{side} {kind.__name__}" for side, kind in EVERY]
)

_EXAMPLES = settings().max_examples // 4
"""For each of some forty messages, so that all together are tried as often as anything else."""

WIDEST = "🎉"
"""A character of four bytes, the most that UTF-8 has."""


def tag_of(kind: type[msgspec.Struct]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def over_the_wire(message: msgspec.Struct, caps: FrameCaps) -> dict[str, Any]:
    (payload,) = FrameSplitter(caps).feed(framed(message))
    return unpacked(payload, caps)


def read_or_refused(content: dict[str, Any], read: Reader) -> msgspec.Struct | None:
    """Return the message of a map, None where it is invalid; anything else that happens is the test's failure."""
    try:
        return read(content)
    except MessageInvalid as refusal:
        text = str(refusal)
        assert 0 < len(text) <= 200
        assert text.isprintable()
        return None


# ── what is sent is what is read ─────────────────────────────────────────────────────────────────────────────────


@every_message
@settings(max_examples=_EXAMPLES)
@given(data=st.data())
def test_a_message_comes_back_from_the_wire_as_it_was(
    side: str, kind: type[msgspec.Struct], data: st.DataObject
) -> None:
    _, read, caps = DIRECTIONS[side]
    message = data.draw(messages_of(kind, caps))

    returned = read(over_the_wire(message, caps))

    assert type(returned) is kind
    assert returned == message


@every_message
@settings(max_examples=_EXAMPLES)
@given(data=st.data())
def test_keys_that_nobody_knows_are_ignored(side: str, kind: type[msgspec.Struct], data: st.DataObject) -> None:
    _, read, caps = DIRECTIONS[side]
    message = data.draw(messages_of(kind, caps))
    content = over_the_wire(message, caps)

    assert read({**content, "zzz": data.draw(values), "sequence": 1, "": None}) == message


@every_message
def test_wire_keys_are_short_and_each_means_one_field(side: str, kind: type[msgspec.Struct]) -> None:
    for struct in structs_in(kind):
        of_the_core = struct.__module__.startswith("looseends_core")  # its rules travel as records write them
        if of_the_core or struct.__struct_config__.array_like:
            continue
        keys = [field.encode_name for field in msgspec.structs.fields(struct)]
        assert len(set(keys)) == len(keys)
        assert "t" not in keys
        assert all(re.fullmatch("[a-z]{1,3}", key) for key in keys)


def test_every_wire_key_is_in_use() -> None:
    used = {field.name for _, kind in EVERY for struct in structs_in(kind) for field in msgspec.structs.fields(struct)}
    assert set(WIRE_KEYS) - used == set()


@pytest.mark.parametrize("side", DIRECTIONS)
def test_a_tag_names_one_message(side: str) -> None:
    tags = [tag_of(kind) for kind in DIRECTIONS[side][0]]
    assert len(set(tags)) == len(tags)


def test_requests_carry_an_id_answers_carry_it_back_and_pushes_a_sequence() -> None:
    for kind in FROM_CLIENT:
        assert issubclass(kind, Request) or tag_of(kind) == "pong"
    for kind in FROM_SERVER:
        fields = {field.encode_name: field.required for field in msgspec.structs.fields(kind)}
        assert (fields.get("re") is True) == issubclass(kind, Answer)
        assert (fields.get("s") is True) == (issubclass(kind, Push) or kind is Attending)


def test_the_bytes_of_an_action_are_these() -> None:
    message = Act(id=7, game=1, number=30, action=Play(17))

    assert over_the_wire(message, limits.FROM_CLIENT) == {"t": "act", "id": 7, "g": 1, "n": 30, "a": ["play", 17]}
    assert len(framed(message)) == 30


def test_fields_at_their_default_do_not_travel() -> None:
    assert over_the_wire(Hello(id=0, major=1), limits.BEFORE_LOGIN) == {"t": "hello", "id": 0, "v": 1}
    assert over_the_wire(Resync(id=0), limits.FROM_CLIENT) == {"t": "resync", "id": 0}


# ── what else may come ───────────────────────────────────────────────────────────────────────────────────────────

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.sampled_from((-1, 2**31, 2**63, 2**64 - 1, -(2**63), 0.0, 1.0, float("nan"), float("inf"), 1e300))
    | st.text(max_size=20)
    | st.binary(max_size=20)
)
keys = st.sampled_from(sorted(set(WIRE_KEYS.values()))) | st.text(max_size=3)
values = st.recursive(
    scalars | st.sampled_from(("play", "dealt", "bid", "open", "\x1b[31m")),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=20,
)


@pytest.mark.parametrize("side", DIRECTIONS)
@given(content=st.dictionaries(keys, values), data=st.data())
def test_any_map_with_a_known_tag_is_that_message_or_invalid(
    side: str, content: dict[str, Any], data: st.DataObject
) -> None:
    kinds, read, _ = DIRECTIONS[side]
    kind = data.draw(st.sampled_from(kinds))

    message = read_or_refused({**content, "t": tag_of(kind)}, read)

    assert message is None or type(message) is kind


def places_in(content: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, key) of everything inside."""
    inside = list(content.items() if isinstance(content, dict) else enumerate(content))
    for key, value in inside:
        yield content, key
        if isinstance(value, dict | list):
            yield from places_in(value)


@every_message
@settings(max_examples=_EXAMPLES)
@given(data=st.data())
def test_a_message_with_one_value_exchanged_is_read_or_invalid(
    side: str, kind: type[msgspec.Struct], data: st.DataObject
) -> None:
    _, read, caps = DIRECTIONS[side]
    content = over_the_wire(data.draw(messages_of(kind, caps)), caps)
    container, key = data.draw(
        st.sampled_from([place for place in places_in(content) if place[1] != "t"] or [(content, "id")])
    )
    container[key] = data.draw(values)

    message = read_or_refused(content, read)

    if message is not None:
        assert type(message) is kind
        framed(message)


@every_message
def test_a_message_without_a_field_that_it_needs_is_invalid(side: str, kind: type[msgspec.Struct]) -> None:
    _, read, _ = DIRECTIONS[side]
    if any(field.required for field in msgspec.structs.fields(kind)):
        with pytest.raises(MessageInvalid, match="missing required field"):
            read({"t": tag_of(kind)})


@pytest.mark.parametrize("side", DIRECTIONS)
@pytest.mark.parametrize(
    "tag", ["", "nothing", "Hello", "hello ", "x" * 1000, None, 1, 1.5, True, b"hello", [], ["hello"], {}]
)
def test_a_tag_that_nobody_knows_is_unknown(side: str, tag: object) -> None:
    _, read, _ = DIRECTIONS[side]
    with pytest.raises(MessageUnknown):
        read({"t": tag, "id": 1})


@pytest.mark.parametrize("side", DIRECTIONS)
def test_a_map_without_a_tag_is_unknown(side: str) -> None:
    _, read, _ = DIRECTIONS[side]
    with pytest.raises(MessageUnknown):
        read({})


def test_each_side_knows_only_what_the_other_may_send() -> None:
    sent_by_both = {"ping", "pong"}
    for kind in FROM_SERVER:
        if tag_of(kind) not in sent_by_both:
            with pytest.raises(MessageUnknown):
                message_from_client({"t": tag_of(kind)})
    for kind in FROM_CLIENT:
        if tag_of(kind) not in sent_by_both:
            with pytest.raises(MessageUnknown):
                message_from_server({"t": tag_of(kind)})


@pytest.mark.parametrize("number", [True, False, 1.0, "1", b"1", None, [1], float("nan"), -1, 2**31, 2**63, 2**64 - 1])
@pytest.mark.parametrize("key", ["id", "g", "n"])
def test_only_a_whole_number_within_its_range_is_a_number(key: str, number: object) -> None:
    content: dict[str, Any] = {"t": "act", "id": 1, "g": 1, "n": 1, "a": ["pass"]}
    assert isinstance(message_from_client(content), Act)

    with pytest.raises(MessageInvalid):
        message_from_client({**content, key: number})


@pytest.mark.parametrize("number", [0, 1, LARGEST_COUNT])
def test_the_ends_of_a_range_are_inside(number: int) -> None:
    assert message_from_client({"t": "resync", "id": number, "g": number, "si": number}) == Resync(
        number, number, number
    )


@pytest.mark.parametrize(
    "action",
    [
        [],
        ["play"],
        ["play", None],
        ["play", "B15"],
        ["play", True],
        ["play", 1.0],
        ["fold"],
        ["play", [17]],
        "pass",
        {},
        [["pass"]],
        [1],
    ],
)
def test_what_is_no_action_is_invalid(action: object) -> None:
    with pytest.raises(MessageInvalid):
        message_from_client({"t": "act", "id": 1, "g": 1, "n": 1, "a": action})


def test_bytes_are_bytes_and_never_a_text_that_spells_them() -> None:
    assert message_from_client({"t": "nonce", "id": 1, "r": 1, "nc": bytes(16)}) == GiveNonce(1, 1, bytes(16))
    for nonce in ("AAAAAAAAAAAAAAAAAAAAAA==", "0" * 16, [0] * 16, bytes(15), bytes(17), b""):
        with pytest.raises(MessageInvalid):
            message_from_client({"t": "nonce", "id": 1, "r": 1, "nc": nonce})


@pytest.mark.parametrize("since", [-1, -(2**63)])
def test_no_place_is_counted_from_the_end(since: int) -> None:
    with pytest.raises(MessageInvalid):
        message_from_client({"t": "join", "id": 1, "c": "0", "si": since})


def test_what_a_peer_wrote_is_harmless_in_the_reason_of_a_refusal() -> None:
    with pytest.raises(MessageInvalid) as refusal:
        message_from_server({"t": "notice", "tx": "", "k": "\x1b[2J\u202e\x9b" + "x" * 1000})
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) <= 200


@pytest.mark.parametrize(
    ("content", "number"),
    [
        ({"id": 0}, 0),
        ({"id": LARGEST_COUNT}, LARGEST_COUNT),
        ({"id": LARGEST_COUNT + 1}, None),
        ({"id": -1}, None),
        ({"id": True}, None),
        ({"id": 1.0}, None),
        ({"id": "1"}, None),
        ({}, None),
    ],
)
def test_a_request_that_cannot_be_read_is_answered_by_its_id_where_it_has_one(
    content: dict[str, Any], number: int | None
) -> None:
    assert request_id_of(content) == number


# ── the largest honest message fits ──────────────────────────────────────────────────────────────────────────────


def test_the_longest_hello_fits_before_login() -> None:
    hello = Hello(
        id=LARGEST_COUNT,
        major=limits.PROTOCOL_MAJOR,
        minor=999,
        name=WIDEST * NAME_LENGTH,
        token=bytes(TOKEN_BYTES),
        hello_password=WIDEST * PASSWORD_LENGTH,
        client="x" * 64,
        can=("abilities",) * 8,
    )
    assert message_from_client(over_the_wire(hello, limits.BEFORE_LOGIN)) == hello


def test_a_hello_is_all_that_fits_before_login() -> None:
    with pytest.raises(FrameUnreadable):
        over_the_wire(Say(id=1, text="x" * 1000), limits.BEFORE_LOGIN)


WIDEST_RULES = rule_set(
    5,
    VARIANTS,
    scoring=ScoringTable(-SCORING_LIMIT, -SCORING_LIMIT, -SCORING_LIMIT, -SCORING_LIMIT, -SCORING_LIMIT),
    rounds=20,
    first_player="rotate",
)
WIDEST_OPTIONS = TableOptions(
    title=WIDEST * TITLE_LENGTH_SENT,
    clock_seconds=3600,
    absence="clock",
    private=True,
    spectators=False,
    spectators_talk=False,
    bots=5000,
    hint=False,
)


@pytest.mark.parametrize(
    "message",
    [
        CreateTable(LARGEST_COUNT, WIDEST_RULES, WIDEST_OPTIONS, WIDEST * PASSWORD_LENGTH),
        JoinTable(LARGEST_COUNT, "Z" * 16, 4, WIDEST * PASSWORD_LENGTH, LARGEST_COUNT, LARGEST_COUNT),
        Say(LARGEST_COUNT, WIDEST * CHAT_LENGTH),
        Act(LARGEST_COUNT, LARGEST_COUNT, LARGEST_COUNT, BIDS[63]),
        SeatBot(LARGEST_COUNT, 4, WIDEST * 16),
    ],
    ids=lambda message: type(message).__name__,
)
def test_the_largest_requests_fit(message: msgspec.Struct) -> None:
    assert message_from_client(over_the_wire(message, limits.FROM_CLIENT)) == message
    assert len(framed(message)) < limits.FROM_CLIENT.frame / 4


LONG_GAMES = {
    "five players": rule_set(5, VARIANTS, rounds=20),
    "four players and every card in hand": rule_set(4, VARIANTS, rounds=20, hand_size=16, max_bid=15),
    "two players": rule_set(2, VARIANTS, rounds=20, max_bid=15),
}


def snapshot_of(game: PlayedGame, steps: int) -> Attending:
    """Return what seat 0 is sent after so many steps, with as much beside the events as a table can hold."""
    rules = game.rules
    state = next(itertools.islice(game.states(), steps, None))
    seated = SeatInfo("person", WIDEST * NAME_LENGTH, "", connected=True, away="removed", stand_in=True, elsewhere=True)
    return Attending(
        answers=LARGEST_COUNT,
        sequence=2**40,
        code="Z" * CODE_LENGTH,
        title=WIDEST * TITLE_LENGTH_SENT,
        rules=rules,
        options=WIDEST_OPTIONS,
        phase="playing",
        host=WIDEST * NAME_LENGTH,
        seats=(seated,) * rules.players,
        game=LARGEST_COUNT,
        seat=0,
        events=tuple(redact(event, 0) for step in game.steps[:steps] for event in step),
        proofs=tuple(
            Proof(number, bytes(32), bytes(32), (bytes(16),) * rules.players) for number in range(1, state.round + 1)
        ),
        ready=tuple(range(rules.players)),
        ready_seconds=20,
        clock=3_600_000,
        legal=legal_of(state) if state.turn == 0 else None,
        chat=(ChatLine("said", WIDEST * CHAT_LENGTH, WIDEST * NAME_LENGTH, 4),) * 50,
        watching=(WIDEST * NAME_LENGTH,) * 20,
    )


@pytest.mark.parametrize("which", LONG_GAMES)
def test_a_snapshot_late_in_a_game_of_20_rounds_fits(which: str) -> None:
    game = play_game(LONG_GAMES[which], 1)
    late = max(step for step, state in enumerate(game.states()) if state.phase is Phase.PLAYING and state.turn == 0)

    message = snapshot_of(game, late)

    assert message_from_server(over_the_wire(message, limits.FROM_SERVER)) == message
    assert message.legal is not None
    assert len(framed(message)) < limits.FROM_SERVER.frame / 2
    assert len(message.events) < limits.FROM_SERVER.array / 2


@pytest.mark.parametrize("which", LONG_GAMES)
def test_the_record_of_a_game_of_20_rounds_fits(which: str) -> None:
    game = play_game(LONG_GAMES[which], 1)
    record = record_of(game.rules, [WIDEST * NAME_LENGTH] * game.rules.players, game.events)
    message = RecordText(LARGEST_COUNT, json.dumps(record_to_json(record)))

    assert message_from_server(over_the_wire(message, limits.FROM_SERVER)) == message


def test_a_page_of_50_tables_fits() -> None:
    line = TableLine(
        code="Z" * CODE_LENGTH,
        title=WIDEST * TITLE_LENGTH_SENT,
        host=WIDEST * NAME_LENGTH,
        rules=WIDEST_RULES,
        options=WIDEST_OPTIONS,
        phase="gathering",
        open_seats=5,
        names=(WIDEST * NAME_LENGTH,) * 5,
        needs_password=True,
        watching=20,
    )
    message = Tables(LARGEST_COUNT, (line,) * 50, 1000, 1000)
    assert message_from_server(over_the_wire(message, limits.FROM_SERVER)) == message


def test_a_refusal_needs_no_request() -> None:
    content = msgpack.unpackb(framed(Refused("frame/unreadable", "No."))[4:])
    assert content == {"t": "refused", "er": "frame/unreadable", "tx": "No."}
    assert message_from_server(content) == Refused("frame/unreadable", "No.")


@pytest.mark.parametrize(
    "event",
    [["played", 0, 64], ["played", 0, 10**10], ["played", 5, 3], ["bid", -1, 3], ["dealt", 1, 9, [], None]],
    ids=repr,
)
def test_cards_and_seats_that_do_not_exist_are_refused_before_anything_is_shifted_by_them(event: list[object]) -> None:
    with pytest.raises(MessageInvalid):
        message_from_server({"t": "ev", "s": 1, "e": [event]})
    with pytest.raises(MessageInvalid):
        message_from_client({"t": "act", "id": 1, "g": 1, "n": 1, "a": ["play", 64]})

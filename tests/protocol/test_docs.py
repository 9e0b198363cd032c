"""docs/protocol.md says what the code does: every message, field, limit, code and example is compared or decoded.

What the page keeps to: a message or part has a heading `### Name` or `### Name · `tag``, under it a table of its fields
and examples in blocks marked `json message`, where bytes are written `{"hex": "…"}`.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from looseends_core import cards
from looseends_core.actions import Action
from looseends_core.events import Event
from looseends_core.rules import DEFAULT_HAND, RuleSet, default_max_bid, rules_from_json
from looseends_core.scoring import NAMED_TABLES
from looseends_core.shuffle import Fairness, commitment_of, shuffled_deal
from looseends_protocol import limits
from looseends_protocol.codes import ALPHABET
from looseends_protocol.errors import ERRORS
from looseends_protocol.frames import FrameSplitter, framed, unpacked
from looseends_protocol.limits import FrameCaps
from looseends_protocol.messages import (
    FROM_CLIENT,
    FROM_SERVER,
    ChatLine,
    ContestLine,
    GameLine,
    Leader,
    Legal,
    NumbersLine,
    Proof,
    ReviewedDecision,
    SeatHeld,
    SeatInfo,
    TableLine,
    TableOptions,
    TablePhase,
    WeighedAction,
    message_from_client,
    message_from_server,
)
from looseends_server.limits import Limits, Pace
from tests.protocol.from_annotations import structs_in
from tests.protocol.test_errors import refusals_of_the_rules

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")

MESSAGES = tuple(dict.fromkeys((*FROM_CLIENT, *FROM_SERVER)))
PARTS = (
    TableOptions,
    SeatInfo,
    TableLine,
    SeatHeld,
    Proof,
    ChatLine,
    WeighedAction,
    GameLine,
    ReviewedDecision,
    ContestLine,
    NumbersLine,
    Leader,
)
READERS = (
    (FROM_CLIENT, message_from_client, limits.FROM_CLIENT),
    (FROM_SERVER, message_from_server, limits.FROM_SERVER),
)


def sections() -> dict[str, str]:
    """Return the text under each heading of the third level, up to the next heading."""
    parts = re.split(r"^(#{1,6} .*)$", PAGE, flags=re.MULTILINE)
    return {
        heading[4:]: body for heading, body in zip(parts[1::2], parts[2::2], strict=True) if heading.startswith("### ")
    }


def blocks(label: str, text: str = PAGE) -> list[Any]:
    """Return the JSON of each fenced block with this label."""
    return [with_bytes(json.loads(block)) for block in re.findall(rf"^```json {label}\n(.*?)^```$", text, re.M | re.S)]


def with_bytes(content: Any) -> Any:
    """Return the value with `{"hex": "…"}` as the bytes it stands for."""
    match content:
        case {"hex": str(digits)} if len(content) == 1:
            return bytes.fromhex(digits)
        case dict():
            return {key: with_bytes(value) for key, value in content.items()}
        case list():
            return [with_bytes(value) for value in content]
    return content


def rows(text: str) -> list[list[str]]:
    """Return the cells of each table row, without the code marks."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines]


def kind_words(info: inspect.Type) -> str:
    """Return a type as the page writes it."""
    match info:
        case inspect.StructType(cls=cls):
            return {"RuleSet": "rules", "Legal": "legal list"}.get(cls.__name__, cls.__name__)
        case inspect.UnionType(types=types):
            if len(types) > 2:
                return "event" if len(types) > 5 else "action"
            return " or ".join(kind_words(one) for one in types).replace("NoneType", "nil")
        case inspect.NoneType():
            return "nil"
        case inspect.BoolType():
            return "bool"
        case inspect.LiteralType(values=values):
            if set(values) == set(get_args(TablePhase)):
                return "phase"
            return " or ".join(f'"{value}"' for value in values)
        case inspect.IntType(ge=low, le=high):
            if low is None:
                return "int"
            return "int 0.." if high == limits.LARGEST_COUNT else f"int {low}..{high}"
        case inspect.StrType(min_length=shortest, max_length=longest):
            return "str" if longest is None else f"str {shortest or 0}..{longest}"
        case inspect.BytesType(max_length=longest):
            return "bin" if longest is None else f"bin {longest}"
        case inspect.VarTupleType(item_type=item):
            return f"array of {kind_words(item)}"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(kind_words(one) for one in items)}]"
    raise TypeError(f"no words for {info}")


def default_words(field: msgspec.structs.FieldInfo) -> str:
    """Return a field's default as the page writes it."""
    if field.required:
        return "needed"
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    if value is None:
        return "nil"
    if isinstance(value, msgspec.Struct):
        return "all defaults"
    if isinstance(value, bytes):
        return "no bytes"
    return json.dumps(value)


def field_rows(kind: type[msgspec.Struct]) -> list[list[str]]:
    """Return the first four cells of the table that the page must have for a type."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return [
        [field.encode_name, field.name, kind_words(of.type), default_words(field)]
        for field, of in zip(msgspec.structs.fields(kind), info.fields, strict=True)
    ]


def heading_of(kind: type[msgspec.Struct]) -> str:
    tag = kind.__struct_config__.tag
    return f"{kind.__name__} · `{tag}`" if tag else kind.__name__


# ── messages and their parts ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", [*MESSAGES, *PARTS], ids=lambda kind: kind.__name__)
def test_every_field_is_in_the_table_of_its_message(kind: type[msgspec.Struct]) -> None:
    table = [row for row in rows(sections()[heading_of(kind)]) if len(row) == 5][2:]

    assert [row[:4] for row in table] == field_rows(kind)
    assert all(meaning.endswith(".") for *_, meaning in table)


def test_every_part_of_a_message_has_its_table() -> None:
    inside = {struct for kind in MESSAGES for struct in structs_in(kind)} - set(MESSAGES)
    assert {struct for struct in inside if struct.__module__.startswith("looseends_protocol")} == {*PARTS, Legal}


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_message_has_an_example_that_comes_back_from_the_wire_as_it_is_written(
    kind: type[msgspec.Struct],
) -> None:
    examples = blocks("message", sections()[heading_of(kind)])
    assert examples
    for kinds, read, caps in READERS:
        for content in examples if kind in kinds else ():
            payload = msgspec.msgpack.encode(content)
            message = read(unpacked(payload, caps))
            (again,) = FrameSplitter(caps).feed(framed(message))
            assert type(message) is kind
            assert unpacked(again, caps) == content


def test_every_block_of_json_on_the_page_is_read_by_a_test() -> None:
    labels = set(re.findall(r"^```json *(.*)$", PAGE, re.MULTILINE))
    assert labels == {"message", "events", "actions", "rules", "shuffle", "frame"}


def test_messages_stand_under_the_side_that_sends_them() -> None:
    chapters = dict(re.findall(r"^## (Sent by .*?)\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL))
    both = [kind for kind in FROM_CLIENT if kind in FROM_SERVER]
    expected = {
        "Sent by both sides": both,
        "Sent by a client": [kind for kind in FROM_CLIENT if kind not in both],
        "Sent by a server": [kind for kind in FROM_SERVER if kind not in both],
    }
    assert {name: re.findall(r"^### (\w+) ·", text, re.MULTILINE) for name, text in chapters.items()} == {
        name: [kind.__name__ for kind in kinds] for name, kinds in expected.items()
    }


def test_the_first_frame_of_the_page_is_these_bytes() -> None:
    (frame,) = blocks("frame")
    (payload,) = FrameSplitter(limits.BEFORE_LOGIN).feed(frame["bytes"])
    assert unpacked(payload, limits.BEFORE_LOGIN) == frame["map"]
    assert framed(message_from_client(frame["map"])) == frame["bytes"]


# ── the game ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("label", "union"), [("events", Event), ("actions", Action)])
def test_every_form_of_an_event_and_an_action_is_shown(label: str, union: Any) -> None:
    (shown,) = blocks(label)
    typed = msgspec.convert(shown, tuple[union, ...])

    assert msgspec.msgpack.decode(msgspec.msgpack.encode(typed)) == shown
    assert [type(one) for one in typed] == list(union.__args__)


def test_the_example_of_rules_is_inside_its_limits() -> None:
    for written in blocks("rules"):
        assert isinstance(rules_from_json(written), RuleSet)


def test_the_defaults_of_rules_are_on_the_page() -> None:
    table = rows(sections()["What is usual"])[2:]
    assert table == [
        [str(players), str(len(cards.deck(players, False))), str(DEFAULT_HAND[players]), str(default_max_bid(players))]
        for players in (2, 3, 4, 5)
    ]


def test_the_scoring_tables_are_on_the_page() -> None:
    table = rows(sections()["Scoring"])[2:]
    assert table == [[name, *map(str, msgspec.structs.astuple(scoring))] for name, scoring in NAMED_TABLES.items()]


def test_card_numbers_are_as_the_page_says() -> None:
    table = rows(sections()["Card numbers"])[2:]
    assert [(row[0], row[2]) for row in table] == [
        (name, f"{first}..{last}")
        for name, first, last in (
            ("Blue", 0, 14),
            ("Red", 15, 29),
            ("Green", 30, 44),
            ("Yellow", 45, 59),
            ("Getaway", 60, 63),
        )
    ]
    for _, written, numbers in table:
        (first, last), (low, high) = written.split(".."), numbers.split("..")
        assert (cards.parse(first), cards.parse(last)) == (int(low), int(high))


def test_the_worked_shuffle_is_right() -> None:
    (example,) = blocks("shuffle")
    rules = rules_from_json(example["rules"])
    fairness = Fairness(example["secret"], tuple(example["nonces"]))

    deal = shuffled_deal(rules, example["round"], fairness)

    assert commitment_of(fairness.secret) == example["commitment"]
    assert deal.hands == tuple(map(tuple, example["hands"]))
    assert deal.first == example["first"]


def test_the_steps_of_the_worked_shuffle_are_what_the_page_says_in_words() -> None:
    (example,) = blocks("shuffle")
    domain = b"no-loose-ends/shuffle/1"
    parts = (domain, example["round"].to_bytes(4, "big"), example["secret"], *example["nonces"])
    seed = hashlib.sha256(b"".join(parts)).digest()
    block = hashlib.sha256(seed + bytes(8)).digest()
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]

    assert f"the {len(domain)} bytes `{domain.decode()}`" in " ".join(PAGE.split())
    assert (seed, block) == (example["seed"], example["first_block"])
    assert [word % n for word, n in zip(words, range(48, 40, -1), strict=True)] == example["first_draws"]


# ── numbers and codes ────────────────────────────────────────────────────────────────────────────────────────────


def test_the_caps_of_frames_are_on_the_page() -> None:
    table = rows(sections()["Caps of a frame"])
    by_name = {row[0]: row[1:] for row in table}
    for name, caps in (
        ("to a server, before hello", limits.BEFORE_LOGIN),
        ("to a server, after hello", limits.FROM_CLIENT),
        ("to a client", limits.FROM_SERVER),
    ):
        assert by_name[name] == [str(getattr(caps, field)) for field in FrameCaps.__struct_fields__]


def test_the_numbers_of_the_wire_are_on_the_page() -> None:
    for number in (
        limits.DEFAULT_PORT,
        limits.PROTOCOL_MAJOR,
        limits.NAME_LENGTH,
        limits.CHAT_LENGTH,
        limits.CODE_LENGTH,
    ):
        assert re.search(rf"\b{number}\b", PAGE)
    assert ALPHABET in PAGE
    assert f"version {limits.PROTOCOL_MAJOR}.{limits.PROTOCOL_MINOR}" in PAGE


def test_the_limits_of_a_server_are_its_defaults() -> None:
    defaults: dict[str, Any] = {**msgspec.structs.asdict(Pace()), **msgspec.structs.asdict(Limits())}
    table = [row for row in rows(sections()["Limits of a server"]) if len(row) == 3][2:]
    assert len(table) >= 15
    assert {name: float(value) for name, value, _ in table} == {name: float(defaults[name]) for name, *_ in table}


def test_every_error_of_the_server_is_listed_with_its_sentence() -> None:
    table = [row for row in rows(sections()["Refusals of the server"]) if len(row) == 3][2:]
    assert {code: sentence for code, sentence, _ in table} == {
        code: sentence.replace("`", "") for code, sentence in ERRORS.items()
    }


def test_every_refusal_of_the_rules_is_listed() -> None:
    table = [row for row in rows(sections()["Refusals of the rules"]) if len(row) == 2][2:]
    assert {code for code, _ in table} == set(refusals_of_the_rules())


def test_every_link_leads_to_a_heading_or_a_file() -> None:
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    targets = re.findall(r"\]\(([^)]+)\)", PAGE)
    assert targets
    for target in targets:
        if target.startswith("#"):
            assert target[1:] in anchors
        elif not target.startswith("https://"):
            assert (Path(__file__).parents[2] / "docs" / target).exists()

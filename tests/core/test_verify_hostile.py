"""Verification of anything at all: the answer is a verdict, never an exception, and never a wrong yes."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from looseends_core.record import events_of, record_from_json, record_of, record_to_json
from looseends_core.rules import rule_set
from looseends_core.verify import verify_lines, verify_text
from tests.core.table import Table
from tests.strategies import PlayedGame, games, play_game

# Relative to the profile, so that a thorough one is thorough here too.
MORE = settings(max_examples=10 * settings().max_examples)


def a_choice() -> dict[str, Any]:
    table = Table("R9 R1 R5 | R2 G1 G2", first=1, max_bid=2, scoring="simplified")
    table.run("1 bid G1, 0 bid R1, 1 bid G2, 0 bid R5, 1 pass, 0 pass, 0 R9, 1 R2, 0 cover R1")
    return record_to_json(table.record())


def a_proven_game() -> dict[str, Any]:
    rules = rule_set(3, ("double-cross", "getaway", "plan-b"), rounds=2, hand_size=4, max_bid=2, first_player="rotate")
    return record_to_json(record_of(rules, ["ann", "bo", "cy"], play_game(rules, 11).events))


RECORDS = [a_choice(), a_proven_game()]
RIGHT = json.dumps(RECORDS[1]).encode()


def assert_a_verdict(text: bytes) -> str | None:
    """Return the fault, None if there is none, and assert that it can be printed on one short line."""
    fault = verify_text(text).fault
    if fault is not None:
        assert fault.isprintable()
        assert 0 < len(fault) < 400
        fault.encode()
    return fault


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", "not JSON"),
        (b"null", "a record is a JSON object, not nothing"),
        (b"[]", "a record is a JSON object, not a list"),
        (b"4", "a record is a JSON object, not a number"),
        (b"1.5", "a record is a JSON object, not a number"),
        (b'"text"', "a record is a JSON object, not a text"),
        (b"true", "a record is a JSON object, not true or false"),
        (b"{}", "format must be"),
        (b"{", "not JSON"),
        (b"{'format': 1}", "not JSON"),
        (b"\x00", "not JSON"),
        (b"\xff\xfe{}", "not JSON: byte 0 is not UTF-8"),
        (b'{"a": "\xc3\x28"}', "not JSON: byte 7 is not UTF-8"),
        (b'{"a": "\xed\xa0\x80"}', "not JSON: byte 7 is not UTF-8"),  # a surrogate
        (RIGHT.decode().encode("utf-16"), "not JSON"),
        (RIGHT.decode().encode("utf-16-le"), "not JSON"),
        (b"\xef\xbb\xbf" + RIGHT, "not JSON: it begins with a byte order mark"),
        (RIGHT + b" x", "not JSON"),
        (RIGHT + RIGHT, "not JSON"),
        (b"[" * 100_000, "not a record: lists or objects are nested too deep"),
        (b'{"a":' * 100_000, "not a record: lists or objects are nested too deep"),
        (b"[" * 100_000 + b"]" * 100_000, "not a record: lists or objects are nested too deep"),
        (b"NaN", "not JSON: NaN"),
        (b'{"a": NaN}', "not JSON: NaN"),
        (b'{"a": Infinity}', "not JSON: Infinity"),
        (b'{"a": -Infinity}', "not JSON: -Infinity"),
        (b"9" * 5000, "not a record: a number in it has thousands of digits"),
        (b'{"version": ' + b"9" * 5000 + b"}", "not a record: a number in it has thousands of digits"),
        (b'{"version": 1, "version": 1}', "not a record: an object in it has the same key twice"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_what_is_no_record_gets_a_sentence(text: bytes, expected: str) -> None:
    fault = assert_a_verdict(text)
    assert fault is not None
    assert fault.startswith(expected)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_json_number_is_refused_under_a_key_that_is_ignored_too(number: str) -> None:
    assert assert_a_verdict(RIGHT[:-1] + f', "note": {number}}}'.encode()) == f"not JSON: {number} is no JSON number"


@pytest.mark.parametrize("note", ["1e999", "-1e999", '"\\ud800"', '{"a": [null]}', "9" * 4000, "[" * 400 + "]" * 400])
def test_any_json_is_fine_under_a_key_that_is_ignored(note: str) -> None:
    assert assert_a_verdict(RIGHT[:-1] + f', "note": {note}}}'.encode()) is None


HUGE = ["1e999", "-1e999", "1e308", "9" * 4000, "-" + "9" * 4000, "1.0", "true", "null", '"\\ud800"']


@pytest.mark.parametrize("value", HUGE, ids=lambda value: value[:12])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"version": ', "1"),
        ('"players": ', "3"),
        ('"rounds": ', "2"),
        ('"hand_size": ', "4"),
        ('"max_bid": ', "2"),
        ('"first": ', str(RECORDS[1]["rounds"][0]["first"])),
        ('"delta": [', str(RECORDS[1]["rounds"][0]["delta"][0])),
        ('"scores": [', str(RECORDS[1]["scores"][0])),
        ('"winners": [', str(RECORDS[1]["winners"][0])),
        ('"actions": [[', str(RECORDS[1]["rounds"][0]["actions"][0][0])),
    ],
)
def test_a_number_of_another_kind_is_refused_wherever_a_whole_number_belongs(
    before: str, after: str, value: str
) -> None:
    text = RIGHT.decode()
    assert before + after in text
    fault = assert_a_verdict(text.replace(before + after, before + value, 1).encode())
    assert fault is not None
    assert not fault.startswith("not JSON")


@pytest.mark.parametrize("at", range(0, len(RIGHT), 7))
def test_a_truncated_record_is_refused(at: int) -> None:
    assert assert_a_verdict(RIGHT[:at]) is not None


@MORE
@given(text=st.binary(max_size=300))
@example(b"\xef\xbb\xbf")
def test_random_bytes_get_a_verdict(text: bytes) -> None:
    assert assert_a_verdict(text) is not None
    for verdict in verify_lines(text.splitlines(keepends=True)):
        assert verdict.fault is not None


@MORE
@given(at=st.integers(0, len(RIGHT) - 1), with_byte=st.integers(0, 255))
def test_one_changed_byte_is_noticed_or_changes_nothing_that_counts(at: int, with_byte: int) -> None:
    text = RIGHT[:at] + bytes([with_byte]) + RIGHT[at + 1 :]
    if assert_a_verdict(text) is None:
        assert_recomputed(json.loads(text))


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the path of every node of a JSON value."""
    found = [path]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += paths(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            found += paths(inner, (*path, at))
    return found


def as_ours(written: dict[str, Any]) -> dict[str, Any]:
    """Return a record with what means nothing taken out: unknown keys, the case of hex, a commitment."""
    kept: dict[str, Any] = {
        key: written[key]
        for key in ("format", "version", "rules", "players", "rounds", "scores", "winners")
        if key in written
    }
    kept["rounds"] = [
        {key: played[key] for key in ("first", "hands", "fairness", "actions", "delta") if key in played}
        for played in written["rounds"]
    ]
    for played in kept["rounds"]:
        if "fairness" in played:
            proof = played["fairness"]
            played["fairness"] = {
                "secret": proof["secret"].lower(),
                "nonces": [nonce.lower() for nonce in proof["nonces"]],
            }
    return kept


def assert_recomputed(written: dict[str, Any]) -> None:
    """Assert that all of an accepted record follows from its rules, deals and actions alone."""
    record = record_from_json(written)
    again = record_to_json(record_of(record.rules, record.players, events_of(record)))
    # As text, because Python takes 1, 1.0 and true for equal.
    assert json.dumps(as_ours(again), sort_keys=True) == json.dumps(as_ours(written), sort_keys=True)


JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(["B1", "R9", "X1", "pass", "bid", "play", "double-cross", "getaway", "rotate", "simplified", ""])
    | st.text(max_size=8)
    | st.sampled_from([10**4000, -(10**4000), "00" * 32, "00" * 16, "\ud800"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@MORE
@given(data=st.data(), value=JSON_VALUES)
def test_any_node_replaced_by_anything_is_refused_or_still_adds_up(data: st.DataObject, value: object) -> None:
    written = copy.deepcopy(data.draw(st.sampled_from(RECORDS)))
    path = data.draw(st.sampled_from(paths(written)[1:]))
    at: Any = written
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    if assert_a_verdict(json.dumps(written).encode()) is None:
        assert_recomputed(json.loads(json.dumps(written)))


@MORE
@given(data=st.data())
def test_a_node_left_out_doubled_or_exchanged_is_refused_or_still_adds_up(data: st.DataObject) -> None:
    written = copy.deepcopy(data.draw(st.sampled_from(RECORDS)))
    path = data.draw(st.sampled_from(paths(written)[1:]))
    at: Any = written
    for step in path[:-1]:
        at = at[step]
    if isinstance(at, dict):
        del at[path[-1]]
    else:
        place, other = int(path[-1]), data.draw(st.integers(0, len(at) - 1))
        match data.draw(st.sampled_from(["leave out", "double", "exchange"])):
            case "leave out":
                del at[place]
            case "double":
                at.insert(other, at[place])
            case _:
                at[place], at[other] = at[other], at[place]
    if assert_a_verdict(json.dumps(written).encode()) is None:
        assert_recomputed(written)


@given(game=games(max_rounds=2, max_hand=6), data=st.data())
def test_a_wrong_delta_is_found_in_every_game(game: PlayedGame, data: st.DataObject) -> None:
    names = ["player"] * game.rules.players
    written = record_to_json(record_of(game.rules, names, game.events))
    number = data.draw(st.integers(1, game.rules.rounds))
    seat = data.draw(st.integers(0, game.rules.players - 1))
    written["rounds"][number - 1]["delta"][seat] += data.draw(st.integers(-9, 9).filter(bool))
    fault = assert_a_verdict(json.dumps(written).encode())
    assert fault is not None
    assert fault.startswith(f"round {number}: delta")

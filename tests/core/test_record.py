"""Records: how a game is written down, and what is refused before any rule is looked at."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from looseends_core.record import (
    GameRecord,
    RecordFault,
    RoundRecord,
    events_of,
    record_from_json,
    record_of,
    record_to_json,
)
from looseends_core.rules import rule_set
from looseends_core.shuffle import Fairness, shuffled_deal
from tests.core.table import Table
from tests.strategies import play_game


def finished() -> dict[str, Any]:
    """Return a finished game of one round, with a choice in it."""
    table = Table("R9 R1 R5 | R2 G1 G2", first=1, max_bid=2)
    table.run("1 bid G1, 0 bid R1, 1 bid G2, 0 bid R5, 1 pass, 0 pass, 0 R9, 1 R2, 0 cover R1")
    return record_to_json(table.record())


def test_a_record_is_written_as_the_format_says() -> None:
    assert finished() == {
        "format": "no-loose-ends/record",
        "version": 1,
        "rules": {
            "players": 2,
            "variants": [],
            "scoring": "standard",
            "rounds": 1,
            "hand_size": 3,
            "max_bid": 2,
            "first_player": "random",
        },
        "players": ["seat 0", "seat 1"],
        "rounds": [
            {
                "first": 1,
                "hands": [["R9", "R1", "R5"], ["R2", "G1", "G2"]],
                "actions": [
                    *([1, "bid", "G1"], [0, "bid", "R1"], [1, "bid", "G2"], [0, "bid", "R5"], [1, "pass"], [0, "pass"]),
                    *([0, "play", "R9"], [1, "play", "R2"], [0, "cover", "R1"]),
                ],
                "delta": [1, -2],
            }
        ],
        "scores": [6, 3],
        "winners": [0],
    }


@pytest.mark.rule("C2")
def test_an_automatic_cover_is_no_action_of_a_record() -> None:
    table = Table("R9 R1 | R2 G1", first=1, max_bid=1)
    table.run("1 bid G1, 0 bid R1, 1 pass, 0 pass, 0 R9, 1 R2")
    assert table.covered(0) == "R1"
    assert len(table.record().rounds[0].actions) == 6


@pytest.mark.rule("V1")
def test_a_double_cross_is_written_by_its_word() -> None:
    table = Table("R1 R2 | B1 B2", variants="double-cross", max_bid=1)
    table.run("0 bid R1, 1 bid B1, 0 double-cross")
    assert record_to_json(table.record())["rounds"][0]["actions"][-1] == [0, "double-cross"]


def test_a_game_before_its_first_deal_is_a_record_without_rounds() -> None:
    record = record_of(rule_set(2), ["ann", "bot:rookie"], [])
    assert record == GameRecord(rule_set(2), ("ann", "bot:rookie"), ())
    assert "scores" not in record_to_json(record)
    assert record_from_json(record_to_json(record)) == record


@pytest.mark.rule("F1")
def test_a_proof_is_written_in_hex_with_its_commitment() -> None:
    rules = rule_set(2, rounds=1)
    game = play_game(rules, 1)
    written = record_to_json(record_of(rules, ["a", "b"], game.events))["rounds"][0]["fairness"]
    assert set(written) == {"secret", "nonces", "commitment"}
    fairness = Fairness(bytes.fromhex(written["secret"]), tuple(map(bytes.fromhex, written["nonces"])))
    assert shuffled_deal(rules, 1, fairness).hands == game.deals[0].hands
    assert bytes.fromhex(written["commitment"]) == fairness.commitment


def test_a_commitment_is_optional_and_hex_may_be_in_capitals() -> None:
    written = record_to_json(record_of(rule_set(2, rounds=1), ["a", "b"], play_game(rule_set(2, rounds=1), 1).events))
    fairness = written["rounds"][0]["fairness"]
    del fairness["commitment"]
    lower = record_from_json(written)
    assert lower.rounds[0].commitment is None
    fairness["secret"] = fairness["secret"].upper()
    fairness["nonces"] = [nonce.upper() for nonce in fairness["nonces"]]
    assert record_from_json(written) == lower
    assert events_of(lower) == play_game(rule_set(2, rounds=1), 1).events


def test_keys_of_others_are_ignored_everywhere_but_in_the_rules() -> None:
    plain = finished()
    noted = copy.deepcopy(plain)
    noted["date"] = "a Tuesday"
    noted["rounds"][0]["place"] = {"table": 4}
    assert record_from_json(noted) == record_from_json(plain)
    noted["rules"]["house"] = True
    with pytest.raises(RecordFault, match=r"^rules: 'house' is no option"):
        record_from_json(noted)


@pytest.mark.parametrize("name", ["a", "a" * 64, "bot:sharp", "Zoë", "👩‍🚀", " ", "[/x]"])
def test_a_name_has_1_to_64_characters(name: str) -> None:
    written = {**finished(), "players": ["ann", name]}
    assert record_from_json(written).players == ("ann", name)


MISTYPED: list[Any] = [None, True, 1, -1, 1.0, 1e308, 10**4000, "", "text", "\ud800", [], {}, [[]], [None], {"a": 1}]

PLACES: list[tuple[tuple[str | int, ...], str | tuple[str, ...]]] = [
    ((), ("a record is a JSON object", "format must be")),
    (("format",), "format must be"),
    (("version",), "version must be"),
    (("rules",), "rules: "),
    (("players",), "players: "),
    (("players", 1), "players: seat 1 must have a name"),
    (("rounds",), ("rounds: must be a list", "round 1: must be an object")),
    (("rounds", 0), "round 1: "),
    (("rounds", 0, "first"), "round 1: first"),
    (("rounds", 0, "hands"), "round 1: hands"),
    (("rounds", 0, "hands", 1), "round 1: hands of seat 1"),
    (("rounds", 0, "hands", 1, 2), "round 1: hands of seat 1"),
    (("rounds", 0, "fairness"), "round 1: fairness"),
    (("rounds", 0, "actions"), ("round 1: actions", "round 1 action 0: ")),
    (("rounds", 0, "actions", 3), "round 1 action 3: "),
    (("rounds", 0, "actions", 3, 0), "round 1 action 3: "),
    (("rounds", 0, "actions", 3, 1), "round 1 action 3: "),
    (("rounds", 0, "actions", 3, 2), "round 1 action 3: "),
    (("rounds", 0, "delta"), "round 1: delta"),
    (("rounds", 0, "delta", 0), "round 1: delta"),
    (("scores",), "scores"),
    (("scores", 0), "scores"),
    (("winners",), "winners"),
    (("winners", 0), "winners"),
]


def with_value(written: Any, path: tuple[str | int, ...], value: object) -> Any:
    """Return a copy of a JSON value with the value at a path replaced."""
    if not path:
        return value
    changed = copy.deepcopy(written)
    at = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return changed


@pytest.mark.parametrize(("path", "fault"), PLACES, ids=[".".join(map(str, path)) or "whole" for path, _ in PLACES])
def test_a_value_of_another_type_is_refused_with_its_place(
    path: tuple[str | int, ...], fault: str | tuple[str, ...]
) -> None:
    refused = 0
    for value in MISTYPED:
        if _fits(path, value):
            continue
        with pytest.raises(RecordFault) as caught:
            record_from_json(with_value(finished(), path, value))
        assert str(caught.value).startswith(fault), (value, str(caught.value))
        assert len(str(caught.value)) < 300
        str(caught.value).encode()
        refused += 1
    assert refused >= 9


def _fits(path: tuple[str | int, ...], value: object) -> bool:
    """Return whether the value is of the right type there after all; whether it is right is for `verify`."""
    whole = type(value) is int
    match path:
        case ("players", 1):
            return isinstance(value, str) and value != ""
        case ("version",) | ("rounds", 0, "first") | ("winners", 0) | ("rounds", 0, "actions", 3, 0):
            return whole and value == 1
        case ("rounds", 0, "delta", 0) | ("scores", 0):
            return whole
        case ("rounds",) | ("rounds", 0, "actions") | ("rounds", 0, "hands", 1):
            return value == []
    return False


@pytest.mark.parametrize(
    "path",
    [path for path, _ in PLACES if path and isinstance(path[-1], str) and path[-1] not in ("delta", "fairness")],
    ids=lambda path: ".".join(map(str, path)),
)
def test_a_missing_key_is_refused_unless_it_is_optional(path: tuple[str | int, ...]) -> None:
    written = copy.deepcopy(finished())
    at: Any = written
    for step in path[:-1]:
        at = at[step]
    del at[path[-1]]
    if path[-1] in ("scores", "winners"):  # unfinished, as far as the shape goes
        assert getattr(record_from_json(written), str(path[-1])) is None
    else:
        with pytest.raises(RecordFault, match=str(path[-1])):
            record_from_json(written)


ACTIONS: list[Any] = [
    *([0], [0, "pass", None], [0, "pass", "B1"], [0, "double-cross", "B1"], [0, "bid"], [0, "play"], [0, "cover"]),
    *([0, "bid", "B1", "B2"], [0, "bid", None], [0, "bid", 3], [0, "play", "B01"], [0, "play", "b1"], [0, "Pass"]),
    *([0, "passed"], [0, "say", "B1"], [True, "pass"], [0.0, "pass"], ["0", "pass"], [None, "pass"], [2, "pass"]),
    *([-1, "pass"], [10**30, "pass"], ["pass", 0], ["pass"], [0, ["pass"]], [0, {"pass": 1}], [0, "play", "B16"]),
]


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: ascii(action)[:40])
def test_an_action_is_written_in_one_of_five_ways_exactly(action: object) -> None:
    with pytest.raises(RecordFault) as caught:
        record_from_json(with_value(finished(), ("rounds", 0, "actions", 2), action))
    assert caught.value.place == "round 1 action 2"


def test_more_rounds_than_the_rules_say_are_refused() -> None:
    written = finished()
    written["rounds"] *= 2
    with pytest.raises(RecordFault, match=r"^rounds: there are 2, but the rules say 1"):
        record_from_json(written)


def test_a_round_says_what_it_was_dealt() -> None:
    played = RoundRecord(1, ((1,), (2,)), None, (), None)
    assert (played.deal.hands, played.deal.first, played.deal.fairness) == (((1,), (2,)), 1, None)

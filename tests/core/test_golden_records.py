"""Records that a second engine made, and this one's findings about them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from looseends_core.record import events_of, record_from_json, record_of, record_to_json
from looseends_core.verify import verify_lines, verify_text

GOLDEN = Path(__file__).parent.parent / "golden"
GOOD = (GOLDEN / "good.jsonl").read_bytes().splitlines(keepends=True)
BAD: list[dict[str, Any]] = [json.loads(line) for line in (GOLDEN / "bad.jsonl").read_bytes().splitlines()]


def test_every_good_record_is_accepted() -> None:
    verdicts = list(verify_lines(GOOD))
    assert len(verdicts) == 101
    assert [verdict for verdict in verdicts if verdict.fault is not None] == []
    assert any(verdict.unproven for verdict in verdicts)
    assert not all(verdict.unproven for verdict in verdicts)


def test_good_records_hold_games_of_every_kind() -> None:
    records = [json.loads(line) for line in GOOD]
    assert {frozenset(record["rules"]["variants"]) for record in records} >= {frozenset(), frozenset({"plan-b"})}
    assert {record["rules"]["players"] for record in records} == {2, 3, 4, 5}
    assert any("scores" not in record for record in records)
    assert any(len(record.get("winners", [])) > 1 for record in records)
    assert {record["rules"]["first_player"] for record in records} == {"random", "rotate"}


@pytest.mark.parametrize("line", range(len(GOOD)))
def test_a_good_record_goes_through_events_and_back(line: int) -> None:
    written = json.loads(GOOD[line])
    record = record_from_json(written)
    again = record_to_json(record_of(record.rules, record.players, events_of(record)))
    for played in again["rounds"]:
        played.get("fairness", {}).pop("commitment", None)  # ours to add, and optional
    assert again == written


def place_in(why: str) -> str:
    """Return the place that a golden `why` names, in the form of a fault of `verify`."""
    kind, found = why.split(": ", 1)
    if found.startswith("rules"):
        option = re.match(r"rules (\w+) =", kind)
        assert option is not None
        return f"rules: {option[1]}"
    place = re.match(r"round \d+ action \d+|round \d+: not played out|round \d+: \w+|\w+", found)
    assert place is not None
    return place[0]


@pytest.mark.parametrize("line", range(len(BAD)), ids=lambda line: BAD[line]["why"].split(":")[0].replace(" ", "-"))
def test_every_bad_record_is_refused_at_the_place_where_it_is_wrong(line: int) -> None:
    verdict = verify_text(json.dumps(BAD[line]["record"]).encode(), line + 1)
    assert verdict.fault is not None
    assert verdict.line == line + 1
    assert re.match(re.escape(place_in(BAD[line]["why"])) + r"\b", verdict.fault), (BAD[line]["why"], verdict.fault)


@pytest.mark.parametrize("line", range(len(BAD)))
def test_scores_and_deltas_in_a_fault_are_those_that_the_second_engine_expected(line: int) -> None:
    why = BAD[line]["why"]
    expected = re.search(r"should be (\[.*\])", why)
    fault = verify_text(json.dumps(BAD[line]["record"]).encode()).fault
    assert fault is not None
    if expected is None:
        assert fault
    else:
        assert f"should be {expected[1]}" in fault

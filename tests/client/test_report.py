"""A report of a fault holds what helps to find it, and nothing that its sender would not want to pass on."""

from __future__ import annotations

import asyncio
import io
import random
import zipfile
from pathlib import Path

import pytest

from looseends_client.main import main
from looseends_client.report import LAST_LINES, packed_report
from looseends_core.cards import cards_in
from looseends_core.cards import name as card_name
from looseends_core.rules import rule_set
from looseends_core.verify import verify_text
from looseends_protocol.messages import Say, TableOptions
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from tests.server.peers import HandClock, play_on, seated_table, settled, start

TALK = "wordsthatonlythetablehears"


def parts_of(report: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(report)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


async def play_alone(folder: Path, stop_in_round: int) -> tuple[set[str], str]:
    """Play in a folder of games alone into a round; return the cards of the running round, and a token."""
    settings = ServerSettings(limits=Limits(burst_messages=10_000))
    house = await House.open(folder, settings, clock=HandClock(), entropy=random.Random(3).randbytes)
    rules = rule_set(2, rounds=3, hand_size=5, max_bid=2)
    (ann,) = await seated_table(house, ["ann"], rules, TableOptions(bots=0, private=True), bots=1)
    (table,) = house.tables.values()
    await ann.ask(Say(0, TALK))
    await start([ann])
    await play_on([ann], lambda: table.state.play.round == stop_in_round and table.state.stage == "playing")
    await settled()
    hands = [card_name(card) for hand in table.state.play.hands if hand for card in cards_in(hand)]
    token = ann.token.hex()
    await house.close()
    return set(hands), token


@pytest.mark.parametrize("stop_in_round", [1, 2])
def test_a_game_alone_is_reported_with_the_rounds_that_are_over_and_no_card_of_the_one_that_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stop_in_round: int
) -> None:
    solo = tmp_path / "solo-1"
    solo.mkdir(mode=0o700)
    hands, token = asyncio.run(play_alone(solo, stop_in_round))
    (solo / "log.jsonl").write_text('{"event": "table fault"}\n' * (LAST_LINES + 9))
    file = tmp_path / "report.zip"
    assert main(["report", str(file), "--folder", str(tmp_path)]) == 0
    parts = parts_of(file.read_bytes())
    assert parts["log.txt"].count("table fault") == LAST_LINES
    assert "No Loose Ends" in parts["doctor.txt"]
    assert ("record.json" in parts) == (stop_in_round == 2)
    if "record.json" in parts:
        assert verify_text(parts["record.json"].encode()).fault is None
        assert parts["record.json"].count('"first":') == 1
    assert hands
    whole = "".join(parts.values())
    assert TALK not in whole
    assert not token or token not in whole
    assert main(["report", str(file), "--folder", str(tmp_path)]) == 2
    assert "stays as it is" in capsys.readouterr().err


def test_without_a_game_there_is_a_report_all_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.zip"
    assert main(["report", str(file), "--folder", str(tmp_path)]) == 0
    assert "no game was found" in capsys.readouterr().out
    assert set(parts_of(file.read_bytes())) == {"README.txt", "doctor.txt", "log.txt"}


def test_the_same_report_is_the_same_bytes() -> None:
    assert packed_report(["ok"], "{}", ["a"]) == packed_report(["ok"], "{}", ["a"])

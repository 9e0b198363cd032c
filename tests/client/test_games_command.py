"""`looseends games`: finished games are listed, shown, taken out, taken in, and add up to the same everywhere."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

import msgspec
import pytest

from looseends_client.commands.own_games import keep_records
from looseends_client.main import main
from looseends_core.record import GameRecord, record_to_json
from looseends_server.store.folder import DATABASE
from looseends_server.store.sqlite import SqliteStore
from tests.server.kept_games import record

GAMES = [
    record("ann", "bot:rookie", seed=1),
    record("ann", "bot:rookie", "bob", seed=2, variants=("plan-b",)),
    record("ann", "bob", seed=3, proven=False),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which three games are kept, over two terminals."""
    base = tmp_path / "games"
    assert asyncio.run(keep_records(base, GAMES[:2])) == 2
    busy = SqliteStore(base / "solo-1")
    busy.load()
    try:
        assert asyncio.run(keep_records(base, GAMES[2:])) == 1
    finally:
        asyncio.run(busy.close())
    return base


class Said:
    """What the command printed and how it ended."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> None:
        capsys.readouterr()
        self.code = main(["games", *words, "--folder", str(folder)])
        self.out, self.err = capsys.readouterr()
        self.lines = self.out.splitlines()


def written(path: Path, *records: GameRecord) -> str:
    path.write_text("".join(json.dumps(record_to_json(one)) + "\n" for one in records))
    return str(path)


def test_games_of_all_folders_are_listed_newest_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, folder, "list")
    assert [line.split()[0] for line in said.lines] == ["2-1", "1-2", "1-1", "3"]
    assert "[not proven]" in said.lines[0]
    assert "[plan-b]" in said.lines[1]
    assert said.lines[2].count("*") >= 1
    assert said.lines[3] == "3 games"


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        (["--with", "bob"], ["2-1", "1-2"]),
        (["--with", "BOB", "--players", "3"], ["1-2"]),
        (["--with", "bot:rookie"], ["1-2", "1-1"]),
        (["--variant", "plan-b"], ["1-2"]),
        (["--variant", "none"], ["2-1", "1-1"]),
        (["--since", "2100-01-01"], []),
        (["--until", "2020-01-01"], []),
        (["--page", "2"], []),
    ],
)
def test_a_list_has_what_was_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], keys: list[str]
) -> None:
    said = Said(capsys, folder, "list", *options)
    assert said.code == 0
    assert [line.split()[0] for line in said.lines[:-1]] == keys


@pytest.mark.parametrize("options", [["--since", "yesterday"], ["--until", "2026-13-01"], ["--page", "0"]])
def test_what_cannot_be_asked_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    said = Said(capsys, folder, "list", *options)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert options[0] in said.err


def test_a_game_is_shown_round_by_round_and_adds_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, folder, "show", "1-2")
    assert said.lines[0] == "Game 1-2: 3 players, plan-b"
    points = [int(line.split()[1]) for line in said.lines[2:5]]
    final = [int(line.split()[1]) for line in said.lines[6:9]]
    assert tuple(final) == GAMES[1].scores
    assert len({total - part for total, part in zip(final, points, strict=True)}) == 1, "all start with the same"
    assert said.lines[-1] == "Every deal is proven."
    assert Said(capsys, folder, "show", "2-1").lines[-1] == "The deal of round 1 is not proven."


@pytest.mark.parametrize("key", ["1-9", "9-1", "x", "1", "1-1; DROP", "0-1"])
def test_a_game_that_is_not_there_is_told(folder: Path, capsys: pytest.CaptureFixture[str], key: str) -> None:
    said = Said(capsys, folder, "show", key)
    assert said.code == 1
    assert "`looseends games list` names them" in said.err


def test_what_was_taken_out_and_taken_in_elsewhere_adds_up_to_the_same(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = Said(capsys, folder, "numbers").lines
    assert len(numbers) == 6
    file = tmp_path / "all.jsonl"
    assert Said(capsys, folder, "export", str(file)).lines[0].startswith("Wrote 3 games to ")
    elsewhere = tmp_path / "elsewhere"
    said = Said(capsys, elsewhere, "import", str(file))
    assert said.lines == [f"{file}:3: right, but the deal is not proven", "3 taken in, 0 there already, 0 not right"]
    assert Said(capsys, elsewhere, "numbers").lines == numbers
    assert Said(capsys, elsewhere, "import", str(file)).lines[-1] == "0 taken in, 3 there already, 0 not right"
    assert Said(capsys, elsewhere, "numbers").lines == numbers
    again = tmp_path / "again.jsonl"
    assert Said(capsys, elsewhere, "export", str(again)).code == 0
    assert sorted(again.read_text().splitlines()) == sorted(file.read_text().splitlines())


def test_some_games_are_taken_out_by_name_and_nothing_is_overwritten(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, folder, "export", "-", "1-2")
    assert json.loads(said.out) == record_to_json(GAMES[1])
    file = tmp_path / "there.jsonl"
    file.write_text("mine")
    said = Said(capsys, folder, "export", str(file), "1-2")
    assert (said.code, file.read_text()) == (2, "mine")
    assert "stays as it is" in said.err
    missing = tmp_path / "missing.jsonl"
    assert Said(capsys, folder, "export", str(missing), "1-2", "7-7").code == 1
    assert not missing.exists()


def test_a_record_that_is_not_right_is_told_and_the_others_are_taken_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert GAMES[0].scores is not None
    forged = msgspec.structs.replace(GAMES[0], scores=(99, 99))
    unfinished = msgspec.structs.replace(GAMES[1], scores=None, winners=None, rounds=())
    file = written(tmp_path / "some.jsonl", forged, GAMES[1], unfinished)
    base = tmp_path / "base"
    said = Said(capsys, base, "import", file)
    assert said.code == 1
    assert said.lines == ["1 taken in, 0 there already, 2 not right"]
    assert f"{file}:1: " in said.err
    assert f"{file}:3: " in said.err
    assert Said(capsys, base, "list").lines[-1] == "1 game"


def test_a_file_that_cannot_be_read_takes_nothing_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, tmp_path / "base", "import", written(tmp_path / "a.jsonl", GAMES[0]), str(tmp_path / "none"))
    assert said.code == 2
    assert "cannot be read" in said.err
    assert not (tmp_path / "base").exists()


def test_without_any_games_there_is_nothing_to_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Said(capsys, tmp_path, "list").lines == ["0 games"]
    assert Said(capsys, tmp_path, "numbers").lines == ["No games."]
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_no_database_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "solo-1").mkdir()
    (tmp_path / "solo-1" / DATABASE).write_bytes(b"not a database, but a letter to a friend" * 50)
    said = Said(capsys, tmp_path, "list")
    assert (said.code, said.err.count("\n")) == (1, 1)


def test_the_day_of_a_list_is_a_day_of_this_machine(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "TZ", "Pacific/Kiritimati")
    time.tzset()
    try:
        today = time.strftime("%Y-%m-%d")
        assert Said(capsys, folder, "list", "--since", today, "--until", today).lines[-1] == "3 games"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_benchmark_asks_the_real_store(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "history", "--games", "100", "--people", "6", "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)
    assert measured["games"] == 100
    assert measured["list_ms"] > 0
    assert len(measured["search_ms"]) == 6
    assert main(["bench", "history", "--games", "1"]) == 2

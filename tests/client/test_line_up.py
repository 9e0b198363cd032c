"""The menu and the command line offer the same opponents, those of the settings, for every number of players."""

from __future__ import annotations

import pytest

from looseends_client.commands import play as play_module
from looseends_client.settings import DEFAULT_BOTS
from looseends_client.starting import AppSettings
from looseends_client.table_form import Option, options_of_a_table, wish_of
from looseends_client.visits import TableWish
from looseends_core.bots import LEVELS
from tests.client.command import run_here

CHARACTERS = tuple((level.name, level.character) for level in LEVELS.values())


def option(form: list[Option], name: str) -> Option:
    return next(one for one in form if one.name == name)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.usefixtures("_terminal")
def test_they_are_the_same(players: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    wished: list[TableWish] = []

    async def run_alone(wish: TableWish, name: str, settings: AppSettings, **rest: object) -> int:
        wished.append(wish)
        return 0

    monkeypatch.setattr(play_module, "run_alone", run_alone)
    assert run_here(capsys, ["play", "--players", str(players)]).code == 0

    form = options_of_a_table(CHARACTERS, DEFAULT_BOTS, alone=True)
    option(form, "players").at = players - 2
    assert (
        wish_of(form, alone=True).bots == wished[0].bots == tuple(DEFAULT_BOTS[seat % 3] for seat in range(players - 1))
    )


@pytest.fixture
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "has_terminal", lambda: True)


@pytest.mark.usefixtures("_terminal")
def test_the_switch_for_a_coach_reaches_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wished: list[bool] = []

    async def run_alone(wish: TableWish, name: str, settings: AppSettings, **rest: object) -> int:
        wished.append(wish.coach)
        return 0

    monkeypatch.setattr(play_module, "run_alone", run_alone)
    for options in ([], ["--coach"]):
        run_here(capsys, ["play", *options])
    form = options_of_a_table(CHARACTERS, DEFAULT_BOTS, alone=True)
    wished.append(wish_of(form, alone=True).coach)
    option(form, "coach").at = 1
    wished.append(wish_of(form, alone=True).coach)
    assert wished == [False, True, False, True]


def test_every_level_is_offered_with_its_line_of_character() -> None:
    bots = option(options_of_a_table(CHARACTERS, DEFAULT_BOTS, alone=True), "bots")
    told: list[str] = []
    for at in range(len(bots.values)):
        bots.at = at
        told.append(bots.sentence)
    assert [f"{name}: {character}" for name, character in CHARACTERS] == told[1:]

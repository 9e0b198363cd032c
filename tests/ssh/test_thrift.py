"""What an app behind the door does not keep, because there are many of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from textual.css.stylesheet import Stylesheet
from textual.widget import Widget

from looseends_client.ssh import shared_rules
from looseends_client.ssh.door_app import DoorApp
from looseends_client.ssh.shared_rules import SharedRules
from tests.client.command import run_here
from tests.ssh.at_the_door import AtTheDoor, at_the_door, new_key


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[AtTheDoor]:
    async with at_the_door(tmp_path) as opened:
        yield opened


def kept_rows(app: DoorApp) -> int:
    """How many drawn rows Textual keeps for the screen in front."""
    return sum(
        len(widget._styles_cache._cache)  # pyright: ignore[reportPrivateUsage]
        for widget in app.screen.walk_children(with_self=True)
        if isinstance(widget, Widget)
    )


async def test_no_row_is_kept_once_it_was_drawn(at: AtTheDoor) -> None:
    async with at.inside("ann", key=new_key()) as person:
        await person.shows("you are ann")
        assert kept_rows(at.app_of("ann")) == 0
        person.press("n")
        await person.shows("How many sit")
        person.press("\x1b[B")
        await person.until(lambda: "▶ players" not in person.text)
        assert kept_rows(at.app_of("ann")) == 0
        assert "How many sit" not in person.text  # the rest of the picture is what it was, drawn anew or not
        assert "a new table" in person.text


async def test_rules_are_parsed_once_for_everybody_with_the_same_theme(at: AtTheDoor) -> None:
    key = new_key()
    assert (await at.run("set theme=looseends-light", key=key))[0] == 0
    async with at.inside("ann", key=new_key()) as ann:
        await ann.shows("you are ann")
        parsed = len(shared_rules._PARSED)  # pyright: ignore[reportPrivateUsage]
        async with at.inside("bob", key=new_key()) as bob, at.inside("eve", key=key) as eve:
            await bob.shows("you are bob")
            await eve.shows("you are eve")
            apps = [at.app_of(name) for name in ("ann", "bob", "eve")]
            assert apps[0].stylesheet.rules[0] is apps[1].stylesheet.rules[0]
            assert apps[0].stylesheet.rules[0] is not apps[2].stylesheet.rules[0]
            assert apps[0].screen.styles.background == apps[1].screen.styles.background
            assert apps[0].screen.styles.background != apps[2].screen.styles.background
            assert len(shared_rules._PARSED) > parsed  # pyright: ignore[reportPrivateUsage]


def test_no_more_sheets_are_kept_than_there_are_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_rules, "_PARSED", {})
    monkeypatch.setattr(shared_rules, "MOST_SHEETS", 2)
    rules = SharedRules(Stylesheet(variables={"a": "b"}))
    for number in range(5):
        rules[(f"{number}",)] = []
        assert rules[(f"{number}",)] == []
    assert len(shared_rules._PARSED) <= 2  # pyright: ignore[reportPrivateUsage]
    rules.clear()  # a change of one's own theme
    assert len(shared_rules._PARSED) == 1  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--sessions", "0"), "--sessions must be from 1 to 500, not 0."),
        (("--seconds", "60"), "--seconds must be from 1 to 50, not 60."),
    ],
)
def test_the_benchmark_refuses_what_it_cannot_measure(
    option: tuple[str, str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run_here(capsys, ["bench", "ssh", *option])
    assert done.code == 2
    assert said in done.err

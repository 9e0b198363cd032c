"""A replay on the screen: every key, at the sizes the table is designed for, in letters alone, and from the command."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from looseends_client.cards_text import card_text
from looseends_client.commands.own_games import keep_records
from looseends_client.history.replay import Replay
from looseends_client.main import main
from looseends_client.replay_app import ReplayApp
from looseends_client.screens.replay import ReplayScreen
from looseends_client.settings import Settings
from looseends_client.starting import AppSettings
from looseends_core.cards import cards_in
from looseends_core.record import GameRecord, record_of, record_to_json
from looseends_core.rules import rule_set
from tests.server.kept_games import record
from tests.strategies import play_game

SIZES = ((80, 24), (60, 20), (120, 40), (40, 17))


def whole_game(*names: str, variants: tuple[str, ...] = (), rounds: int = 2) -> GameRecord:
    """Return the record of a game with hands as they are usually dealt."""
    rules = rule_set(len(names), variants=variants, rounds=rounds)
    return record_of(rules, names, play_game(rules, 5).events)


FIVE = whole_game("ann", "bot:fox", "bob", "bot:fox", "eve", variants=("getaway", "plan-b"))
TWO = whole_game("ann", "bot:steady", rounds=1)


class Seen:
    """A replay before somebody."""

    def __init__(self, app: ReplayApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> ReplayScreen:
        assert isinstance(self.app.screen, ReplayScreen)
        return self.app.screen

    @property
    def lines(self) -> list[str]:
        strips = self.app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage]
        return [strip.text.rstrip() for strip in strips]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()


@asynccontextmanager
async def seen(
    of: GameRecord, seat: int | None = 0, size: tuple[int, int] = (80, 24), settings: AppSettings | None = None
) -> AsyncIterator[Seen]:
    app = ReplayApp(Replay(of, seat), settings)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Seen(app, pilot)


async def test_keys_go_through_the_game_and_back() -> None:
    async with seen(TWO) as on:
        stops = on.screen.replay.stops
        assert "Replay  1 of" in on.lines[0]
        assert "as you saw it" in on.lines[0]
        assert "deals proven" in on.lines[0]
        await on.press("right")
        assert on.screen.at == 1
        await on.press("left", "left")
        assert on.screen.at == 0
        await on.press("down")
        first_trick = on.screen.at
        assert stops[first_trick].trick == 1
        await on.press("right", "up")
        assert on.screen.at == first_trick
        await on.press("e")
        assert on.screen.at == len(stops) - 1
        assert "The game is over." in on.text
        await on.press("D")
        assert stops[on.screen.at].turn == 0
        await on.press("b", "d", "d")
        assert stops[on.screen.at].turn == 0
        assert sum(stop.turn == 0 for stop in stops[1 : on.screen.at + 1]) >= 1
        await on.press("r")
        assert on.screen.at == len(stops) - 1  # there is one round


async def test_the_end_of_the_decisions_is_said() -> None:
    async with seen(TWO) as on:
        await on.press("e", "d")
        assert "No more decisions of this seat that way." in on.text


async def test_a_decision_shows_the_card_that_was_taken_and_what_was_allowed() -> None:
    async with seen(TWO) as on:
        while (stop := on.screen.stop).turn != 0 or stop.trick == 0:
            await on.press("right")
        assert "Next you play" in on.text
        assert "Allowed: " in on.text or "Nothing else was allowed." in on.text
        assert "▶ you" in on.text


@pytest.mark.parametrize("size", SIZES)
async def test_every_hand_is_open_in_any_window(size: tuple[int, int]) -> None:
    async with seen(FIVE, None, size) as on:
        assert "every hand open" in on.lines[0]
        await on.press("r", "down", "right")
        whole = on.screen.replay.whole(on.screen.stop.number)
        shown = on.text
        if size == (40, 17):
            assert "+2 hands" in shown
        else:
            for seat, name in ((1, "fox"), (2, "bob"), (3, "fox 2"), (4, "eve")):
                held = next(line for line in on.lines if line[2:].startswith(name.ljust(8)) and "│" in line)
                cards = [card_text(card, shape=False).upper() for card in cards_in(whole.hands[seat])]
                assert all(card in held.replace("♦", "").upper() for card in cards if card.startswith("B"))
        await on.press("o")
        assert "every hand open" not in on.text
        assert "as ann saw it" in on.text
        await on.press("v", "o")
        assert "every hand open" in on.text
        assert whole.turn is not None


async def test_a_closed_hand_is_not_shown() -> None:
    async with seen(TWO, 0, (120, 40)) as on:
        await on.press("down")
        other = on.screen.replay.whole(on.screen.stop.number).hands[1]
        view = on.screen.scene.model.state
        assert view.hands[1] == 0 != other
        await on.press("v")
        assert on.screen.scene.model.state.hands[1] == other
        assert on.screen.scene.model.state.hands[0] == 0
        assert "as steady saw it" in on.lines[0]


async def test_in_letters_alone_nothing_else_is_drawn() -> None:
    settings = AppSettings(Settings(suits="letters"))
    async with seen(FIVE, None, settings=settings) as on:
        await on.press("r", "down", "right")
        assert on.text.isascii()
        assert "every hand open" in on.text


async def test_a_window_that_is_too_small_says_so_and_takes_no_key_but_the_last() -> None:
    async with seen(TWO, 0, (40, 16)) as on:
        assert "The table needs 40 columns by 17 rows" in on.text.replace("\n", " ")
        await on.press("right")
        assert on.screen.at == 0
        await on.press("q")
        assert not on.app.is_running


async def test_sheet_log_rules_and_keys_are_those_of_the_moment() -> None:
    async with seen(TWO) as on:
        await on.press("s")
        assert "score sheet" in on.text
        assert "Enter: back to the replay" in on.text
        assert "v review" not in on.text
        await on.press("enter", "l")
        assert "what happened" in on.text
        await on.press("q", "e", "s")
        assert "deal proven" in on.text
        assert "look back" not in on.text
        await on.press("q", "i")
        assert "rules" in on.lines[0].lower()
        await on.press("q", "question_mark")
        assert "the next decision of this seat" in on.text
        assert "what if" not in on.text  # nobody keeps the games of a file
        await on.press("q")
        assert isinstance(on.app.screen, ReplayScreen)
        on.app.action_help_quit()
        await on.pilot.pause()
        assert not on.app.is_running


async def test_ctrl_c_leaves_a_page_first() -> None:
    async with seen(TWO) as on:
        await on.press("l")
        on.app.action_help_quit()
        await on.pilot.pause()
        assert isinstance(on.app.screen, ReplayScreen)


async def test_a_game_whose_deals_nothing_proves_says_so() -> None:
    async with seen(record("ann", "bot:rookie", seed=4, proven=False), 0) as on:
        assert "✗ deals not proven" in on.lines[0]
        await on.press("e", "s")
        assert "nothing proves this deal" in on.text


async def test_names_in_a_record_steer_no_terminal() -> None:
    names = ("\x1b]0;mine\x07ann", "[@click=app.quit]bob[/]" + "x" * 30)
    async with seen(whole_game(*names, rounds=1), 0) as on:
        await on.press("o", "r", "e", "s")
        assert "\x1b" not in on.text
        assert "\x07" not in on.text
        await on.press("q", "l")
        assert "[@click" in on.text


# ── the command ──────────────────────────────────────────────────────────────────────────────────────────────────────


def replayed(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["replay", *words])
    return code, capsys.readouterr().err


async def kept(base: Path) -> None:
    assert await keep_records(base, [TWO]) == 1


def test_a_replay_that_cannot_be_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = json.dumps(record_to_json(TWO))
    file = tmp_path / "games.jsonl"
    file.write_text(f"{good}\n\n{good.replace('standard', 'other')}\n")
    nothing = tmp_path / "nothing.jsonl"
    nothing.write_text("\n")
    undealt = tmp_path / "undealt.json"
    empty = record_to_json(GameRecord(TWO.rules, TWO.players, ()))
    undealt.write_text(json.dumps(empty))
    for words, code, said in (
        ([str(tmp_path / "none.jsonl")], 2, "cannot be read"),
        (["-"], 2, "needs a file"),
        ([str(file), "--number", "0"], 2, "from 1 on"),
        ([str(file), "--number", "2"], 1, "games.jsonl:3: rules"),
        ([str(file), "--number", "3"], 1, "only 2 records: there is no number 3"),
        ([str(nothing)], 1, "no record"),
        ([str(undealt)], 1, "no round of this game was dealt"),
        (["1-99", "--folder", str(tmp_path)], 1, "There is no game 1-99"),
        ([str(file)], 2, "looseends games show"),  # no terminal here, and what works without one
    ):
        found, err = replayed(*words, capsys=capsys)
        assert said in err, err
        assert found == code, err


async def test_one_of_ones_own_games_is_found_by_its_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await kept(tmp_path)
    code, err = replayed("1-1", "--folder", str(tmp_path), capsys=capsys)
    assert "looseends games show" in err  # it was found: only the terminal is missing
    assert code == 2

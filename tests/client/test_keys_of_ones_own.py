"""The keys of the table that a person may choose: what is refused by name, what holds, and that the screen says so."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.binding import BindingsMap
from textual.keys import _character_to_key  # pyright: ignore[reportPrivateUsage]

from looseends_client.drawing.hint import keys_row
from looseends_client.drawing.rows import row_text
from looseends_client.drawing.seats import seat_columns
from looseends_client.drawing.trick import led_row
from looseends_client.key_list import TABLE_KEYS, keys_text
from looseends_client.screens.page import TextPage
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.screens.table import TableScreen
from looseends_client.settings import Settings
from looseends_client.settings_file import find_settings
from looseends_client.starting import AppSettings
from looseends_client.table_keys import RESERVED, TableKeys, key_code, keys_in_force
from looseends_client.table_offers import keys_now
from looseends_core.actions import PASS
from looseends_core.rules import rule_set
from looseends_core.state import Phase
from tests.client.on_screen import alone
from tests.client.scenes import FOUR, FOUR_HANDS, PLANNED, played, scene_of

NAMES = [key.id for key in TABLE_KEYS]


def in_force(**given: str) -> dict[str, str]:
    keys, refused = keys_in_force({name.replace("_", "-"): (key,) for name, key in given.items()})
    assert refused == ()
    return keys.changed()


def refused_for(**given: str) -> dict[str, str]:
    keys, refused = keys_in_force({name.replace("_", "-"): (key,) for name, key in given.items()})
    assert not set(keys.changed()) & {one.name for one in refused}
    return {one.name: one.sentence for one in refused}


def test_without_wishes_the_usual_keys_hold() -> None:
    keys, refused = keys_in_force({})
    assert (keys.keys, refused) == (TABLE_KEYS, ())
    assert keys_text(keys.keys) == keys_text()


def test_a_key_takes_the_place_of_the_usual_one() -> None:
    assert in_force(
        **{"pass": "n", "help": "F1", "talk": "Ctrl-T", "rules": "?", "last_trick": "["} | {"help": "f1"}
    ) == {
        "pass": "n",
        "help": "f1",
        "talk": "ctrl+t",
        "rules": "question_mark",
        "last-trick": "left_square_bracket",
    }


def test_two_keys_may_change_places() -> None:
    assert in_force(**{"pass": "u", "last_trick": "p"}) == {"pass": "u", "last-trick": "p"}


def test_an_action_may_have_several_keys() -> None:
    keys, refused = keys_in_force({"act": ("enter", "space")})
    assert refused == ()
    assert keys.changed() == {"act": "enter,space"}
    assert "  Enter Space bid, play" in keys_text(keys.keys).replace("  bid", " bid")


@pytest.mark.parametrize("key", [*"brgyxBX0159", "shift+b"])
def test_a_key_that_begins_a_card_is_refused(key: str) -> None:
    assert "the name of a card; p stands for pass." in refused_for(**{"pass": key})["pass"]


@pytest.mark.parametrize("key", [*RESERVED, "Ctrl-Q", "^C"])
def test_a_key_that_is_somebody_elses_is_refused(key: str) -> None:
    sentence = refused_for(talk=key)["talk"]
    assert sentence.endswith("; t stands for talk.")


def test_what_is_no_key_is_refused() -> None:
    for key in ("foo", "ctrl+foo", "f99", "ctrl", "\x00"):
        assert "there is no key" in refused_for(hint=key)["hint"], key
    assert keys_in_force({"hint": ()})[1][0].sentence == "hint has to have a key; h stands for hint."


def test_an_action_that_does_not_exist_is_refused_with_the_nearest_that_does() -> None:
    assert refused_for(pas="n") == {"pas": "the table has no action 'pas'. Did you mean pass?"}
    assert "The actions are choose-next, " in refused_for(quux="n")["quux"]


def test_a_clash_is_refused_by_name() -> None:
    assert refused_for(**{"pass": "u"}) == {"pass": "u is the key of last-trick too; p stands for pass."}
    assert refused_for(**{"pass": "n", "talk": "n"}) == {"talk": "n is the key of pass too; t stands for talk."}


def test_a_clash_that_a_refusal_brings_about_is_refused_too() -> None:
    refused = refused_for(talk="p", **{"pass": "b"})
    assert refused["pass"].startswith("b begins")
    assert refused["talk"] == "p is the key of pass too; t stands for talk."


def test_keys_are_called_as_the_parser_of_terminals_calls_them() -> None:
    for character in string.printable[:95]:
        assert key_code(character) == _character_to_key(character)
    assert key_code("Page Up") == "pageup"
    assert key_code("ctrl++") == "ctrl+plus"
    assert key_code("shift+n") == "N"
    assert key_code("alt-ctrl-n") == "alt+ctrl+n"


KEYS = st.sampled_from([*"nmzuptsi?!", "f2", "ctrl+t", "b", "foo", "space", "enter", "ctrl+c", "left", ","]) | st.text(
    max_size=3
)


@given(st.dictionaries(st.sampled_from([*NAMES, "nope"]), st.lists(KEYS, max_size=3).map(tuple)))
def test_whatever_is_wished_each_key_means_one_thing_and_each_action_has_one(given: dict[str, tuple[str, ...]]) -> None:
    keys, refused = keys_in_force(given)
    codes = [code for key in keys.keys for code in key.keys.split(",")]
    assert len(codes) == len(set(codes))
    assert all(codes)
    assert [key.id for key in keys.keys] == NAMES
    assert not any(code.lower() in set("brgyx0123456789") for code in codes)
    for name in given:
        changed = keys.changed().get(name)
        usual = name in NAMES and next(key.keys for key in TABLE_KEYS if key.id == name)
        wished = ",".join(dict.fromkeys(map(key_code, given[name])))
        assert (changed or usual) == wished or name in {one.name for one in refused}
    bindings = BindingsMap([binding for binding in TableScreen.BINDINGS if not isinstance(binding, tuple)])
    bindings.apply_keymap(keys.changed())
    assert {code: {binding.id for binding in found} for code, found in bindings.key_to_bindings.items()} == {
        code: {key.id} for key in keys.keys for code in key.keys.split(",")
    }


# ── on the screen ───────────────────────────────────────────────────────────────────────────────────────────────────

OWN = AppSettings(Settings(trick_pause=0, keys={"pass": ("n",), "score-sheet": ("f2",), "choose-next": ("j",)}))


async def test_the_keys_in_force_act_and_are_shown() -> None:
    async with alone(settings=OWN) as on:
        await on.watch_out()
        assert "n pass" in on.lines[-1]
        assert "F2 scores" in on.lines[-1]
        await on.press("p", "s")
        assert on.acted == []
        await on.press("j")
        assert on.screen.scene.chosen == on.screen.scene.selectable[0]
        await on.press("question_mark")
        assert isinstance(on.app.screen, TextPage)
        assert "n           pass (with no bid card: snitch)" in on.text
        await on.press("q", "f2")
        assert isinstance(on.app.screen, ScoreSheet)
        await on.press("escape", "n")
        assert on.acted == [PASS]


async def test_a_key_that_cannot_be_is_told_with_its_line_and_the_usual_one_holds(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('trick_pause = 0\n[keys]\n# mine\ntalk = "m"\npass = "b"\n')
    found = find_settings(file, {})
    async with alone(settings=AppSettings(found.settings, found)) as on:
        assert on.app.faults == [
            "settings.toml, line 5: b begins or goes on with the name of a card; p stands for pass."
        ]
        await on.watch_out()
        await on.press("p")
        assert on.acted == [PASS]


async def test_no_key_acts_while_the_window_is_too_small_to_see_what_it_does() -> None:
    async with alone() as on:
        await on.watch_out()
        await on.pilot.resize_terminal(39, 15)
        await on.until_shown("The table needs")
        await on.press("right", "enter", "p", "s", "q", "b", "1", "question_mark")
        assert on.acted == []
        assert isinstance(on.app.screen, TableScreen)
        assert (on.screen.scene.chosen, on.screen.scene.typed) == (None, "")
        await on.pilot.resize_terminal(80, 24)
        await on.press("p")
        assert on.acted == [PASS]


async def test_with_the_most_bids_only_passing_is_offered() -> None:
    async with alone(rule_set(3, rounds=1, hand_size=6, max_bid=1)) as on:
        await on.watch_out()
        await on.press("right", "enter")
        await on.until(lambda: on.model.my_turn and on.model.state.bids[0])
        assert "p pass" in on.lines[-1]
        assert "Enter" not in on.lines[-1]
        assert "choose" not in on.lines[-1]


async def test_the_last_trick_says_that_it_is_that() -> None:
    async with alone(rule_set(3, rounds=1, hand_size=6, max_bid=1)) as on:
        await on.play_until(lambda: on.model.state.tricks and on.model.my_turn)
        assert "Last trick" not in on.text
        await on.press("u")
        assert "Last trick" in on.text
        await on.press("u")
        assert on.held() is None
        assert "Last trick" not in on.text


# ── what is drawn ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("width", [40, 50, 60, 72, 80])
def test_the_way_out_stays_in_the_row_of_keys_at_every_width(width: int) -> None:
    scene = scene_of(FOUR, played(FOUR, FOUR_HANDS, [*PLANNED, "G15", "G2", "G6", "G11"]), bots=3)
    scene.keys = keys_now(scene, alone=False)
    row = row_text(keys_row(scene, width))
    assert " q leave" in row
    assert row.rstrip().endswith("keys")


def test_the_sentences_name_the_keys_in_force() -> None:
    scene = scene_of(FOUR, played(FOUR, FOUR_HANDS, PLANNED))
    scene.table_keys = TableKeys(keys_in_force({"leave": ("z",), "score-sheet": ("m",)})[0].keys)
    scene.keys = keys_now(scene, alone=True)
    assert ("z", "leave") in scene.keys
    assert ("m", "scores") in scene.keys


def test_a_lesson_names_the_key_in_force() -> None:
    keys, _ = keys_in_force({"pass": ("F2",)})
    assert keys.in_words(("Press p, then press p ", 3, " to pass; p is a letter.")) == (
        "Press F2, then press F2 ",
        3,
        " to pass; p is a letter.",
    )
    assert TableKeys().in_words(("press p.",)) == ("press p.",)


def test_a_bot_is_marked_as_one_even_where_its_name_takes_the_room() -> None:
    scene = scene_of(FOUR, played(FOUR, FOUR_HANDS, PLANNED), bots=3)
    scene.model.names[3] = "steady 2"
    assert "steady 2 bot" in row_text(seat_columns(scene, 80, 4)[0])


def test_a_trick_that_is_looked_back_at_is_labelled() -> None:
    scene = scene_of(FOUR, played(FOUR, FOUR_HANDS, [*PLANNED, "G15", "G2", "G6", "G11"]))
    assert scene.model.state.phase in (Phase.COVERING, Phase.PLAYING)
    scene.held = scene.model.state.tricks[-1]
    assert "Last trick" not in row_text(led_row(scene, 80))
    scene.looks_back = True
    assert row_text(led_row(scene, 80)).startswith(" Last trick  ")

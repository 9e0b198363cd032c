"""Settings: one file of a person's, what wins over it, and that no fault of it costs anything."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st
from tomlkit.exceptions import TOMLKitError

from looseends_client.settings import SETTINGS, Kind, Settings, ValueRefused, as_text, checked, from_text
from looseends_client.settings_file import FileBarred, default_settings_file, fault_at, find_settings, keep_setting

NOTHING: dict[str, str] = {}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "looseends" / "settings.toml"


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def test_every_setting_has_a_sentence_and_a_default_that_it_takes_itself() -> None:
    assert list(SETTINGS) == list(Settings.__struct_fields__)
    for key, setting in SETTINGS.items():
        assert setting.sentence.endswith("."), key
        assert len(setting.sentence) <= 90, key
        value = list(setting.default) if isinstance(setting.default, tuple) else setting.default
        assert checked(key, value) == setting.default


def test_without_a_file_the_defaults_hold_and_nothing_is_made(file: Path) -> None:
    found = find_settings(file, NOTHING)
    assert (found.settings, found.faults, found.words) == (Settings(), (), "")
    assert not file.parent.exists()


def test_the_file_is_in_the_platforms_folder_for_settings() -> None:
    assert default_settings_file().parts[-2:] == ("looseends", "settings.toml")


def test_an_option_wins_over_the_environment_and_that_over_the_file(file: Path) -> None:
    written(file, 'trick_pause = 3\nmouse = false\ncolours = "16"\nphrases = ["Hello, all."]\n')
    environment = {"LOOSEENDS_TRICK_PAUSE": "4", "LOOSEENDS_MOUSE": "on", "LOOSEENDS_PASSWORD": "not a setting"}
    found = find_settings(file, environment, {"trick_pause": 5.0, "name": None})
    assert found.settings == Settings(trick_pause=5.0, mouse=True, colours="16", phrases=("Hello, all.",))
    assert found.won_over == {"trick_pause": "--trick-pause", "mouse": "LOOSEENDS_MOUSE"}
    assert find_settings(file, NOTHING).settings.trick_pause == 3


def test_a_wrong_variable_is_told_by_its_name_and_the_file_holds(file: Path) -> None:
    written(file, "trick_pause = 3\n")
    found = find_settings(file, {"LOOSEENDS_TRICK_PAUSE": "soon"})
    assert found.settings.trick_pause == 3
    assert found.words == "LOOSEENDS_TRICK_PAUSE: trick_pause must be a number from 0 to 60, not 'soon'."


def test_a_wrong_option_is_refused() -> None:
    with pytest.raises(ValueRefused, match="trick_pause must be a number from 0 to 60, not 99"):
        find_settings(Path("nowhere"), NOTHING, {"trick_pause": 99})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("theme = \n", "settings.toml, line 1: this is not TOML (Invalid value); the defaults hold."),
        ('mouse = true\ntheme = "a"\n\nmouse = 3 3', "settings.toml, line 4: this is not TOML"),
        ("theme = '''\n\n", "settings.toml, line 2: this is not TOML"),
        ("a = 1\na = 2\n", "line 2"),
        ("[" * 5000, "settings.toml"),
        ("a = " + "9" * 5000, "this is not TOML (Exceeds the limit"),
        ("a = " + "[" * 100_000, "this is not TOML (it is nested too deeply)"),
        ("mouse = true\ntrick_pause = 99\n", "line 2: trick_pause must be a number from 0 to 60, not 99; 1.6 stands."),
        ("mouse = 1\n", "settings.toml, line 1: mouse must be true or false, not 1; on stands."),
        ('colours = "red"', "line 1: colours must be one of auto, true, 256, 16, mono, not 'red'; auto stands."),
        ('# hm\nalerts_for = ["turn", "tea"]', "line 2: alerts_for must be a list of some of turn, full, start"),
        ('phrases = ["\\u001b]0;x"]', "line 1: phrases must be text of one line that can be printed"),
        ("\n[keys]\npass = 3\n", "line 2: keys must be a table of names"),
        ("\n[mouse]\non = 3\n", "line 2: mouse must be true or false"),
        ("# " + "x" * 300_000, "it has more than 256 KiB"),
    ],
)
def test_a_fault_is_told_by_its_line_and_the_file_is_never_written(file: Path, text: str, words: str) -> None:
    written(file, text)
    found = find_settings(file, NOTHING)
    assert words in found.words
    with pytest.raises(FileBarred) as barred:
        keep_setting(file, "mouse", False)
    assert words in str(barred.value)
    assert file.read_text("utf-8") == text


def test_a_wrong_value_costs_only_itself(file: Path) -> None:
    written(file, 'trick_pause = "long"\nmouse = false\ntheme = 3\n')
    found = find_settings(file, NOTHING)
    assert found.settings == Settings(mouse=False)
    assert [fault.line for fault in found.faults] == [1, 3]
    assert found.words.endswith("(1 more: see the settings)")


def test_bytes_that_are_no_text_are_told_by_their_line(file: Path) -> None:
    written(file, "")
    file.write_bytes(b"mouse = false\n# caf\xe9\n")
    assert find_settings(file, NOTHING).words == "settings.toml, line 2: this is not UTF-8 text; the defaults hold."
    with pytest.raises(FileBarred):
        keep_setting(file, "mouse", True)
    assert file.read_bytes() == b"mouse = false\n# caf\xe9\n"


def test_a_folder_in_the_files_place_is_told(file: Path) -> None:
    file.mkdir(parents=True)
    assert "cannot be read" in find_settings(file, NOTHING).words
    with pytest.raises(FileBarred):
        keep_setting(file, "mouse", False)


def test_a_key_that_is_not_known_is_told_and_kept(file: Path) -> None:
    written(file, "moues = false\n[from_the_future]\na = 1\n")
    found = find_settings(file, NOTHING)
    assert "line 1: there is no setting 'moues'. Did you mean mouse?" in found.words
    assert found.faults[1].line == 2
    keep_setting(file, "mouse", False)
    assert tomllib.loads(file.read_text("utf-8")) == {"moues": False, "mouse": False, "from_the_future": {"a": 1}}


def test_writing_one_setting_leaves_comments_order_and_all_else_as_they_were(file: Path) -> None:
    text = '# mine\r\nmouse   =  true # clicks\r\n\r\nunknown = [1,\r\n  2]\r\n[keys] # other keys\r\npass = "n"\r\n'
    written(file, "")
    file.write_bytes(text.encode())
    keep_setting(file, "mouse", False)
    assert file.read_bytes().decode() == text.replace("true", "false")
    keep_setting(file, "trick_pause", 2.5)
    again = file.read_bytes().decode()
    assert "# mine" in again
    assert 'pass = "n"' in again
    assert find_settings(file, NOTHING).settings == Settings(mouse=False, trick_pause=2.5, keys={"pass": ("n",)})
    assert SETTINGS["trick_pause"].sentence in again


def test_the_first_setting_makes_the_file_and_says_what_it_is(file: Path) -> None:
    keep_setting(file, "alerts", "notify")
    assert file.read_text("utf-8") == f'# {SETTINGS["alerts"].sentence}\nalerts = "notify"\n'


def test_the_files_mode_stays_and_nothing_is_left_beside_it(file: Path) -> None:
    written(file, "mouse = true\n").chmod(0o640)
    keep_setting(file, "mouse", False)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(file.parent.iterdir()) == [file]


def test_a_file_that_is_a_link_stays_one(file: Path, tmp_path: Path) -> None:
    real = written(tmp_path / "kept" / "mine.toml", "mouse = true\n")
    file.parent.mkdir(parents=True)
    file.symlink_to(real)
    keep_setting(file, "mouse", False)
    assert file.is_symlink()
    assert real.read_text("utf-8") == "mouse = false\n"


def test_what_a_setting_cannot_be_is_never_written(file: Path) -> None:
    with pytest.raises(ValueRefused, match="name cannot be 'bot:x'"):
        keep_setting(file, "name", "bot:x")
    assert not file.exists()


def test_a_file_that_cannot_be_changed_by_us_is_left_to_the_person(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(file, "mouse = true\n")
    with monkeypatch.context() as patched:
        patched.setattr(tomlkit, "dumps", lambda document: "mouse = true\n")
        with pytest.raises(FileBarred, match="mouse cannot be put into"):
            keep_setting(file, "mouse", False)

    def cannot(text: str) -> object:
        raise TOMLKitError("something new")

    with monkeypatch.context() as patched:
        patched.setattr(tomlkit, "parse", cannot)
        with pytest.raises(FileBarred, match=r"cannot be changed \(something new\)"):
            keep_setting(file, "mouse", False)
    assert file.read_text("utf-8") == "mouse = true\n"


def test_nothing_is_left_of_a_write_that_failed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(file, "mouse = true\n")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileBarred, match=r"cannot be written \(No space left on device\)"):
        keep_setting(file, "mouse", False)
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.read_text("utf-8") == "mouse = true\n"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "looseends").write_text("in the way")
    with pytest.raises(FileBarred, match="cannot be written"):
        keep_setting(tmp_path / "looseends" / "settings.toml", "mouse", False)


def test_a_fault_that_another_module_finds_has_its_line_too(file: Path) -> None:
    written(file, 'theme = "nope"\nkeys.pass = "n"\n')
    assert fault_at(file, "theme", "no such theme").line == 1
    assert fault_at(file, "pass", "taken", under="keys").line == 2
    written(file, '[keys]\n\n"pass" = "n"\n[other]\npass = 3\n')
    assert fault_at(file, "pass", "taken", under="keys").line == 3
    assert fault_at(file.with_name("gone"), "pass", "taken").line == 0


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8)


@st.composite
def settings_and_values(draw: st.DrawFn) -> tuple[str, object]:
    setting = draw(st.sampled_from([one for one in SETTINGS.values() if one.kind is not Kind.TABLE]))
    match setting.kind:
        case Kind.CHOICE:
            value: object = draw(st.sampled_from(setting.words))
        case Kind.SWITCH:
            value = draw(st.booleans())
        case Kind.NUMBER:
            value = draw(st.floats(setting.least, setting.most).map(lambda number: round(number, 2)))
        case Kind.TEXT:
            value = draw(st.text("abcXYZ09", min_size=1, max_size=8) if setting.key == "name" else TEXT)
        case Kind.SOME:
            value = tuple(draw(st.lists(st.sampled_from(setting.words), unique=True)))
        case _:
            words = (
                st.sampled_from(("rookie", "steady")) if setting.key == "bots" else TEXT.filter(lambda t: "|" not in t)
            )
            value = tuple(draw(st.lists(words, min_size=int(setting.least), max_size=int(setting.most))))
    return setting.key, value


@given(chosen=st.lists(settings_and_values(), max_size=6), before=st.sampled_from(["", "# mine\n[other]\na = 1\n"]))
def test_what_is_written_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, chosen: list[tuple[str, object]], before: str
) -> None:
    file = written(tmp_path_factory.mktemp("settings") / "settings.toml", before)
    for key, value in chosen:
        keep_setting(file, key, value)
    found = find_settings(file, NOTHING)
    for key, value in dict(chosen).items():
        assert getattr(found.settings, key) == value
    assert file.read_text("utf-8").startswith(before[:7])


@pytest.mark.parametrize(("key", "text"), [("mouse", "maybe"), ("trick_pause", "soon"), ("alerts_for", "turn, tea")])
def test_what_is_typed_and_means_nothing_is_refused(key: str, text: str) -> None:
    with pytest.raises(ValueRefused, match=f"^{key} must be "):
        from_text(key, text)


@given(settings_and_values())
def test_a_value_as_people_read_it_means_the_same_when_they_type_it(chosen: tuple[str, object]) -> None:
    key, value = chosen
    assert from_text(key, as_text(key, value)) == value


@given(st.binary(max_size=60))
def test_no_file_whatever_breaks_the_start(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("settings") / "settings.toml"
    file.write_bytes(content)
    found = find_settings(file, NOTHING)
    assert isinstance(found.words, str)

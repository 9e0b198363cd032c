"""Where settings come from: one TOML file, what the environment says over it, and what the options say over both.

Reading loses nothing of a file that has a fault: the fault is told by its line, the default stands, and the file is
not written again before a person has put it right. Writing changes the one key it was asked to; comments, order and
keys that this version does not know stay as they were.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from looseends_client.settings import SETTINGS, Settings, ValueRefused, as_text, checked, from_text
from looseends_client.token_store import APPLICATION

FILE_NAME = "settings.toml"
VARIABLE_PREFIX = "LOOSEENDS_"
"""`LOOSEENDS_TRICK_PAUSE=0` wins over `trick_pause` in the file, and so on."""
LARGEST_FILE = 256 * 1024
"""Bytes of a settings file that are read at all."""


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a settings file: the line (0 where it is of the whole file), the key if one, a sentence.

    `bars_writing` is false of what may stay as it is, such as a key that a newer version has; `variable` is set where
    the fault is not the file's but the environment's.
    """

    line: int
    key: str
    sentence: str
    bars_writing: bool = True
    variable: str = ""


class FileBarred(Exception):
    """The file has a fault, or cannot be written; the message says which, and what to do."""


class Found(msgspec.Struct, frozen=True):
    """What was found: the settings that hold, the file they are kept in, its faults, and what wins over the file.

    `won_over` says for a key by what: the name of a variable, or of an option.
    """

    settings: Settings
    file: Path
    faults: tuple[Fault, ...] = ()
    won_over: Mapping[str, str] = {}

    @property
    def words(self) -> str:
        """The first fault as one line for people, with how many more there are; empty where there is none."""
        if not self.faults:
            return ""
        more = len(self.faults) - 1
        tail = f" ({more} more: see the settings)" if more else ""
        return f"{fault_words(self.file, self.faults[0])}{tail}"


def default_settings_file() -> Path:
    """Return where this user's settings are kept, by the platform's rules."""
    from platformdirs import user_config_path

    return user_config_path(APPLICATION, appauthor=False) / FILE_NAME


def fault_words(file: Path, fault: Fault) -> str:
    """Return a fault as one line for people."""
    where = fault.variable or (f"{file.name}, line {fault.line}" if fault.line else file.name)
    return f"{where}: {fault.sentence}"


def find_settings(
    file: Path | None = None, environment: Mapping[str, str] | None = None, options: Mapping[str, Any] | None = None
) -> Found:
    """Return the settings that hold. An option (by its setting's key) that is None was not given.

    Never raises for what the file or the environment hold: a wrong value is told as a fault, and the default stands.
    Raises ValueRefused for a wrong option.
    """
    file = default_settings_file() if file is None else file
    environment = os.environ if environment is None else environment
    values, faults = _read(file)
    won_over: dict[str, str] = {}
    if environment.get("NO_COLOR"):
        values["colours"], won_over["colours"] = "mono", "NO_COLOR"
    for key in SETTINGS:
        variable = f"{VARIABLE_PREFIX}{key.upper()}"
        given = environment.get(variable)
        if given is None or key == "keys":
            continue
        try:
            values[key] = from_text(key, given)
            won_over[key] = variable
        except ValueRefused as error:
            faults.append(Fault(0, key, f"{error}.", bars_writing=False, variable=variable))
    for key, value in (options or {}).items():
        if value is not None:
            values[key] = checked(key, value)
            won_over[key] = f"--{key.replace('_', '-')}"
    return Found(Settings(**values), file, tuple(faults), won_over)


def fault_at(file: Path, key: str, sentence: str, *, under: str = "") -> Fault:
    """Return a fault that another module found in a value, with the line that the file has it on."""
    try:
        text = _text_of(file)
    except (OSError, UnicodeDecodeError):
        text = ""
    return Fault(_line_of(text, key, under), f"{under}.{key}" if under else key, sentence)


def keep_setting(file: Path, key: str, value: Any) -> None:
    """Write one setting into the file, made where there is none.

    Raises ValueRefused where the setting cannot have this value, and FileBarred; then nothing was changed.
    """
    import tomllib

    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    plain = list(value) if isinstance(value, tuple) else value
    checked(key, plain)
    _, faults = _read(file)
    barring = next((fault for fault in faults if fault.bars_writing), None)
    if barring is not None:
        raise FileBarred(f"Not kept, because the file has a fault: {fault_words(file, barring)} Put that right first.")
    try:
        text = _text_of(file) if file.exists() else ""
        document = tomlkit.parse(text)
        if key not in document:
            if document.body:
                document.add(tomlkit.nl())
            document.add(tomlkit.comment(SETTINGS[key].sentence))
        document[key] = plain
        written = tomlkit.dumps(document)
        if tomllib.loads(written).get(key) != plain:
            raise FileBarred(f"Not kept: {key} cannot be put into {file}. Write it there yourself.")
    except (TOMLKitError, tomllib.TOMLDecodeError) as error:
        raise FileBarred(f"Not kept: {file} cannot be changed ({error}). Write it there yourself.") from error
    except OSError as error:
        raise FileBarred(f"Not kept: {file} cannot be read ({error.strerror or error}).") from error
    try:
        _replace(file, written)
    except OSError as error:
        raise FileBarred(f"Not kept: {file} cannot be written ({error.strerror or error}).") from error


def _replace(file: Path, text: str) -> None:
    """Put a text in a file's place in one step, so that at no moment half of it stands there."""
    file = file.resolve()  # the file of a person who keeps theirs elsewhere and links to it
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{secrets.token_hex(8)}.new")
    try:
        with new.open("x", encoding="utf-8", newline="") as opened:
            with contextlib.suppress(OSError):
                new.chmod(file.stat().st_mode & 0o777)
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _read(file: Path) -> tuple[dict[str, Any], list[Fault]]:
    """Return what a file sets, each value in its setting's type, and what is wrong with the rest."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            return {}, [Fault(0, "", f"it has more than {LARGEST_FILE // 1024} KiB, so it is no settings file.")]
        text = _text_of(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}, []
    except OSError as error:
        return {}, [Fault(0, "", f"it cannot be read ({error.strerror or error}); the defaults hold.")]
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return {}, [Fault(line, "", "this is not UTF-8 text; the defaults hold.")]
    import tomllib  # which most people, who have no file, need not wait for

    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # what is not TOML, and a number that Python refuses to read
        reason, line = _toml_fault(error, text)
        return {}, [Fault(line, "", f"this is not TOML ({reason}); the defaults hold.")]
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for key, value in content.items():
        if key not in SETTINGS:
            import difflib  # of no use to a file without a slip

            near = difflib.get_close_matches(key, SETTINGS, 1)
            hint = f"Did you mean {near[0]}?" if near else "It is left as it is."
            line = _line_of(text, key) or _header_line(text, key)
            faults.append(Fault(line, key, f"there is no setting {key!r}. {hint}", bars_writing=False))
            continue
        try:
            values[key] = checked(key, value)
        except ValueRefused as error:
            default = as_text(key, SETTINGS[key].default)
            stands = f"; {default} stands." if default and key != "keys" else "; the default stands."
            faults.append(Fault(_line_of(text, key) or _header_line(text, key), key, f"{error}{stands}"))
    return values, sorted(faults, key=lambda fault: (not fault.bars_writing, fault.line))


def _text_of(file: Path) -> str:
    """Return a file's text with its line ends as they are."""
    return file.read_bytes().decode("utf-8")


def _toml_fault(error: Exception, text: str) -> tuple[str, int]:
    at = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
    if at is None:
        return "it is nested too deeply" if isinstance(error, RecursionError) else str(error), 0
    return str(error)[: at.start()], int(at[1]) if at[1] else max(1, len(text.splitlines()))


def _line_of(text: str, key: str, under: str = "") -> int:
    """Return the line, from 1, on which a key is set at the top or under a header; 0 where none is found."""
    name = re.escape(key)
    wanted = re.compile(rf"""\s*(?:{name}|"{name}"|'{name}')\s*(?:=|\.)""")
    dotted = re.compile(rf"""\s*["']?{re.escape(under)}["']?\s*\.\s*["']?{name}["']?\s*=""") if under else None
    header = ""
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line):
            header = found[1].strip("\"'")
        elif (header == under and wanted.match(line)) or (not header and dotted is not None and dotted.match(line)):
            return number
    return 0


def _header_line(text: str, name: str) -> int:
    """Return the line, from 1, of a table's header; 0 where there is none."""
    wanted = re.compile(rf"""\s*\[+\s*["']?{re.escape(name)}["']?\s*[\].]""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if wanted.match(line)), 0)

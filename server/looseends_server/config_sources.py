"""Where each setting comes from: its default, the file, the environment, the command line, in the order in which the
later one wins; and the file that a new host starts from.

What a setting may be is `config`'s. A password never passes through here: it is in no key.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import textwrap
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from looseends_server.config import (
    NEVER,
    SECTIONS,
    Config,
    ConfigInvalid,
    complaint,
    fitting,
    parse_config,
    place_of,
    read_text,
    typed,
)

VARIABLE_PREFIX = "LOOSEENDS_"
DEFAULT = "default"
"""The origin of a setting that nobody set."""
_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


class Settled(msgspec.Struct, frozen=True):
    """What is in force, and where each of it comes from, by `section.key`."""

    config: Config
    origins: dict[str, str]


def settled(
    file: Path | None,
    environ: Mapping[str, str],
    options: Mapping[str, Any] | None = None,
    assignments: Iterable[str] = (),
) -> Settled:
    """Return what is in force, given a file, the environment, options named as the keys of [server], and assignments
    such as `limits.tables=200`.

    None stands for an option that was not given. Raises ConfigInvalid.
    """
    values = {section: msgspec.structs.asdict(made()) for section, made in SECTIONS.items()}
    origins = {f"{section}.{key}": DEFAULT for section, keys in values.items() for key in keys}

    def set_to(section: str, key: str, value: Any, origin: str) -> None:
        values[section][key] = value
        origins[f"{section}.{key}"] = origin
        if section == "server" and value:
            for other in _EXCLUDED.get(key, ()):
                # Within one source both are an error, which `fitting` finds; a later source replaces an earlier one.
                if values["server"][other] and _rank(origins[f"server.{other}"]) < _rank(origin):
                    values["server"][other] = False if other == "tls_self_signed" else ""
                    origins[f"server.{other}"] = f"{origin}, in place of it"

    if file is not None:
        text = read_text(file)
        from_file = parse_config(text, file)
        for section in SECTIONS:
            for key, value in msgspec.structs.asdict(getattr(from_file.config, section)).items():
                if f"{section}.{key}" in from_file.named:
                    set_to(section, key, value, place_of(file, text, section, key))
    for section, key, words, variable in _in_environment(environ):
        set_to(section, key, _read(section, key, words, variable), f"{variable} of the environment")
    for assignment in assignments:
        section, key, words = _assigned(assignment)
        set_to(section, key, _read(section, key, words, f"--set {section}.{key}"), f"--set {assignment}")
    for key, value in (options or {}).items():
        if value is None:
            continue
        option = f"--{key.replace('_', '-')}"
        kind = get_type_hints(SECTIONS["server"])[key]
        if wrong := complaint(key, kind, value):
            raise ConfigInvalid(f"{option} {wrong}.")
        set_to("server", key, typed(kind, value), option)
    config = msgspec.convert({section: made(**values[section]) for section, made in SECTIONS.items()}, Config)
    alone = file is not None and not any(_rank(origin) > 1 for origin in origins.values())
    return Settled(fitting(config, f"{file}" if alone else "the settings together"), origins)


def default_file() -> str:
    """Return a file that sets nothing: every key with its default and a sentence, as a comment."""
    lines = [
        "# Settings of a No Loose Ends server: looseends serve --config FILE",
        "#",
        "# Everything here is commented out and shows its default. Take away the # before a key to change it; then",
        "# `looseends config check FILE` says whether it is right. The same keys are read from the environment,",
        f"# as {VARIABLE_PREFIX}SECTION_KEY, and from the command line, as --set section.key=value; both win.",
    ]
    for section, made in SECTIONS.items():
        lines += ["", "", f"[{section}]"]
        sentences = sentences_of(made)
        for field in msgspec.structs.fields(made):
            lines.append("")
            lines += textwrap.wrap(sentences.get(field.name, ""), 110, initial_indent="# ", subsequent_indent="# ")
            lines.append(f"# {field.name} = {written(field.default)}")
    return "\n".join(lines) + "\n"


def settings_in_force(found: Settled) -> str:
    """Return all that is in force as a TOML file, each key with where it comes from in a comment behind it."""
    lines: list[str] = []
    for section in SECTIONS:
        lines += ["", f"[{section}]"] if lines else [f"[{section}]"]
        for key, value in msgspec.structs.asdict(getattr(found.config, section)).items():
            lines.append(f"{key} = {written(value)}  # {found.origins[f'{section}.{key}']}")
    return "\n".join(lines)


def written(value: Any) -> str:
    """Return a value as TOML has it."""
    if value is None:
        return f'"{NEVER}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float):
        return f"{value:g}" if value < 10**6 else str(int(value))
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(written(part) for part in value) + "]"
    return str(value)


@cache
def sentences_of(made: type[msgspec.Struct]) -> dict[str, str]:
    """Return what each key of a section means: the string that stands under its field in the source."""
    body = ast.parse(textwrap.dedent(inspect.getsource(made))).body[0]
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for field, after in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            found[field.target.id] = " ".join(str(after.value.value).split())
    return found


_EXCLUDED = {
    "tls_self_signed": ("tls_cert", "tls_key"),
    "tls_cert": ("tls_self_signed",),
    "tls_key": ("tls_self_signed",),
}
"""What a key replaces where an earlier source had set it."""


def _rank(origin: str) -> int:
    if origin == DEFAULT:
        return 0
    if origin.startswith("--"):
        return 3
    return 2 if origin.startswith(VARIABLE_PREFIX) else 1


def _in_environment(environ: Mapping[str, str]) -> list[tuple[str, str, str, str]]:
    found: list[tuple[str, str, str, str]] = []
    for variable, words in sorted(environ.items()):
        section = next((name for name in SECTIONS if variable.startswith(f"{VARIABLE_PREFIX}{name.upper()}_")), None)
        if section is not None:
            key = variable.removeprefix(f"{VARIABLE_PREFIX}{section.upper()}_").lower()
            _known(section, key, f"{variable} of the environment", assigned=False)
            found.append((section, key, words, variable))
    return found


def _assigned(assignment: str) -> tuple[str, str, str]:
    place, equals, words = assignment.partition("=")
    section, dot, key = place.strip().partition(".")
    if not equals or not dot:
        raise ConfigInvalid(f"--set {assignment}: write SECTION.KEY=VALUE, such as limits.tables=200.")
    if section not in SECTIONS:
        raise ConfigInvalid(
            f"--set {assignment}: there is no section {section}; there are {', '.join(sorted(SECTIONS))}."
        )
    _known(section, key, f"--set {assignment}", assigned=True)
    return section, key, words.strip()


def _variable(section: str, key: str) -> str:
    return f"{VARIABLE_PREFIX}{section}_{key}".upper()


def _known(section: str, key: str, whose: str, *, assigned: bool) -> None:
    keys = get_type_hints(SECTIONS[section])
    if key not in keys:
        near = difflib.get_close_matches(key, keys, 1)
        hint = f"its keys are {', '.join(sorted(keys))}."
        if near:
            named = f"{section}.{near[0]}" if assigned else _variable(section, near[0])
            hint = f"did you mean {named}?"
        raise ConfigInvalid(f"{whose}: [{section}] has no key {key}; {hint}")


def _read(section: str, key: str, words: str, whose: str) -> Any:
    """Return what words stand for in a key. Raises ConfigInvalid."""
    kind = get_type_hints(SECTIONS[section])[key]
    value = _value(kind, words)
    if wrong := complaint(key, kind, value):
        raise ConfigInvalid(f"{whose} {wrong}.")
    return typed(kind, value)


def _value(kind: Any, words: str) -> Any:
    if kind is str:
        return words
    if kind is bool:
        return True if words.lower() in _TRUE else False if words.lower() in _FALSE else words
    if kind in (int, float, float | None):
        for number in (int, float):
            try:
                return number(words)
            except ValueError:
                continue
        return words
    return [part.strip() for part in words.split(",") if part.strip()]


def _quoted(text: str) -> str:
    return '"' + "".join(_quoted_char(char) for char in text) + '"'


def _quoted_char(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{ord(char):08x}"

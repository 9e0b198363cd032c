"""The keys of the table that are in force: those of `key_list`, with a person's own in their place where that can be.

Which key means what is decided here once; bindings, the row of keys and the page of all keys read the answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

import msgspec

from looseends_client.key_list import TABLE_KEYS, TableKey
from looseends_client.narration import Sentence

_CARD_LETTERS = "brgyx0123456789"
"""What is typed of a card's name, in capitals or not."""
RESERVED = {
    "ctrl+c": "leaves whatever is in front",
    "ctrl+q": "ends the program",
    "ctrl+p": "opens the command palette",
    "ctrl+l": "paints the window anew",
    "ctrl+z": "is the shell's",
    "ctrl+s": "stops some terminals",
    "ctrl+i": "is sent as Tab",
    "ctrl+m": "is sent as Enter",
    "ctrl+j": "is sent as Enter",
    "ctrl+h": "is sent as Backspace",
}
"""Keys that mean something everywhere, with what."""
_NAMED = {
    "enter": "Enter",
    "tab": "Tab",
    "space": "Space",
    "escape": "Esc",
    "backspace": "Backspace",
    "delete": "Delete",
    "insert": "Insert",
    "home": "Home",
    "end": "End",
    "pageup": "Page Up",
    "pagedown": "Page Down",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    **{f"f{number}": f"F{number}" for number in range(1, 25)},
}
_SIGNS = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Names of characters that a terminal's parser calls otherwise than Unicode."""
_PRESS_P = re.compile(r"\b([Pp]ress )p\b")
_TOGETHER = {"choose-next": "choose-previous", "next-suit": "previous-suit"}
"""Keys that the page of all keys shows in one line, that of the first."""


class KeyRefused(msgspec.Struct, frozen=True):
    """A line of the table [keys] that cannot be: the action it names, and why, as a sentence."""

    name: str
    sentence: str


class TableKeys(msgspec.Struct, frozen=True):
    """The keys in force, in the order of the page of all keys."""

    keys: tuple[TableKey, ...] = TABLE_KEYS

    def shown(self, name: str) -> str:
        """Return how the keys of an action are written for people, the first one alone."""
        key = next(key for key in self.keys if key.id == name)
        return key.shown.split(" ")[0] if key.shown else _written(key.keys.split(",")[0])

    def in_words(self, sentence: Sentence) -> Sentence:
        """Return a sentence that names the usual key for passing with the one that is in force."""
        key = self.shown("pass")
        return tuple(
            _PRESS_P.sub(lambda found: found[1] + key, part) if isinstance(part, str) else part for part in sentence
        )

    def changed(self) -> dict[str, str]:
        """Return, by action, the keys that are not the usual ones, with commas between them."""
        return {key.id: key.keys for key, usual in zip(self.keys, TABLE_KEYS, strict=True) if key.keys != usual.keys}


def keys_in_force(given: Mapping[str, tuple[str, ...]]) -> tuple[TableKeys, tuple[KeyRefused, ...]]:
    """Return the keys in force where a person wants these, by action, and what of it cannot be."""
    refused: list[KeyRefused] = []
    wanted: dict[str, tuple[str, ...]] = {}
    usual = {key.id: tuple(key.keys.split(",")) for key in TABLE_KEYS}
    for name, keys in given.items():
        if name not in usual:
            import difflib  # of no use where nobody has made a slip

            near = difflib.get_close_matches(name, usual, 1)
            hint = f"Did you mean {near[0]}?" if near else f"The actions are {', '.join(usual)}."
            refused.append(KeyRefused(name, f"the table has no action {name!r}. {hint}"))
            continue
        codes = tuple(dict.fromkeys(map(key_code, keys)))
        why = next(
            (why for key, code in zip(keys, map(key_code, keys), strict=True) if (why := _why_not(key, code))), ""
        )
        if not codes:
            why = f"{name} has to have a key"
        if why:
            refused.append(KeyRefused(name, f"{why}; {_words(usual[name])} stands for {name}."))
        else:
            wanted[name] = codes
    while (clash := _clash({**usual, **wanted}, wanted)) is not None:
        name, key, other = clash
        del wanted[name]
        refused.append(
            KeyRefused(name, f"{_written(key)} is the key of {other} too; {_words(usual[name])} stands for {name}.")
        )
    all_keys = tuple(
        msgspec.structs.replace(key, keys=",".join(wanted.get(key.id, usual[key.id]))) for key in TABLE_KEYS
    )
    return TableKeys(tuple(_with_words(key, all_keys, wanted) for key in all_keys)), tuple(refused)


def _clash(keys: Mapping[str, tuple[str, ...]], wanted: Mapping[str, tuple[str, ...]]) -> tuple[str, str, str] | None:
    """Return an action whose wanted key is another one's too, the key, and the other; the last wanted one first."""
    for name in reversed(list(wanted)):
        for key in keys[name]:
            other = next((other for other, theirs in keys.items() if other != name and key in theirs), None)
            if other is not None:
                return name, key, other
    return None


def key_code(name: str) -> str:
    """Return a key as the terminal's parser calls it, from how a person names it: `?` is `question_mark`."""
    parts = _MODIFIED.fullmatch(name.strip() or name)
    if parts is None:
        return name
    modifiers = sorted(set(re.findall("[a-z]+", parts[1].lower())))
    last = _code_of_one(parts[2])
    if "shift" in modifiers and len(last) == 1 and last.isalpha():
        modifiers.remove("shift")  # a terminal sends the capital letter
        last = last.upper()
    return "+".join([*modifiers, last.lower() if "ctrl" in modifiers else last])


def _code_of_one(name: str) -> str:
    """Return the code of a key without modifiers."""
    if len(name) > 1:
        plain = name.lower()
        plain = {"esc": "escape", "return": "enter", "del": "delete"}.get(plain, plain)
        return plain if "_" in plain else plain.replace(" ", "")
    if name == " ":
        return "space"
    if name.isalnum():
        return name
    code = unicodedata.name(name, name).lower().replace("-", "_").replace(" ", "_")
    return _SIGNS.get(code, code)


_MODIFIED = re.compile(r"((?:(?:ctrl|alt|shift)\s*[+-]\s*)*)(.+)", re.IGNORECASE | re.DOTALL)
_SIGN_CODES = {key_code(chr(code)): chr(code) for code in range(33, 127) if not chr(code).isalnum()}


def _why_not(name: str, code: str) -> str:
    """Return why a key cannot be an action's, to begin a sentence with; empty where it can."""
    *modifiers, last = code.split("+")
    if not modifiers and len(code) == 1 and code.lower() in _CARD_LETTERS:
        return f"{name} begins or goes on with the name of a card"
    if code in RESERVED:
        return f"{_written(code)} {RESERVED[code]}"
    is_character = len(last) == 1 and last.isprintable()
    if not (is_character or last in _NAMED or last in _SIGN_CODES):
        return f"there is no key {name!r}"
    return ""


def _written(code: str) -> str:
    *modifiers, last = code.split("+")
    shown = _NAMED.get(last) or _SIGN_CODES.get(last, last)
    return "-".join([*map(str.capitalize, modifiers), shown.upper() if modifiers and len(shown) == 1 else shown])


def _words(codes: tuple[str, ...]) -> str:
    return " and ".join(map(_written, codes))


def _with_words(key: TableKey, keys: tuple[TableKey, ...], wanted: Mapping[str, object]) -> TableKey:
    """Return a key with what the page of all keys says of it, the usual words where the usual keys hold."""
    partner = _TOGETHER.get(key.id, "")
    if key.id not in wanted and partner not in wanted:
        return key
    if key.id in _TOGETHER.values():
        return key  # its partner's line names both
    codes = key.keys.split(",")
    if partner:
        codes = [*next(other.keys for other in keys if other.id == partner).split(","), *codes]
    return msgspec.structs.replace(key, shown=" ".join(map(_written, codes)))

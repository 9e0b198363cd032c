"""What a person may set for themselves: every setting with its type, its default and a sentence, in one place.

Where a setting comes from (a file, the environment, an option) is in `settings_file`, and which keys there are at the
table is in `key_list`. Nothing of a user interface may be imported here.
"""

from __future__ import annotations

import enum
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from looseends_protocol.limits import NAME_LENGTH
from looseends_protocol.people_text import NameInvalid, person_name

TRICK_PAUSE_SECONDS = 1.6
"""How long a finished trick lies so that it can be read; any key ends it."""
MOST_PHRASES = 9
"""Phrases ready to be said: one for each digit."""
PHRASE_LENGTH = 60
"""Characters of a phrase, so that each has a line on the narrowest screen."""

Suits = Literal["auto", "glyphs", "letters"]
Colours = Literal["auto", "true", "256", "16", "mono"]
Alerts = Literal["none", "bell", "notify"]
Occasion = Literal["turn", "full", "start"]
BotName = Annotated[str, Meta(min_length=1, max_length=20, pattern="^[a-z][a-z0-9-]*$")]
Phrase = Annotated[str, Meta(min_length=1, max_length=PHRASE_LENGTH)]
KeyName = Annotated[str, Meta(min_length=1, max_length=40)]
DEFAULT_BOTS = ("steady", "rookie", "sharp")
"""One that plays well enough to learn from, one to beat, and one that is hard to beat, as far as there are seats."""
DEFAULT_PHRASES = (
    "Well played!",
    "Thank you.",
    "Oh no.",
    "That was mine!",
    "Somebody is snitching.",
    "One moment, please.",
    "I am back.",
    "Good luck, all.",
    "Another game?",
)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings. The name of a field is its key in the file; its description is what people read about it."""

    theme: Annotated[str, Meta(min_length=1, max_length=40, description="The colours of everything, by name.")] = (
        "looseends-dark"
    )
    suits: Annotated[
        Suits,
        Meta(description="How suits are drawn: glyphs, letters alone, or auto, which goes by your locale."),
    ] = "auto"
    colours: Annotated[
        Colours,
        Meta(description="How many colours the terminal is sent: auto asks its environment, mono is none at all."),
    ] = "auto"
    mouse: Annotated[
        bool, Meta(description="Whether clicks choose cards; off, the terminal's own selection of text works.")
    ] = True
    trick_pause: Annotated[
        float, Meta(ge=0, le=60, description="Seconds that a finished trick lies to be read; any key ends it.")
    ] = TRICK_PAUSE_SECONDS
    animation: Annotated[bool, Meta(description="Whether pages glide when they scroll; off, they jump at once.")] = (
        False
    )
    alerts: Annotated[
        Alerts,
        Meta(description="How you are called when you look elsewhere: not at all, by a bell, or by a message."),
    ] = "bell"
    alerts_for: Annotated[
        tuple[Occasion, ...],
        Meta(max_length=3, description="What you are called for: your turn, a full table, the start of a game."),
    ] = ("turn", "full", "start")
    name: Annotated[
        str, Meta(max_length=NAME_LENGTH, description="Your name at tables; empty for the name you log in with.")
    ] = ""
    bots: Annotated[
        tuple[BotName, ...],
        Meta(min_length=1, max_length=4, description="The levels of the bots that you play against, in order."),
    ] = DEFAULT_BOTS
    phrases: Annotated[
        tuple[Phrase, ...],
        Meta(
            max_length=MOST_PHRASES,
            description="What t and a digit say to the table, up to nine phrases.",
            extra={"between": "|"},  # phrases have commas in them
        ),
    ] = DEFAULT_PHRASES
    keys: Annotated[
        dict[str, tuple[KeyName, ...]],
        Meta(max_length=64, description="Other keys for what the table does, by name; ? at the table lists them."),
    ] = {}


class Kind(enum.Enum):
    """What a value of a setting is, for whoever edits it."""

    CHOICE = "one of some words"
    SWITCH = "on or off"
    NUMBER = "a number"
    TEXT = "a line of text"
    SOME = "any of some words"
    LIST = "a list of texts"
    TABLE = "a table"


class Setting(msgspec.Struct, frozen=True):
    """One setting: its key, kind, default and sentence, the words it may be, and the least and most of it.

    `least` and `most` are of a number itself, of a text's characters, or of how many a list holds; `between` stands
    between the parts of a list that is written in one line.
    """

    key: str
    kind: Kind
    default: Any
    sentence: str
    words: tuple[str, ...] = ()
    least: float = 0
    most: float = 0
    between: str = ","

    @property
    def expected(self) -> str:
        """What a value has to be, to follow `must be`."""
        match self.kind:
            case Kind.CHOICE:
                return f"one of {', '.join(self.words)}"
            case Kind.SWITCH:
                return "true or false"
            case Kind.NUMBER:
                return f"a number from {self.least:g} to {self.most:g}"
            case Kind.TEXT:
                return f"a text of {self.least:g} to {self.most:g} characters"
            case Kind.SOME:
                return f"a list of some of {', '.join(self.words)}"
            case Kind.LIST:
                return f"a list of {self.least:g} to {self.most:g} short texts"
            case Kind.TABLE:
                return "a table of names with a key or a list of keys each"


class ValueRefused(ValueError):
    """A value that a setting cannot have; the message says what was expected, and what was given."""


def checked(key: str, value: Any) -> Any:
    """Return a value of a setting in the setting's own type. Raises KeyError of no such setting, ValueRefused."""
    setting = SETTINGS[key]
    if setting.kind is Kind.TABLE and isinstance(value, dict):
        value = {name: [keys] if isinstance(keys, str) else keys for name, keys in value.items()}
    try:
        found = msgspec.convert(value, _TYPES[key])
    except msgspec.ValidationError as error:
        raise ValueRefused(f"{key} must be {setting.expected}, not {shown(value)}") from error
    texts = found if setting.kind is Kind.LIST else (found,) if setting.kind is Kind.TEXT else ()
    if not all(text.isprintable() for text in texts):
        raise ValueRefused(f"{key} must be text of one line that can be printed, not {shown(value)}")
    if key == "name" and found:
        try:
            return person_name(found)
        except NameInvalid as error:
            raise ValueRefused(f"name cannot be {shown(value)}: {error}") from error
    if setting.kind is Kind.SOME and len(set(found)) != len(found):
        raise ValueRefused(f"{key} must name each of its words once, not {shown(value)}")
    return found


def from_text(key: str, text: str) -> Any:
    """Return the value that a line of text means for a setting, as an environment or a person writes it.

    Raises KeyError and ValueRefused as `checked` does.
    """
    setting = SETTINGS[key]
    text = text.strip()
    value: Any = text
    match setting.kind:
        case Kind.SWITCH:
            value = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}.get(
                text.casefold(), text
            )
            if value is text:
                raise ValueRefused(f"{key} must be on or off, not {shown(text)}")
        case Kind.NUMBER:
            try:
                value = float(text)
            except ValueError:
                value = text
        case Kind.SOME | Kind.LIST:
            value = [part.strip() for part in text.split(setting.between) if part.strip()]
        case _:
            pass
    return checked(key, value)


def as_text(key: str, value: Any) -> str:
    """Return a setting's value as a line that people read, and that `from_text` understands."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        between = SETTINGS[key].between
        return (f"{between} " if between == "," else f" {between} ").join(value)
    return str(value)


def shown(value: Any) -> str:
    """Return a value in a sentence, cut where it is long."""
    text = "true" if value is True else "false" if value is False else repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


_TYPES: dict[str, Any] = get_type_hints(Settings, include_extras=True)
_DEFAULTS = Settings()


def _setting(key: str) -> Setting:
    base, *metas = get_args(_TYPES[key])
    least, most, sentence, between = 0.0, 0.0, "", ","
    for meta in metas:
        sentence = meta.description or sentence
        between = (meta.extra or {}).get("between", between)
        least = next((float(value) for value in (meta.ge, meta.min_length) if value is not None), least)
        most = next((float(value) for value in (meta.le, meta.max_length) if value is not None), most)
    words: tuple[str, ...] = ()
    if get_origin(base) is Literal:
        kind, words = Kind.CHOICE, get_args(base)
    elif base is bool:
        kind = Kind.SWITCH
    elif base is float:
        kind = Kind.NUMBER
    elif base is str:
        kind = Kind.TEXT
    elif get_origin(base) is dict:
        kind = Kind.TABLE
    else:
        part = get_args(base)[0]
        kind, words = (Kind.SOME, get_args(part)) if get_origin(part) is Literal else (Kind.LIST, ())
    return Setting(key, kind, getattr(_DEFAULTS, key), sentence, words, least, most, between)


SETTINGS: dict[str, Setting] = {key: _setting(key) for key in _TYPES}
"""Every setting by its key, in the order in which people read them."""

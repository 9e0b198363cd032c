"""What a typed line means: which command, or which card. Forgiving of case, spaces and beginnings of words.

Whether it may be done now is not asked here.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

import msgspec

from looseends_core.cards import GETAWAY, RANKS, SUIT_NAMES, SUIT_OF, Card, suited

FEWEST_LETTERS = 2
"""Letters of a command's beginning that may stand for it, where no other begins so."""


class Command(msgspec.Struct, frozen=True):
    """A command: its word, its short form, what follows it, what it does, and other words for it."""

    word: str
    short: str
    does: str
    takes: str = ""
    also: tuple[str, ...] = ()


class NotUnderstood(Exception):
    """A line that is no command; the message says what it may have been meant for."""


def command_in(line: str, commands: Sequence[Command], elsewhere: Sequence[Command] = ()) -> tuple[Command, str]:
    """Return the command that a line gives, and the rest of the line. Raises NotUnderstood with a sentence.

    `elsewhere` are commands that are known but not here: one of them is answered as that.
    """
    word, _, rest = line.strip().partition(" ")
    said = word.casefold()
    for command in commands:
        if said in (command.word, command.short, *command.also):
            return command, rest.strip()
        if command.short and not command.short.isalnum() and line.strip().startswith(command.short):
            return command, line.strip()[len(command.short) :].strip()
    begun = [command for command in commands if len(said) >= FEWEST_LETTERS and command.word.startswith(said)]
    if len(begun) == 1:
        return begun[0], rest.strip()
    if begun:
        raise NotUnderstood(f"{_quoted(word)} may be {' or '.join(command.word for command in begun)}.")
    if any(said in (command.word, *command.also) for command in elsewhere):
        raise NotUnderstood(f"{_quoted(word)} does nothing here. Type help for what does.")
    words = [name for command in commands for name in (command.word, *command.also)]
    near = difflib.get_close_matches(said[:40], words, n=1, cutoff=0.55)
    hint = f"Did you mean {near[0]}?" if near else "Type help for all commands."
    raise NotUnderstood(f"{_quoted(word)} is no command and no card. {hint}")


def _quoted(word: str) -> str:
    return word if len(word) <= 24 else f"{word[:24]}..."


_CARD = re.compile(r"(blue|red|green|yellow|getaway|[brgyx])(\d*)")
_LETTER_OF = {name.lower(): letter for name, letter in zip(SUIT_NAMES, "brgyx", strict=True)}


class NoCard(Exception):
    """A card's name that means none of the cards at hand, or several; the message says which."""


def card_in(line: str, cards: Sequence[Card]) -> Card | None:
    """Return the card that a line names among these cards, None where the line is no card's name.

    `r9`, `R 9`, `red 9` and `red9` are one card; `x`, `x3` and `getaway` any Getaway card; `g` alone, or `green`, the
    only Green card at hand. Raises NoCard where it is none of them, or could be several.
    """
    matched = _CARD.fullmatch("".join(line.casefold().split()).replace("-", ""))
    if matched is None:
        return None
    suit_name, number = matched.groups()
    letter = _LETTER_OF.get(suit_name, suit_name)
    suit = "brgyx".index(letter)
    name = SUIT_NAMES[suit]
    of_suit = [card for card in cards if SUIT_OF[card] == suit]
    if suit == GETAWAY:
        if not of_suit:
            raise NoCard("You have no Getaway card there.")
        return of_suit[0]
    if number:
        rank = int(number[:4])
        if not 1 <= rank <= RANKS:
            raise NoCard(f"{name} has the ranks 1 to {RANKS}.")
        card = suited(suit, rank)
        if card not in cards:
            raise NoCard(f"{letter.upper()}{rank} is not among your cards.")
        return card
    if not of_suit:
        raise NoCard(f"You have no {name} card there.")
    if len(of_suit) > 1:
        raise NoCard(f"Which {name} card? Type its number too.")
    return of_suit[0]

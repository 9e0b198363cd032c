"""How cards and marks are written for people: a letter, a shape and (elsewhere) a colour, or letters alone.

The letter always stands, so a card is read right without colour and in a font without suits. Colours and styles do
not live here.
"""

from __future__ import annotations

import msgspec

from looseends_core.cards import GETAWAY, RANK_OF, SUIT_LETTERS, SUIT_NAMES, SUIT_OF, Card


class Frame(msgspec.Struct, frozen=True):
    """The characters of a box, one cell each."""

    top_left: str
    top: str
    top_right: str
    side: str
    bottom_left: str
    bottom: str
    bottom_right: str


class Faces(msgspec.Struct, frozen=True):
    """Every glyph that the table draws, each one cell wide. `shapes` are by suit, empty where letters stand alone."""

    shapes: tuple[str, ...]
    covered: str
    open: str
    hopeless: str
    turn: str
    rule: str
    column: str
    minus: str
    plus: str
    dot: str
    ellipsis: str
    arrows: str
    thin: Frame
    heavy: Frame
    dashed: Frame

    @property
    def signs(self) -> tuple[str, ...]:
        """The signs that words may name, in one order for all faces."""
        return (self.covered, self.open, self.hopeless, self.turn, self.minus)


UNICODE_FACES = Faces(
    shapes=("♦", "♥", "♣", "♠", ""),
    covered="✓",
    open="·",
    hopeless="✗",
    turn="▶",
    rule="─",
    column="│",
    minus="−",
    plus="+",
    dot="·",
    ellipsis="…",
    arrows="←→",
    thin=Frame("╭", "─", "╮", "│", "╰", "─", "╯"),
    heavy=Frame("┏", "━", "┓", "┃", "┗", "━", "┛"),
    dashed=Frame("╭", "╌", "╮", "╎", "╰", "╌", "╯"),
)
ASCII_FACES = Faces(
    shapes=("", "", "", "", ""),
    covered="*",
    open=".",
    hopeless="x",
    turn=">",
    rule="-",
    column="|",
    minus="-",
    plus="+",
    dot="-",
    ellipsis="~",
    arrows="<>",
    thin=Frame("+", "-", "+", "|", "+", "-", "+"),
    heavy=Frame("#", "=", "#", "#", "#", "=", "#"),
    dashed=Frame("+", " ", "+", ":", "+", " ", "+"),
)

SUIT_LOOKS = ("blue", "red", "green", "yellow", "getaway")
"""The look of each suit, in the order of the core's suits; the look of a Getaway card last."""


def card_text(card: Card, faces: Faces = UNICODE_FACES, *, shape: bool = True) -> str:
    """Return a card as it is shown: `G♣14`, `G14` without its shape, `X` for Getaway cards, which are all equal."""
    suit = SUIT_OF[card]
    if suit == GETAWAY:
        return "X"
    return f"{SUIT_LETTERS[suit]}{faces.shapes[suit] if shape else ''}{RANK_OF[card]}"


def suit_text(suit: int, faces: Faces = UNICODE_FACES) -> str:
    """Return a suit as it is shown: `Green ♣`, `Green` where letters stand alone."""
    return f"{SUIT_NAMES[suit]} {faces.shapes[suit]}".rstrip()


def suit_look(card: Card) -> str:
    """Return the name of the look that a card is drawn in."""
    return SUIT_LOOKS[SUIT_OF[card]]


def points_text(points: int, faces: Faces = UNICODE_FACES) -> str:
    """Return points with their sign: `+4`, `−2`, `0`."""
    if points == 0:
        return "0"
    return f"{faces.plus if points > 0 else faces.minus}{abs(points)}"

"""How a line is written: cards as letters, words or shapes, and everything of ours in plain letters unless asked.

Nothing here knows a table. What people wrote is made harmless before it comes here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Literal, get_args

from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES, Faces, card_text
from looseends_client.narration import Sentence, listed
from looseends_core.cards import GETAWAY, RANK_OF, SUIT_NAMES, SUIT_OF, Card

CardStyle = Literal["letters", "words", "shapes"]
"""`R9`, `red 9`, or `R♥9`. Only the last needs more than plain letters."""
CARD_STYLES: tuple[CardStyle, ...] = get_args(CardStyle)

_IN_LETTERS = str.maketrans({"−": "-", "–": "-", "·": "-", "…": "...", "’": "'"})
"""Signs that our own sentences hold, and what stands for each where plain letters have to do."""


class Wording:
    """How this reader wants to be told. `style` may be changed at any time."""

    def __init__(self, style: CardStyle = "letters") -> None:
        self.style: CardStyle = style

    @property
    def faces(self) -> Faces:
        """The signs that go with the style."""
        return UNICODE_FACES if self.style == "shapes" else ASCII_FACES

    def card(self, card: Card) -> str:
        """Return one card: `R9`, `red 9` or `R♥9`; a Getaway card is `X`, or `getaway` in words."""
        if self.style == "words":
            suit = SUIT_NAMES[SUIT_OF[card]].lower()
            return suit if SUIT_OF[card] == GETAWAY else f"{suit} {RANK_OF[card]}"
        return card_text(card, self.faces)

    def cards(self, cards: Sequence[Card]) -> str:
        """Return cards suit by suit: `B3 B9, R2`, or `blue 3 9, red 2`; `none` of no cards."""
        groups: list[str] = []
        for suit, of_suit in groupby(cards, key=lambda card: SUIT_OF[card]):
            same = list(of_suit)
            if self.style == "words" and suit != GETAWAY:
                groups.append(f"{SUIT_NAMES[suit].lower()} {' '.join(str(RANK_OF[card]) for card in same)}")
            else:
                groups.append(" ".join(self.card(card) for card in same))
        return ", ".join(groups) or "none"

    def either(self, cards: Sequence[Card]) -> str:
        """Return cards as a choice: `R9, G3 or B2`."""
        return " or ".join(listed([self.card(card) for card in cards]).rsplit(" and ", 1))

    def sentence(self, words: Sentence) -> str:
        """Return a sentence of texts and cards as one line that ends like a sentence."""
        return finished(self.text("".join(part if isinstance(part, str) else self.card(part) for part in words)))

    def text(self, text: str) -> str:
        """Return a text of ours with its signs as the style has them."""
        return text if self.style == "shapes" else text.translate(_IN_LETTERS)


def finished(text: str) -> str:
    """Return a text as a sentence: a line that ends without a mark is given its full stop."""
    text = text.strip()
    return text if not text or text[-1] in ".?!:" else f"{text}."

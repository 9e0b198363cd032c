"""Rows of text: spans with a look each, measured in terminal cells, cut and filled to a width.

A look is one or more words (`green strong`) that a widget turns into a style. Text of people goes through
`people_text.visible` before it comes here, and is never read as markup. What a row says is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from rich.cells import cell_len, set_cell_size

from looseends_client.cards_text import Faces, card_text, suit_look
from looseends_client.narration import Sentence
from looseends_core.cards import Card


class Span(msgspec.Struct, frozen=True, gc=False):
    """A piece of a row. `card` is set where a click on it means that card."""

    text: str
    look: str = ""
    card: Card | None = None


Row = list[Span]


def width_of(row: Iterable[Span]) -> int:
    """Return the cells that a row takes."""
    cells = 0
    for span in row:
        text = span.text
        cells += len(text) if text.isascii() else cell_len(text)
    return cells


def row_text(row: Iterable[Span]) -> str:
    """Return the row as text, without what fills it at its end."""
    return "".join(span.text for span in row).rstrip()


def cut_text(text: str, width: int, faces: Faces) -> str:
    """Return the text in at most `width` cells, with an ellipsis as its last cell where it was longer."""
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    return set_cell_size(text, width - 1).rstrip() + faces.ellipsis


def filled(row: Row, width: int, faces: Faces) -> Row:
    """Return the row in exactly `width` cells: filled with spaces, or cut with an ellipsis."""
    used = width_of(row)
    if used == width:
        return row
    if used < width:
        return [*row, Span(" " * (width - used))]
    kept: Row = []
    left = width
    for span in row:
        size = cell_len(span.text)
        if size < left:
            kept.append(span)
            left -= size
            continue
        text = cut_text(span.text + " " * (left - size + 1), left, faces) if size >= left else span.text
        kept.append(Span(text + " " * (left - cell_len(text)), span.look, span.card))
        break
    return kept


def spread(left: Row, right: Row, width: int, faces: Faces) -> Row:
    """Return a row with one part at its left and one at its right end; the left one is cut where both do not fit."""
    room = width - width_of(right)
    if room < 2 or not right:
        return filled(left, width, faces)
    return [*filled(left, room - 1, faces), Span(" "), *right]


def centred(row: Row, width: int, faces: Faces) -> Row:
    """Return the row in the middle of `width` cells."""
    return filled([Span(" " * max(0, (width - width_of(row)) // 2)), *row], width, faces)


def card_span(card: Card, faces: Faces, look: str = "", *, shape: bool = True, clicks: bool = True) -> Span:
    """Return a card in its suit's look and, where given, another; without `clicks` it is no place to click."""
    return Span(card_text(card, faces, shape=shape), f"{suit_look(card)} {look}".strip(), card if clicks else None)


def sentence_row(sentence: Sentence, faces: Faces, look: str = "") -> Row:
    """Return a sentence as a row; a card in it keeps its suit's look and is no place to click."""
    return [
        Span(part, look) if isinstance(part, str) else card_span(part, faces, look, clicks=False) for part in sentence
    ]


def wrapped(row: Row, width: int, faces: Faces, indent: int = 0) -> list[Row]:
    """Return the row broken at spaces into rows of at most `width` cells, later ones indented."""
    rows: list[Row] = [[]]
    used = 0
    for word in _words(row):
        size = width_of(word)
        if used and used + size > width:
            rows.append([Span(" " * indent)] if indent else [])
            used = indent
            if word[0].text.isspace():
                continue
        if size > width - used:
            word = [Span(cut_text("".join(span.text for span in word), width - used, faces), word[0].look)]
            size = width_of(word)
        rows[-1] += word
        used += size
    return rows


def wrapped_in_company(row: Row, width: int, faces: Faces, indent: int = 0) -> list[Row]:
    """Return the row broken as by `wrapped`, but where that leaves one word over, the row before lends it another."""
    rows = wrapped(row, width, faces, indent)
    if len(rows) == 1 or not _is_one_word(rows[-1]):
        return rows
    longest = max(width_of(word) for word in _words(row))
    for narrower in range(width - 1, max(width // 2, longest + indent) - 1, -1):
        others = wrapped(row, narrower, faces, indent)
        if len(others) > len(rows):
            break
        if not _is_one_word(others[-1]):
            return others
    return rows


def _is_one_word(row: Row) -> bool:
    return len("".join(span.text for span in row).split()) == 1


def _words(row: Row) -> list[Row]:
    """Return the row as words and the spaces between them; a word may run over several spans."""
    words: list[Row] = []
    blank = True
    for span in row:
        for piece in _pieces(span.text):
            is_space = piece.isspace()
            if is_space or blank or not words:
                words.append([])
            words[-1].append(Span(piece, span.look, span.card))
            blank = is_space
    return words


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for char in text:
        if pieces and pieces[-1].isspace() == char.isspace():
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces


def columns(cells: Sequence[Row], widths: Sequence[int], faces: Faces, *, between: Span | None = None) -> Row:
    """Return cells side by side, each filled or cut to its width, with a span between two of them."""
    row: Row = []
    for place, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        if place and between is not None:
            row.append(between)
            row += filled(cell, width - cell_len(between.text), faces)
        else:
            row += filled(cell, width, faces)
    return row


def column_widths(width: int, count: int) -> list[int]:
    """Return `count` widths that add up to `width` and differ by one cell at most, wider ones first."""
    each, more = divmod(width, count)
    return [each + (place < more) for place in range(count)]


def clicked_card(row: Iterable[Span], x: int) -> Card | None:
    """Return the card at a cell of a row, None where there is none."""
    at = 0
    for span in row:
        at += cell_len(span.text)
        if x < at:
            return span.card
    return None

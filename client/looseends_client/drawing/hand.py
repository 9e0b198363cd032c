"""The reader's hand, by suit: what may be played stands up, the rest lies down, the chosen card is framed.

A card keeps its place from the deal to the last trick: one that is bid or played leaves a gap. Legality comes in with
the scene.
"""

from __future__ import annotations

from looseends_client.cards_text import card_text, suit_look
from looseends_client.drawing.rows import Row, Span, centred, filled
from looseends_client.drawing.scene import Scene
from looseends_core.cards import SUIT_OF, Card, CardSet, card_set, cards_in
from looseends_core.state import Phase, State

HAND_ROWS = 3
"""Rows of a hand with standing and lying cards."""


def hand_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the hand in exactly `height` rows: standing and lying cards where there are three, else one bank a row."""
    seat = scene.model.seat
    faces = scene.faces
    if seat is None:
        blank: Row = filled([], width, faces)
        watching = centred([Span("You watch: every hand is hidden.", "dim")], width, faces)
        return [blank] * (height - 1) + [watching] if height > 1 else [watching]
    cards = list(cards_in(dealt_cards(scene.model.state, seat)))
    if height >= HAND_ROWS:
        for gap, shape in ((2, True), (1, True), (1, False)):
            if _width(cards, scene, gap, shape) <= width:
                rows = _standing(cards, scene, width, gap, shape)
                blanks = [filled([], width, faces)] * (height - HAND_ROWS)
                return [*blanks[len(blanks) // 2 :], *rows, *blanks[: len(blanks) // 2]]
    return _banks(cards, scene, width, height)


def dealt_cards(state: State, seat: int) -> CardSet:
    """Return the hand as it was dealt, as far as its owner knows: what is held, was bid or was played this round."""
    played = [
        card for trick in (*(trick.plays for trick in state.tricks), state.trick) for at, card in trick if at == seat
    ]
    return state.hands[seat] | card_set(state.bids[seat]) | card_set(played)


def _width(cards: list[Card], scene: Scene, gap: int, shape: bool) -> int:
    suits = len({SUIT_OF[card] for card in cards})
    texts = sum(len(card_text(card, scene.faces, shape=shape)) + 1 for card in cards)
    return texts + 1 + max(0, suits - 1) * (gap - 1)


def _held(scene: Scene) -> CardSet:
    seat = scene.model.seat
    return 0 if seat is None else scene.model.state.hands[seat]


def _standing(cards: list[Card], scene: Scene, width: int, gap: int, shape: bool) -> list[Row]:
    """Return three rows: the frame's top, standing cards, lying cards and the frame's bottom."""
    faces = scene.faces
    up = scene.choosable if scene.model.state.phase is not Phase.COVERING else 0
    held = _held(scene)
    top: Row = []
    upper: Row = []
    lower: Row = []

    def put(a: Span, b: Span, c: Span) -> None:
        top.append(a)
        upper.append(b)
        lower.append(c)

    def blank(n: int) -> None:
        put(Span(" " * n), Span(" " * n), Span(" " * n))

    before: Card | None = None
    for card in cards:
        text = card_text(card, faces, shape=shape)
        look = suit_look(card)
        stands = bool(up >> card & 1)
        framed = card == scene.chosen and scene.model.state.phase is not Phase.COVERING
        apart = gap if before is not None and SUIT_OF[before] != SUIT_OF[card] else 1
        after_frame = before is not None and before == scene.chosen and scene.model.state.phase is not Phase.COVERING
        blank(apart - 1 if after_frame else apart - (1 if framed else 0))
        before = card
        size = len(text)
        if not held >> card & 1:
            blank(size)
        elif not framed:
            up_text = text if stands else " " * size
            down_text = " " * size if stands else text
            down_look = f"{look} dim" if up and not stands else look
            put(
                Span(" " * size, "", card),
                Span(up_text, f"{look} strong" if stands else "", card),
                Span(down_text, down_look, card),
            )
        elif stands:
            f = faces.thin
            put(
                Span(f.top_left + f.top * size + f.top_right, "chosen", card),
                Span(f.side, "chosen", card),
                Span(f.bottom_left + f.bottom * size + f.bottom_right, "chosen", card),
            )
            upper.append(Span(text, f"{look} strong chosen-card", card))
            upper.append(Span(f.side, "chosen", card))
        else:
            put(Span(" " * (size + 2), "", card), Span(" " * (size + 2), "", card), Span("[", "chosen", card))
            lower.append(Span(text, f"{look} strong", card))
            lower.append(Span("]", "chosen", card))
    return [centred(top, width, faces), centred(upper, width, faces), centred(lower, width, faces)]


def _banks(cards: list[Card], scene: Scene, width: int, height: int) -> list[Row]:
    """Return the hand without shapes, one bank of cards a row; what may not be played is written small."""
    faces = scene.faces
    banks: list[list[Card]] = [[]]
    used = 1
    for card in cards:
        size = len(card_text(card, faces, shape=False)) + 1
        if used + size > width and banks[-1]:
            banks.append([])
            used = 1
        banks[-1].append(card)
        used += size
    first, shown = 0, banks
    if len(banks) > height:
        at = next((n for n, bank in enumerate(banks) if scene.chosen in bank), 0)
        first = max(0, min(at, len(banks) - height))
        shown = banks[first : first + height]
    rows = [_bank(bank, scene) for bank in shown]
    hidden = sum(_held(scene) >> card & 1 for bank in banks if bank not in shown for card in bank)
    if hidden:
        more = Span(f" {faces.plus}{hidden}", "dim")
        rows[-1] = [*filled(rows[-1], max(0, width - len(more.text)), faces), more]
    rows = [filled(row, width, faces) for row in rows]
    return rows + [filled([], width, faces)] * (height - len(rows))


def _bank(cards: list[Card], scene: Scene) -> Row:
    """Return one row of cards; a suit begins with a stroke, and the frame of the chosen card takes the gaps."""
    faces = scene.faces
    covering = scene.model.state.phase is Phase.COVERING
    up = 0 if covering else scene.choosable
    held = _held(scene)
    row: Row = []
    before: Card | None = None
    for card in cards:
        text = card_text(card, faces, shape=False)
        look = suit_look(card)
        framed = card == scene.chosen and not covering
        if framed:
            row.append(Span("[", "chosen", card))
        elif before is not None and before == scene.chosen and not covering:
            row.append(Span("]", "chosen", before))
        elif before is not None and SUIT_OF[before] != SUIT_OF[card] and held >> card & 1:
            row.append(Span(faces.column, "line"))
        else:
            row.append(Span(" ", "", card))
        lies = bool(up) and not up >> card & 1
        if not held >> card & 1:
            row.append(Span(" " * len(text)))
        elif framed:
            row.append(Span(text, f"{look} strong chosen-card", card))
        else:
            row.append(Span(text.lower() if lies else text, f"{look} {'dim' if lies else 'strong'}", card))
        before = card
    if before is not None and before == scene.chosen and not covering:
        row.append(Span("]", "chosen", before))
    return row

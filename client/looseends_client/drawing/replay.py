"""What a replay adds to the table: a strip that says which moment this is, and every hand open in place of the log."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from looseends_client.drawing.layout import Layout
from looseends_client.drawing.middle import middle_rows
from looseends_client.drawing.open_hands import open_hand_rows
from looseends_client.drawing.rows import Row, Span, filled, width_of
from looseends_client.drawing.scene import Scene
from looseends_core.actions import Bid, Cover, Play
from looseends_core.cards import CardSet, card_set
from looseends_core.decide import legal_actions
from looseends_core.state import Phase, State

STRIP_ROWS = 1


@dataclass
class ReplayScene(Scene):
    """A table as it stood once. `whole` is the same moment with every hand open; `opened` says that they are shown."""

    whole: State | None = None
    opened: bool = False
    moment: int = 0
    moments: int = 0
    seen: str = ""
    """Through whose eyes the table is seen."""
    proof: str = ""
    """Whether the deals of this game are proven, in a word or two."""
    proven: bool = True

    @property
    def hands_in_middle(self) -> int:
        """How many hands stand in the middle: all but the one below."""
        return self.model.state.players - (self.model.seat is not None) if self.opened else 0


def strip_row(scene: ReplayScene, width: int) -> Row:
    """Return the strip: the moment, who sees the table so, and whether the deals are proven."""
    faces = scene.faces
    left: Row = [Span(" Replay ", "title"), Span(f" {scene.moment + 1} of {scene.moments}", "strong")]
    middle: Row = [Span(f"   {scene.seen}", "turn")]
    right: Row = [Span(f"{faces.covered if scene.proven else faces.hopeless} ", "good" if scene.proven else "bad")]
    right.append(Span(f"{scene.proof} ", "dim"))
    room = width - width_of(left) - width_of(middle) - width_of(right)
    if room < 1:
        right = right[:1]
        room = width - width_of(left) - width_of(middle) - width_of(right)
    if room < 1:
        return filled([*left, *middle], width, faces)
    return [*left, *middle, Span(" " * room), *right]


def replay_middle_rows(scene: ReplayScene, layout: Layout, width: int, height: int) -> list[Row]:
    """Return the tricks and the log, or the open hands, in exactly `height` rows."""
    whole = scene.whole
    if not scene.opened or whole is None:
        return middle_rows(scene, layout, width, height)
    seats = [seat for seat in range(whole.players) if seat != scene.model.seat]
    turn = seats.index(whole.turn) if whole.turn in seats else None
    names = [scene.model.names[seat] for seat in seats]
    return open_hand_rows(
        names, [whole.hands[seat] for seat in seats], turn, _may_act_with(whole), scene.faces, width, height
    )


def _may_act_with(whole: State) -> CardSet:
    """Return the cards in hand that the seat on turn may act with: all of them while it chooses what to cover."""
    if whole.turn is None or whole.phase is Phase.COVERING:
        return ~0
    return card_set(action.card for action in legal_actions(whole) if isinstance(action, Bid | Play | Cover))


def with_room_for_hands(layout: Layout, hands: int) -> Layout:
    """Return the layout with at least so many rows in the middle, taken from where they are missed least."""
    for name, least, frees in (("rules", 0, 3), ("hand", 3, 1), ("trick", 4, 1), ("hint", 2, 1), ("hand", 2, 1)):
        while layout.middle < hands and getattr(layout, name) > least:
            shorter = False if name == "rules" else getattr(layout, name) - 1
            layout = replace(layout, **{name: shorter, "middle": layout.middle + frees})
    return layout

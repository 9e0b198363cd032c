"""A finished game, gone through by key on the table that it was played at: forwards, backwards, from any seat.

What a moment looks like is `history.replay`'s and `drawing`'s; here keys become moments.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message

from looseends_client.cards_text import Faces
from looseends_client.drawing.replay import STRIP_ROWS, ReplayScene
from looseends_client.drawing.scene import Scene
from looseends_client.history.replay import Replay, Stop
from looseends_client.history.replay_words import next_words, proof_words, seen_words
from looseends_client.narration import Sentence
from looseends_client.screens.page import Choice, KeysPage, keys_of
from looseends_client.screens.rules_page import RulesPage
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.screens.whole_log import WholeLog
from looseends_client.table_model import TableModel
from looseends_client.widgets.looks import LooksScreen
from looseends_client.widgets.replay_table import ReplayStrip, ReplayTable
from looseends_core.actions import Bid, Cover, Play
from looseends_core.cards import Card
from looseends_core.state import Phase


class WhatIfWanted(Message):
    """Somebody wants to play on from a decision of theirs, against bots of a level."""

    def __init__(self, replay: Replay, at: int, level: str) -> None:
        super().__init__()
        self.replay = replay
        self.at = at
        self.level = level


class ReviewWanted(Message):
    """Somebody wants to hear what a bot would have done in the game that is replayed."""

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay


class ShareWanted(Message):
    """Somebody wants to look at a game together with others, from a moment of it on."""

    def __init__(self, replay: Replay, at: int) -> None:
        super().__init__()
        self.replay = replay
        self.at = at


class ReplayScreen(LooksScreen[None]):
    """The table of a game that is over. Dismissed when the reader has seen enough.

    `levels` are the bots against whom one may play on from here, none where nobody keeps the game. `remark` says what
    is known of a decision, by its state number.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,enter", "step(1)", "the next move", show=False),
        Binding("left,backspace", "step(-1)", "the move before", show=False),
        Binding("down", "trick(1)", "the next trick", show=False),
        Binding("up", "trick(-1)", "the beginning of this trick, or the trick before", show=False),
        Binding("pagedown,r", "round(1)", "the next round", show=False),
        Binding("pageup,R", "round(-1)", "the beginning of this round, or the round before", show=False),
        Binding("tab,d", "decision(1)", "the next decision of this seat", show=False),
        Binding("shift+tab,D", "decision(-1)", "the decision of this seat before", show=False),
        Binding("home,b", "begin", "the beginning", show=False),
        Binding("end,e", "end", "the end", show=False),
        Binding("o", "open", "open every hand, or close them again", show=False),
        Binding("v", "view", "see it from the next seat", show=False),
        Binding("w", "what_if", "what if: play on from this decision against bots", show=False),
        Binding("f", "review", "the review: what fox would have done", show=False),
        Binding("p", "share", "look at it together: others come by a code, and follow you", show=False),
        Binding("s", "score_sheet", "score sheet", show=False),
        Binding("l", "log", "all that happened, to scroll through", show=False),
        Binding("i", "rules", "the rules, those of this game first", show=False),
        Binding("question_mark", "help", "all keys", show=False),
        Binding("q,escape", "leave", "back", show=False),
    ]

    rows_above = STRIP_ROWS
    """Rows of what stands over the table."""

    def __init__(
        self,
        replay: Replay,
        faces: Faces,
        *,
        at: int = 0,
        levels: tuple[str, ...] = (),
        can_review: bool = False,
        can_share: bool = False,
        remarks: dict[int, Sentence] | None = None,
    ) -> None:
        super().__init__()
        self.replay = replay
        self.at = max(0, min(at, len(replay.stops) - 1))
        self._levels = levels
        self._can_review = can_review
        self._can_share = can_share
        self._remarks = {} if remarks is None else remarks
        seat = replay.seat if replay.seat is not None else 0
        self.scene = ReplayScene(self._model(seat), faces, opened=replay.seat is None)
        self._table = ReplayTable(self.scene, rows_above=self.rows_above)
        self._strip = self.strip()

    def strip(self) -> ReplayStrip:
        """Return what stands over the table."""
        return ReplayStrip(self.scene)

    def _model(self, seat: int | None) -> TableModel:
        return self.replay.model(self.stop.number, seat)

    @property
    def stop(self) -> Stop:
        """The moment that is shown."""
        return self.replay.stops[self.at]

    def compose(self) -> ComposeResult:
        """Yield the strip and the table."""
        yield self._strip
        yield self._table

    def on_mount(self) -> None:
        """Show the first moment."""
        self._table.lay_out(self.app.size.width, self.app.size.height - self.rows_above)
        self._show()

    # ── what is shown ───────────────────────────────────────────────────────────────────────────────────────────

    def go_to(self, at: int) -> None:
        """Show another moment."""
        if at != self.at:
            self.at = at
            self.scene.model = self._model(self.scene.model.seat)
            self._show()

    def _show(self) -> None:
        scene, stop = self.scene, self.stop
        seat = scene.model.seat
        mine = stop.turn is not None and stop.turn == seat
        scene.whole = self.replay.whole(stop.number)
        scene.moment, scene.moments = self.at, len(self.replay.stops)
        scene.seen = seen_words(scene.model.names, seat, opened=scene.opened)
        scene.proof, scene.proven = proof_words(self.replay), not self.replay.unproven
        scene.chosen = _card_of(stop) if mine else None
        scene.held = None
        state = scene.model.state
        if state.phase is Phase.PLAYING and not state.trick and state.tricks:
            scene.held = state.tricks[-1]  # nothing lies yet, so that the trick before can be read
        said = self._remarks.get(stop.number, ())
        scene.aside = said or next_words(stop, scene.model.names, told_all=scene.opened or mine)
        scene.keys = self.keys_here()
        if self.is_mounted:
            self._strip.redraw()
            self._table.redraw()

    def keys_here(self) -> list[tuple[str, str]]:
        """Return the keys that are shown, with a word each."""
        keys = [(self.scene.faces.arrows, "step"), ("d D", "decision")]
        if self.can_play_on:
            keys.append(("w", "what if"))
        keys += [("o", "close hands" if self.scene.opened else "open hands"), ("r R", "round"), ("v", "seat")]
        if self._can_review:
            keys.append(("f", "review"))
        if self._can_share:
            keys.append(("p", "together"))
        return [*keys, ("s", "scores"), ("q", "back"), ("?", "keys")]

    def tell(self, sentence: Sentence) -> None:
        """Say something about what was asked for."""
        self.scene.aside = sentence
        self._table.redraw()

    def show_answer(self, text: str) -> None:
        """Say why something cannot be done."""
        self.tell((text,))

    def show_remarks(self, remarks: dict[int, Sentence]) -> None:
        """Take what is known of decisions meanwhile."""
        self._remarks = remarks
        self._show()

    # ── keys ────────────────────────────────────────────────────────────────────────────────────────────────────

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key does anything: none but the last while the window is too small, some only here."""
        if action == "what_if":
            return self._table.is_drawn and bool(self._levels)
        if action == "review":
            return self._table.is_drawn and self._can_review
        if action == "share":
            return self._table.is_drawn and self._can_share
        return self._table.is_drawn or action in ("leave", "help")

    def action_step(self, by: int) -> None:
        """Go to the next move, or back."""
        self.go_to(self.replay.step(self.at, by))

    def action_trick(self, by: int) -> None:
        """Go to another trick."""
        self.go_to(self.replay.trick(self.at, by))

    def action_round(self, by: int) -> None:
        """Go to another round."""
        self.go_to(self.replay.round(self.at, by))

    def action_decision(self, by: int) -> None:
        """Go to another decision of the seat that is looked through."""
        seat = self.scene.model.seat
        at = self.at if seat is None else self.replay.decision(self.at, by, seat)
        if at == self.at:
            self.show_answer("No more decisions of this seat that way.")
        self.go_to(at)

    def action_begin(self) -> None:
        """Go to the beginning."""
        self.go_to(0)

    def action_end(self) -> None:
        """Go to the end."""
        self.go_to(len(self.replay.stops) - 1)

    def action_open(self) -> None:
        """Open every hand, or close them."""
        self.scene.opened = not self.scene.opened
        self._lay_out()

    def action_view(self) -> None:
        """Look through the eyes of the next seat."""
        seat = self.scene.model.seat
        self.scene.model = self._model(0 if seat is None else (seat + 1) % self.replay.rules.players)
        self._lay_out()

    def _lay_out(self) -> None:
        self._show()
        self._table.lay_out(self._table.size.width, self._table.size.height)

    @property
    def can_play_on(self) -> bool:
        """Whether the reader decides here, in a game that a server keeps."""
        stop = self.stop
        return bool(self._levels) and stop.turn is not None and stop.turn == self.replay.seat

    def action_what_if(self) -> None:
        """Ask against whom, and play on from here."""
        if not self.can_play_on:
            self.show_answer("What if begins at a decision of yours: d goes to the next one, D to the one before.")
            return
        ways = {str(number): f"against {level}" for number, level in enumerate(self._levels, 1)}
        usual = "sharp" if "sharp" in self._levels else self._levels[0]
        at = self.at

        def chosen(way: str | None) -> None:
            if way is not None:
                level = usual if way == "Enter" else self._levels[int(way) - 1]
                self.post_message(WhatIfWanted(self.replay, at, level))

        text = "A practice table stands as this game stood here: take another card, and see. Nothing of it counts."
        self.app.push_screen(
            Choice("What if?", text, {"Enter": f"play on against {usual}", **ways, "Esc": "stay"}), chosen
        )

    def action_review(self) -> None:
        """Ask for the review."""
        self.post_message(ReviewWanted(self.replay))

    def action_share(self) -> None:
        """Open a table at which others look at it too."""
        self.post_message(ShareWanted(self.replay, self.at))

    def action_score_sheet(self) -> None:
        """Show the score sheet of this moment."""
        self.app.push_screen(ReplaySheet(self.scene.model, self.scene.faces))

    def action_log(self) -> None:
        """Show all that happened up to here."""
        self.app.push_screen(WholeLog(Scene(self.scene.model, self.scene.faces)))

    def action_rules(self) -> None:
        """Show the rules, those of this game first."""
        self.app.push_screen(RulesPage(self.replay.rules))

    def action_help(self) -> None:
        """Show every key."""
        self.app.push_screen(KeysPage("Keys", keys_of(self)))

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)


class _Shown:
    """A table that nobody plays at any more."""

    def __init__(self, model: TableModel) -> None:
        self.model = model

    async def be_ready(self) -> None:
        """Do nothing: nobody waits."""


class ReplaySheet(ScoreSheet):
    """The score sheet of a moment that is past."""

    can_be_looked_back_at = False

    def __init__(self, model: TableModel, faces: Faces) -> None:
        super().__init__(_Shown(model), faces)

    @property
    def asks_ready(self) -> bool:
        """Nobody is waited for."""
        return False

    def words_for_enter(self) -> str:
        """Return what Enter does."""
        return "Enter: back to the replay"


def _card_of(stop: Stop) -> Card | None:
    return stop.taken.card if isinstance(stop.taken, Bid | Play | Cover) else None

"""The table: keys and clicks become actions, changes of the model become rows; `drawing` decides what those say."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.timer import Timer

from looseends_client.attendance import Attendance
from looseends_client.cards_text import Faces
from looseends_client.choosing import card_typed, next_card, next_suit
from looseends_client.drawing.scene import Scene
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.key_list import TABLE_KEYS, keys_text
from looseends_client.screens.advised import AdvisedTable
from looseends_client.screens.page import Choice, KeysPage, Question
from looseends_client.screens.rules_page import RulesPage
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.table_offers import double_cross_question, keys_now, ways_to_leave
from looseends_client.widgets.lines import Lines
from looseends_client.widgets.whole_table import WholeTable
from looseends_core.actions import DOUBLE_CROSS, PASS, Action
from looseends_core.cards import Card, cards_in
from looseends_core.decide import why_not
from looseends_core.state import Phase

BEGINS_A_CARD = "brgyx"
"""A card's name begins with its suit's letter, so none of these may be a key for anything else."""


class TableScreen(AdvisedTable):
    """A table that is played at, or watched. Dismissed with `away` or `left` when the person goes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key.keys, key.action, key.does, id=key.id, show=False) for key in TABLE_KEYS
    ]

    rows_above = 0
    """Rows above the table that a subclass fills."""

    def __init__(
        self, attendance: Attendance, faces: Faces, *, trick_pause: float, alone: bool, coached: bool = False
    ) -> None:
        super().__init__(coached=coached)
        self.attendance = attendance
        self.scene = Scene(attendance.model, faces)
        self._alone = alone
        """Whether all others are bots of this very program, so that nobody waits for us."""
        self.trick_pause = trick_pause
        """Seconds for which a finished trick lies."""
        self._pause: Timer | None = None
        self._tricks_told = attendance.model.tricks_told
        self._rounds_seen = len(attendance.model.state.results)
        self._sheet_due = attendance.model.phase in ("between", "over")
        self._asked_number = -1
        self._acted_on: tuple[int, int] | None = None
        self._table = WholeTable(self.scene, rows_above=self.rows_above)

    @property
    def table_faces(self) -> Faces:
        """With which signs this screen draws."""
        return self.scene.faces

    def show_answer(self, text: str) -> None:
        """Show a sentence in the hint."""
        self.scene.answer = (text,)
        self.draw()

    # ── what it is made of ──────────────────────────────────────────────────────────────────────────────────────

    def compose(self) -> ComposeResult:
        """Yield the table."""
        yield self._table

    def on_mount(self) -> None:
        """Lay out, draw, and start the clock that shows seconds."""
        self.scene.table_keys = getattr(self.app, "table_keys", self.scene.table_keys)
        self.set_interval(1.0, self.tick)
        self._table.lay_out(self.app.size.width, self.app.size.height - self.rows_above)
        self.table_changed()

    # ── what changes ────────────────────────────────────────────────────────────────────────────────────────────

    def table_changed(self) -> None:
        """Bring the screen up to date with the model."""
        if not self.is_mounted:
            return
        model = self.attendance.model
        scene = self.scene
        if model.tricks_told > self._tricks_told and model.state.tricks:
            self._hold_trick()
        self._tricks_told = model.tricks_told
        if len(model.state.results) != self._rounds_seen:
            self._sheet_due = len(model.state.results) > self._rounds_seen
            self._rounds_seen = len(model.state.results)
        if model.state.number != self._asked_number:
            self._asked_number = model.state.number
            self._acted_on = None
            scene.answer = ()
            self.turn_changed()
            self._begin_turn()
        self._show_sheet_when_due()
        self.draw()

    def draw(self) -> None:
        """Redraw what differs."""
        self.scene.keys = keys_now(self.scene, alone=self._alone)
        self._table.redraw()

    def tick(self) -> None:
        """Once a second: show the time that is left, where a clock runs."""
        if self.attendance.model.turn_until is not None:
            self._table.redraw_clocks()

    def _begin_turn(self) -> None:
        """Look at what is chosen now that the table has moved on: play what was chosen ahead, or say why not."""
        scene = self.scene
        model = self.attendance.model
        selectable = scene.selectable
        if not model.my_turn:
            if scene.chosen not in selectable:
                scene.chosen = None
            if scene.ahead is not None and scene.ahead not in selectable:
                scene.ahead = None
            return
        ahead, scene.ahead = scene.ahead, None
        if ahead is not None and model.state.phase is Phase.PLAYING and model.seat is not None:
            action = scene.action_with(ahead)
            refusal = why_not(model.state, model.seat, action)
            if refusal is None:
                self._do(action)
                return
            scene.answer = ("Not played: ", refusal.sentence)
        if scene.chosen not in selectable:
            scene.chosen = selectable[0] if len(selectable) == 1 or model.state.phase is Phase.COVERING else None

    def _hold_trick(self) -> None:
        """Let the finished trick lie for a moment; the model goes on meanwhile."""
        if self.trick_pause <= 0:
            return
        self._show_trick(self.trick_pause)

    def _show_trick(self, seconds: float) -> None:
        self.scene.held = self.attendance.model.state.tricks[-1]
        self.scene.looks_back = False
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(seconds, self._let_go)

    def _let_go(self) -> bool:
        """Take the finished trick off the table; return whether one lay there."""
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        held, self.scene.held = self.scene.held, None
        if held is None:
            return False
        self._show_sheet_when_due()
        self.draw()
        return True

    def _show_sheet_when_due(self) -> None:
        if not self._sheet_due or self.scene.held is not None or not self.is_current:
            return
        self._sheet_due = False
        if self.attendance.model.phase in ("between", "over"):
            self._open_sheet(for_ready=True, by_itself=True)

    def on_screen_resume(self) -> None:
        """Catch up with what happened while another screen was on top."""
        if self.is_mounted:
            self.table_changed()

    # ── keys ────────────────────────────────────────────────────────────────────────────────────────────────────

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key does anything: none does while the window is too small to see what it would do."""
        return self._table.is_drawn and super().check_action(action, parameters)

    def on_key(self, event: Key) -> None:
        """Take what is typed of a card's name; any other key that means nothing takes a finished trick away."""
        if not self._table.is_drawn:
            return
        character = (event.character or "").lower()
        if self.attendance.model.seat is None or not character or character not in f"{BEGINS_A_CARD}0123456789":
            if not self.active_bindings.get(event.key):
                self._let_go()
            return
        event.stop()
        # A key that is bound comes to its action over the app. These go the same way round: of keys that arrive
        # together, as on a slow line, none overtakes another.
        self.app.call_later(self._type, character)

    def _type(self, character: str) -> None:
        """Take one more character of a card's name."""
        self._let_go()
        begins = character in BEGINS_A_CARD
        if not self.is_attached or not (begins or self.scene.typed):
            return
        self.scene.typed = character if begins else (self.scene.typed + character)[:3]
        found = card_typed(self.scene.typed, self._reachable())
        if found is not None:
            self._choose(found)
            return
        if len(self.scene.typed) > 1:
            self.scene.chosen = None
            self.scene.answer = (f"{self.scene.typed.upper()} is not in your hand.",)
        self.draw()

    def _reachable(self) -> list[Card]:
        """Return the cards that can be named: the whole hand, or the bids that the trick may cover."""
        model = self.attendance.model
        if model.my_turn and model.state.phase is Phase.COVERING:
            return self.scene.selectable
        return [] if model.seat is None else list(cards_in(model.state.hands[model.seat]))

    def on_lines_card_clicked(self, event: Lines.CardClicked) -> None:
        """Choose a card that was clicked; act with it on the second click."""
        if event.card not in self._reachable():
            return
        if self.scene.held is not None:
            self._let_go()
        if event.again and event.card == self.scene.chosen:
            self.action_act()
            return
        self.scene.typed = ""
        self._choose(event.card)

    def _choose(self, card: Card) -> None:
        """Choose a card, and say at once why it may not be played where that is so."""
        model = self.attendance.model
        self.scene.chosen = card
        self.scene.answer = ()
        self.scene.hint = ()
        if model.my_turn and model.seat is not None:
            refusal = why_not(model.state, model.seat, self.scene.action_with(card))
            if refusal is not None:
                self.scene.answer = (refusal.sentence,)
        self.scene.keys = keys_now(self.scene, alone=self._alone)
        self._table.redraw_choice()

    def action_choose(self, step: int) -> None:
        """Choose the next card."""
        self._let_go()
        self.scene.typed = ""
        card = next_card(self.scene.selectable, self.scene.chosen, step)
        if card is not None:
            self._choose(card)

    def action_choose_suit(self, step: int) -> None:
        """Choose in the next suit."""
        self._let_go()
        self.scene.typed = ""
        card = next_suit(self.scene.selectable, self.scene.chosen, step)
        if card is not None:
            self._choose(card)

    def action_clear(self) -> None:
        """Take back what was typed or chosen."""
        self._let_go()
        self.scene.typed = ""
        self.scene.ahead = None
        self.scene.chosen = None
        self.scene.answer = ()
        self.take_back()
        self.draw()

    def action_act(self) -> None:
        """Act with the chosen card. While a finished trick lies there, this key only takes it away."""
        if self._let_go():
            return
        model = self.attendance.model
        scene = self.scene
        typed, scene.typed = scene.typed, ""
        if model.phase in ("between", "over"):
            self._open_sheet(for_ready=True)
            return
        if typed and scene.chosen is None:
            self.draw()  # what was typed is no card at hand: Enter only takes it back, and no other card for it
            return
        if model.my_turn:
            if scene.chosen is None:
                card = next_card(scene.selectable, None, 1)
                if card is None:
                    scene.answer = (f"There is no card to bid: press {scene.table_keys.shown('pass')} to pass.",)
                    self.draw()
                else:
                    self._choose(card)
                return
            self._try(scene.action_with(scene.chosen))
        elif scene.chosen is not None and model.state.phase is Phase.PLAYING and model.seat is not None:
            scene.ahead = None if scene.ahead == scene.chosen else scene.chosen
            self.draw()

    def action_pass(self) -> None:
        """Pass."""
        self._let_go()
        if self.attendance.model.state.phase is Phase.PLANNING:
            self._try(PASS)

    def action_double_cross(self) -> None:
        """Ask, and double-cross on yes."""
        self._let_go()
        model = self.attendance.model
        if model.state.phase is not Phase.PLANNING or model.seat is None or model.phase != "playing":
            return
        refusal = why_not(model.state, model.seat, DOUBLE_CROSS)
        if refusal is not None:
            self.scene.answer = (refusal.sentence,)
            self.draw()
            return
        number = model.state.number

        def answered(yes: bool | None) -> None:
            if yes and model.state.number == number:
                self._try(DOUBLE_CROSS)

        self.app.push_screen(Question(double_cross_question(model), "double-cross"), answered)

    def _try(self, action: Action) -> None:
        """Do what the rules allow, say why not otherwise."""
        model = self.attendance.model
        if model.seat is None or model.phase != "playing":
            return
        refusal = why_not(model.state, model.seat, action)
        if refusal is not None:
            self.scene.answer = (refusal.sentence,)
            self.draw()
            return
        self._do(action)

    def act(self, action: Action) -> None:
        """Take a legal action, whatever the coach thinks of it."""
        self._do(action)

    def _do(self, action: Action) -> None:
        if self.coach_holds_back(action):
            return
        model = self.attendance.model
        at = (model.game, model.state.number)
        if self._acted_on == at:
            return  # the same key twice, before the server has answered the first
        self._acted_on = at
        self.run_worker(self._send(action), exit_on_error=True)

    async def _send(self, action: Action) -> None:
        try:
            await self.attendance.act(action)
        except RequestRefused as error:
            self._acted_on = None
            if error.refusal.error != "action/stale":
                self.scene.answer = (str(error),)
        except NotConnected as error:
            self._acted_on = None
            self.scene.answer = (str(error),)
        self.draw()

    # ── other screens ───────────────────────────────────────────────────────────────────────────────────────────

    def action_last_trick(self) -> None:
        """Show the last trick until any key."""
        if self._let_go():
            return
        if self.attendance.model.state.tricks:
            self._show_trick(30.0)
            self.scene.looks_back = True
            self.draw()

    def action_score_sheet(self) -> None:
        """Show the score sheet."""
        self._let_go()
        self._open_sheet(for_ready=self.attendance.model.phase in ("between", "over"))

    def _open_sheet(self, *, for_ready: bool, by_itself: bool = False) -> None:
        sheet = ScoreSheet(self.attendance, self.scene.faces)
        sheet.can_be_looked_back_at = self.attendance.is_kept
        sheet.opened_for_ready = for_ready
        sheet.came_by_itself = by_itself
        self.app.push_screen(sheet)

    def action_rules(self) -> None:
        """Show the rules, those of this table first."""
        self.app.push_screen(RulesPage(self.attendance.model.rules))

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(KeysPage("Keys", keys_text(self.scene.table_keys.keys, self.scene.faces)))

    def action_talk(self) -> None:
        """Say something to the table, where there is somebody to hear it."""
        if self._alone:
            self.show_answer("There is nobody to talk to: the others are bots.")
        else:
            super().action_talk()

    def action_leave(self) -> None:
        """Ask how to leave, and say what becomes of the seat."""
        self._let_go()
        model = self.attendance.model
        if model.seat is None or model.phase == "over":
            self.dismiss("left")
            return
        text, ways = ways_to_leave(model, alone=self._alone)

        def chosen(way: str | None) -> None:
            if way is not None:
                self.dismiss("away" if way == "Enter" else "left")

        self.app.push_screen(Choice("Leave the table?", text, ways), chosen)

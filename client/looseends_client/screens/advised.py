"""A table at which a strong bot of the server may be asked: for a hint, and by a coach before a move that costs much.

What was weighed belongs to one state of one game and is thrown away with it; an answer that comes later is too. Words
are in `hint_words`; what a move is, and whether it is legal, is for the screen of the table.
"""

from __future__ import annotations

from looseends_client.drawing.scene import Scene
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.hint_words import about_points, action_words, advice, points_apart
from looseends_client.narration import Sentence, plain
from looseends_client.screens.at_a_table import AtATable
from looseends_client.screens.page import SureQuestion
from looseends_core.actions import Action
from looseends_core.state import Phase
from looseends_protocol.messages import WeighedAction

COSTLY = 100
"""Hundredths of a point: the coach asks about a move that costs more, its uncertainty allowed for."""
NO_HINTS = "This table gives no hints."
NOT_YOUR_TURN = "A hint is for your own turn."

StateKey = tuple[int, int]
"""Number of the game and of the state."""
TrickKey = tuple[int, int, int]
"""Number of the game, of the round, and of tricks that are over; planning counts as a trick before the first."""


class AdvisedTable(AtATable[str]):
    """The screen of a table with hints, and with a coach where `coached`. A subclass draws and acts."""

    scene: Scene
    gives_hints = True
    """Whether `h` asks for a hint here, where the table allows it."""

    def __init__(self, *, coached: bool) -> None:
        super().__init__()
        self._coached = coached
        self._weighed: tuple[WeighedAction, ...] = ()
        self._weighed_at: StateKey | None = None
        self._asking_at: StateKey | None = None
        """The state for which the server thinks of a hint at the moment."""
        self._held_back: Action | None = None
        """A move that waits for the coach to have a look at it."""
        self._coach_asked: TrickKey | None = None
        """The trick in which the coach has asked last."""

    def draw(self) -> None:
        """Redraw what differs."""
        raise NotImplementedError

    def act(self, action: Action) -> None:
        """Take a legal action at the state that is shown."""
        raise NotImplementedError

    # ── a hint ──────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def may_ask(self) -> bool:
        """Whether a hint can be asked for now."""
        model = self.attendance.model
        return self.gives_hints and model.options.hint and model.my_turn

    def action_hint(self) -> None:
        """Show what a strong bot would do, and why; ask the server for it first."""
        model = self.attendance.model
        if not self.gives_hints or not model.options.hint:
            self.show_answer(NO_HINTS)
        elif not self.may_ask:
            self.show_answer(NOT_YOUR_TURN)
        else:
            self.scene.answer = ()
            self.scene.hint_waits = True
            self._ask()
            self._show_hint()

    def take_back(self) -> None:
        """Take back a move that still waits for the coach, and put the hint away."""
        self._held_back = None
        self.scene.hint = ()
        self.scene.hint_waits = False

    def turn_changed(self) -> None:
        """Forget what was thought of another state; with a coach, begin to think about this one."""
        self.take_back()
        if self._coached and self.may_ask and len(self.attendance.model.legal()) > 1:
            self._ask()

    def _here(self) -> StateKey:
        model = self.attendance.model
        return model.game, model.state.number

    def _ask(self) -> None:
        """Ask the server, unless it is asked already or has answered."""
        here = self._here()
        if here not in (self._asking_at, self._weighed_at):
            self._asking_at = here
            self.run_worker(self._fetch(here))

    async def _fetch(self, asked_at: StateKey) -> None:
        refused = ""
        weighed: tuple[WeighedAction, ...] = ()
        try:
            weighed = (await self.attendance.hint()).weighed
        except (RequestRefused, NotConnected) as error:
            refused = str(error)
        if self._asking_at == asked_at:
            self._asking_at = None
        if not self.is_mounted or asked_at != self._here():
            return  # the table has moved on, and what is shown of it has been cleared
        if weighed and self._is_about_now(weighed):
            self._weighed, self._weighed_at = weighed, asked_at
        elif self.scene.hint_waits:
            self.scene.hint_waits = False
            self.scene.answer = (refused or "The server's hint is about something else.",)
        held_back, self._held_back = self._held_back, None
        if held_back is not None:
            self._coach(held_back)
        self._show_hint()

    def _is_about_now(self, weighed: tuple[WeighedAction, ...]) -> bool:
        """Return whether a hint names what may be done now and nothing else: a server may be wrong."""
        legal = self.attendance.model.legal()
        return all(one.action in legal for one in weighed)

    def _show_hint(self) -> None:
        model = self.attendance.model
        if self.scene.hint_waits and self._weighed_at == self._here() and model.seat is not None:
            self.scene.hint_waits = False
            self.scene.hint = advice(model.state, model.seat, self._weighed)
        self.draw()

    # ── the coach ───────────────────────────────────────────────────────────────────────────────────────────────

    def coach_holds_back(self, action: Action) -> bool:
        """Return whether a move has to wait: for the coach to look at it, or for its player to be sure."""
        if not self._coached or self._trick_here() == self._coach_asked or not self.may_ask:
            return False
        if self._weighed_at == self._here():
            return self._asks_about(action)
        if self._asking_at != self._here():
            return False  # nothing to think about, or nobody who could
        self._held_back = action
        self.show_answer("One moment: the coach looks at it.")
        return True

    def _coach(self, action: Action) -> None:
        """Take a move that was held back, or ask about it."""
        self.scene.answer = ()
        if self._weighed_at != self._here() or not self._asks_about(action):
            self.act(action)

    def _trick_here(self) -> TrickKey:
        model = self.attendance.model
        state = model.state
        return model.game, state.round, -1 if state.phase is Phase.PLANNING else len(state.tricks)

    def _asks_about(self, action: Action) -> bool:
        """Ask whether somebody is sure where a move costs much; return whether that was asked."""
        question = costly_words(self._weighed, action)
        if not question:
            return False
        self._coach_asked = self._trick_here()
        here = self._here()

        def answered(sure: bool | None) -> None:
            if sure and self._here() == here:
                self.act(action)
            self.draw()

        self.app.push_screen(SureQuestion(plain(question, self.scene.faces)), answered)
        return True


def costly_words(weighed: tuple[WeighedAction, ...], action: Action) -> Sentence:
    """Return the coach's question about an action, nothing where there is no reason to ask."""
    best = weighed[0]
    chosen = next((one for one in weighed if one.action == action), best)
    cost, uncertain = points_apart(best, chosen)
    if not best.worlds or not chosen.worlds or cost - uncertain <= COSTLY:
        return ()
    return (
        f"Are you sure? That costs you about {about_points(cost)} on average. The coach would ",
        *action_words(best.action),
        ".",
    )

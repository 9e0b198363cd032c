"""From a list of games, or the sheet of one that just ended, to its replay, its review, and a table to play on at.

One for each app. It puts screens up and asks the desk; it draws nothing and decides nothing about a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from looseends_client.game_client import NO_ID, NotConnected, RequestRefused
from looseends_client.history.desk import GamesDesk, NoGame, checked_record
from looseends_client.history.replay import Replay
from looseends_client.history.review_words import remarks
from looseends_client.history.reviews import Review
from looseends_client.screens.games import GamesScreen, TakeIn
from looseends_client.screens.replay import ReplayScreen
from looseends_client.screens.review import ReviewScreen
from looseends_client.screens.shared_replay import SharedReplay
from looseends_client.table_model import Misfit
from looseends_protocol.messages import GameLine, Reviewed, WhatIf

if TYPE_CHECKING:
    from looseends_client.app import LooseEndsApp


class LookingBack:
    """What an app offers of games that are over. `take_in` takes in a file of games, None where that cannot be."""

    def __init__(self, app: LooseEndsApp, take_in: TakeIn | None) -> None:
        self._app = app
        self._take_in = take_in
        self._desk = GamesDesk(app.client)

    @property
    def desk(self) -> GamesDesk:
        """The desk of the server that the app is at."""
        if self._desk.client is not self._app.client:
            self._desk = GamesDesk(self._app.client)
        return self._desk

    def show_games(self) -> None:
        """Show the list of games."""
        app = self._app
        alone = app.plays_at_home
        saves = not app.settings.served_to_strangers
        take_in = self._take_in if alone else None
        app.push_screen(GamesScreen(self.desk, app.faces, alone=alone, saves=saves, take_in=take_in))

    # ── a game ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def look_back(self, line: GameLine, *, review: bool) -> None:
        """Show a listed game: its replay, or the review of it."""
        try:
            replay = await self.desk.replay(line)
        except (RequestRefused, NotConnected, NoGame) as error:
            self._say(str(error))
            return
        if review:
            await self.review(replay)
        else:
            self.show_replay(replay)

    async def look_back_at_table(
        self, origin: str, scores: tuple[int, ...], *, review: bool, played: bool = True
    ) -> None:
        """Show the game that just ended at a table, which the reader `played` or watched."""
        try:
            line = await self.desk.game_of_table(origin, scores, own=played)
        except (RequestRefused, NotConnected, NoGame) as error:
            self._say(str(error))
        else:
            await self.look_back(line, review=review and line.seat is not None)

    def show_replay(self, replay: Replay, at: int = 0) -> None:
        """Put a replay up, at a moment of it."""
        app = self._app
        own = replay.seat is not None and replay.game > 0
        welcome = app.client.welcome
        levels = tuple(name for name, _ in welcome.levels) if welcome is not None and own else ()
        shares = replay.game > 0 and not app.plays_at_home  # where nobody else could come
        known = self.desk.reviews.get(replay.game)
        said = remarks(known) if known is not None else {}
        app.push_screen(
            ReplayScreen(replay, app.faces, at=at, levels=levels, can_review=own, can_share=shares, remarks=said)
        )

    # ── the review of it ────────────────────────────────────────────────────────────────────────────────────────

    async def review(self, replay: Replay) -> None:
        """Show the review of a game, and ask for it first where that has not been done."""
        try:
            review = await self.desk.review(replay)
        except NotConnected as error:
            self._say(str(error))
            return
        self._app.push_screen(ReviewScreen(review, self._app.faces), lambda number: self._look_at(review, number))

    def _look_at(self, review: Review, number: int | None) -> None:
        """Go from the review to a decision on the table."""
        if number is None:
            return
        at = review.replay.at_number(number)
        below = self._app.screen
        if isinstance(below, ReplayScreen) and below.replay.game == review.replay.game:
            below.go_to(at)
        else:
            self.show_replay(review.replay, at)

    def take(self, pushed: Reviewed) -> None:
        """Take what a bot thought of one more decision, and show it wherever its game is looked at."""
        self.desk.take(pushed)
        self._reviews_changed()

    def connection_came_back(self) -> None:
        """Tell that reviews have ended with the connection that was lost."""
        self._desk.connection_came_back()
        self._reviews_changed()

    def _reviews_changed(self) -> None:
        for screen in self._app.screen_stack:
            if isinstance(screen, ReviewScreen):
                screen.review_changed()
            elif isinstance(screen, ReplayScreen) and (known := self.desk.reviews.get(screen.replay.game)):
                screen.show_remarks(remarks(known))

    # ── playing on from it ──────────────────────────────────────────────────────────────────────────────────────

    async def what_if(self, replay: Replay, at: int, level: str) -> None:
        """Play on from a moment of a game. The replay stays below, to come back to."""
        app = self._app
        if not await self._free_for_another_table(replay, at):
            return
        try:
            await app.visits.what_if(app.client, WhatIf(NO_ID, replay.game, replay.stops[at].number, level))
        except (RequestRefused, NotConnected, Misfit) as error:
            self._say(str(error))
        else:
            app.show_table()

    async def _free_for_another_table(self, replay: Replay, at: int) -> bool:
        """Leave a table whose game is over, the replay on top; return whether one may go to another table."""
        app = self._app
        if app.attendance is not None:
            if app.attendance.model.phase != "over":
                self._say("You sit at a table: leave it first.")
                return False
            await app.leave_finished_table()
            self.show_replay(replay, at)
        return not app.visits.busy

    # ── looking at it together ──────────────────────────────────────────────────────────────────────────────────

    async def share(self, replay: Replay, at: int) -> None:
        """Open a table at which others look at a game too, from a moment of it on. The replay stays below."""
        app = self._app
        if not await self._free_for_another_table(replay, at):
            return
        try:
            await app.visits.share(app.client, replay.game)
        except (RequestRefused, NotConnected, Misfit) as error:
            self._say(str(error))
        else:
            await self.show_shared(at)

    async def show_shared(self, at: int | None = None) -> None:
        """Put up the game that is shown at the table one is at: at a moment, or where it is led to."""
        app = self._app
        attendance = app.attendance
        if attendance is None:
            return
        model = attendance.model
        try:
            record = checked_record(await attendance.record())
        except (RequestRefused, NotConnected, NoGame) as error:
            app.leave_table(attendance, "left")
            self._say(str(error))
            return
        mine = [seat for seat, name in enumerate(record.players) if name.casefold() == model.me.casefold()]
        replay = Replay(record, mine[0] if mine else None)
        led_to = len(replay.stops) - 1 if model.looking_at is None else replay.at_number(model.looking_at)
        screen = SharedReplay(replay, app.faces, attendance, at=led_to if at is None else at)
        if attendance is app.attendance:
            app.push_screen(screen, lambda _: app.leave_table(attendance, "left"))

    def _say(self, text: str) -> None:
        """Show a sentence where the person looks."""
        show = getattr(self._app.screen, "show_answer", None)
        if show is not None:
            show(text)
        else:
            self._app.say_aside(text)

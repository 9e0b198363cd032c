"""What one asks a server about games that are over, each question with what can go wrong told as a sentence.

It knows no screen. A server that is asked too much at once says so, and is asked again a little later.
"""

from __future__ import annotations

import asyncio
from typing import TypeVar

import msgspec

from looseends_client.contest_words import is_contest
from looseends_client.game_client import NO_ID, GameClient, RequestRefused
from looseends_client.history.replay import Replay
from looseends_client.history.reviews import Review
from looseends_client.history.search import Search
from looseends_core.record import GameRecord, RecordFault, record_from_json
from looseends_core.verify import check_record
from looseends_protocol.messages import (
    Answer,
    Contest,
    DeleteTraces,
    Done,
    GameLine,
    Games,
    GetContest,
    GetGame,
    GetLeaders,
    GetNumbers,
    Leaders,
    LeaveLists,
    ListGames,
    NumbersOf,
    RecordText,
    Request,
    Reviewed,
    ReviewGame,
)

A = TypeVar("A", bound=Answer)

ASK_AGAIN = frozenset({"game/busy", "session/too_fast"})
"""Refusals after which the same question is asked again by itself."""
TRIES = 20
"""Times that a question is asked before the refusal is told."""


class NoGame(Exception):
    """What the server sent is no game that can be shown; the message is a sentence for people."""


def checked_record(text: str) -> GameRecord:
    """Return the record that a server sent, every rule of it checked. Raises NoGame."""
    try:
        record = record_from_json(msgspec.json.decode(text))
        check_record(record)
    except (RecordFault, msgspec.DecodeError, RecursionError) as error:
        raise NoGame(f"The record of this game is not right, so it is not shown: {error}") from error
    if not record.rounds:
        raise NoGame("No round of this game was dealt, so there is nothing to see.")
    return record


class GamesDesk:
    """The finished games of one server, as one person may ask for them.

    Every question raises RequestRefused or NotConnected, whose messages are sentences for people.
    """

    def __init__(self, client: GameClient) -> None:
        self.client = client
        self.reviews: dict[int, Review] = {}
        """The reviews that were asked for, by the number of their game."""

    async def page(self, search: Search, page: int = 0) -> Games:
        """Return a page of the games that are looked for, newest first."""
        return await self._ask(search.request(page), Games)

    async def record(self, game: int) -> GameRecord:
        """Return the record of a game, every rule of it checked. Raises NoGame too."""
        return checked_record((await self._ask(GetGame(NO_ID, game), RecordText)).record)

    async def replay(self, line: GameLine) -> Replay:
        """Return a listed game to be gone through. Raises NoGame too."""
        record = await self.record(line.game)
        seat = line.seat if line.seat is not None and 0 <= line.seat < record.rules.players else None
        return Replay(record, seat, game=line.game, contest=line.origin if is_contest(line.origin) else "")

    async def game_of_table(self, origin: str, scores: tuple[int, ...], *, own: bool) -> GameLine:
        """Return the game that just ended at a table. Raises NoGame where the server has not kept it."""
        page = await self._ask(ListGames(NO_ID, own), Games)
        for line in page.games:
            if line.origin == origin and line.scores == scores:
                return line
        raise NoGame("The server has not kept this game yet: try again in a moment.")

    async def contest(self, contest: str = "") -> Contest:
        """Return how a contest went, the deal of the day where none is named."""
        return await self._ask(GetContest(NO_ID, contest), Contest)

    async def numbers(self, name: str = "") -> NumbersOf:
        """Return what somebody's games add up to, one's own where nobody is named."""
        return await self._ask(GetNumbers(NO_ID, name), NumbersOf)

    async def leaders(self, *, bots: bool) -> Leaders:
        """Return the top of the ladder of people, or of bots."""
        return await self._ask(GetLeaders(NO_ID, "bots" if bots else "people"), Leaders)

    async def leave_lists(self, *, out: bool) -> None:
        """Be left out of every list of players, or be in them again."""
        await self._ask(LeaveLists(NO_ID, out), Done)

    async def delete_traces(self) -> None:
        """Be taken out of every finished game, for good."""
        await self._ask(DeleteTraces(NO_ID), Done)

    # ── reviews ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def review(self, replay: Replay) -> Review:
        """Ask for the review of one's own game, unless it goes on or is there already."""
        known = self.reviews.get(replay.game)
        if known is not None and not known.refused:
            return known
        review = Review(replay)
        self.reviews[replay.game] = review
        try:
            await self._ask(ReviewGame(NO_ID, replay.game), Done)
        except RequestRefused as error:
            review.refused = str(error)
        except Exception:
            del self.reviews[replay.game]
            raise
        return review

    def take(self, pushed: Reviewed) -> None:
        """Take what was found of one more decision; of a game that was not asked about it is left alone."""
        review = self.reviews.get(pushed.game)
        if review is not None:
            review.take(pushed)

    def connection_came_back(self) -> None:
        """Give up the reviews that were going on: the server ends them with the connection."""
        for review in self.reviews.values():
            if not review.over:
                review.refused = "The connection was lost, and the review with it. f begins it again."

    async def _ask(self, request: Request, expected: type[A]) -> A:
        for _ in range(TRIES):
            try:
                return await self.client.request(request, expected)
            except RequestRefused as error:
                if error.refusal.error not in ASK_AGAIN:
                    raise
                await self._wait(max(1, error.refusal.retry_after))
        return await self.client.request(request, expected)

    async def _wait(self, seconds: float) -> None:
        waited: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def over() -> None:
            if not waited.done():
                waited.set_result(None)

        timer = self.client.clock.call_later(seconds, over)
        try:
            await waited
        finally:
            timer.cancel()

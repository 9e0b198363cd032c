"""Games that are over, in lines: the newest of them, one round by round, somebody's numbers, a ladder.

What is asked of the server goes through the same desk as on the screens; nothing here is asked of a person.
"""

from __future__ import annotations

from looseends_client.cards_text import points_text
from looseends_client.game_client import GameClient, NotConnected, RequestRefused
from looseends_client.history.desk import GamesDesk, NoGame
from looseends_client.history.game_words import (
    kind_of_games,
    numbers_of,
    player_name,
    rating_text,
    seats_words,
    when,
)
from looseends_client.history.replay import Replay
from looseends_client.history.replay_words import proof_words
from looseends_client.history.search import Search
from looseends_client.narration import counted, who_won
from looseends_client.plain.wording import Wording
from looseends_client.table_words import VARIANT_NAMES, rules_words
from looseends_core.numbers import Numbers, results_of_game
from looseends_core.scoring import SeatResult
from looseends_protocol.messages import GameLine, NumbersOf
from looseends_protocol.people_text import visible

SHOWN = 10
"""Games that are told at once, and rungs of a ladder."""


class PastGames:
    """What one person may ask about games that are over. `alone` says that all of them are this person's own."""

    def __init__(self, client: GameClient, wording: Wording, *, alone: bool) -> None:
        self._desk = GamesDesk(client)
        self._wording = wording
        self._alone = alone
        self._listed: tuple[GameLine, ...] = ()

    async def lines(self, word: str, rest: str) -> list[str]:
        """Return the answer to `games`, `game`, `numbers` or `ladder`, or why there is none."""
        try:
            match word:
                case "games":
                    return await self._games(rest)
                case "game":
                    return await self._game(rest)
                case "numbers":
                    return self._numbers(await self._desk.numbers(rest))
                case _:
                    return await self._ladder(bots=rest.casefold().startswith("bot"))
        except (RequestRefused, NotConnected, NoGame) as error:
            return [str(error)]

    async def _games(self, name: str) -> list[str]:
        page = await self._desk.page(Search(own=not self._alone, name=name))
        self._listed = page.games[:SHOWN]
        lines = [f"{number}: {self._line(line)}" for number, line in enumerate(self._listed, 1)]
        if len(page.games) > SHOWN or page.pages > 1:
            lines.append(f"These are the newest {SHOWN}.")
        return lines or ["No finished game."]

    def _line(self, line: GameLine) -> str:
        parts = [when(line.ended_at), seats_words(line).replace("*", " won")]
        parts += [VARIANT_NAMES.get(variant) or visible(variant) for variant in line.variants]
        if not line.proven:
            parts.append("deals not proven")
        return self._wording.text(f"{', '.join(parts)}.")

    async def _game(self, number: str) -> list[str]:
        chosen = int(number) - 1 if number.isascii() and number.isdigit() and len(number) < 4 else -1
        if not 0 <= chosen < len(self._listed):
            return ["Type games first, then game and the number of one of them."]
        replay = await self._desk.replay(self._listed[chosen])
        return self._rounds(replay)

    def _rounds(self, replay: Replay) -> list[str]:
        faces = self._wording.faces
        names = replay.model(0, replay.seat).names
        lines = [f"{rules_words(replay.rules).replace(' · ', ', ')}."]
        for number, sheet in enumerate(results_of_game(replay.record), 1):
            made = [
                f"{name} {points_text(result.points, faces)}{_how(result)}"
                for name, result in zip(names, sheet, strict=True)
            ]
            lines.append(f"Round {number}: {', '.join(made)}.")
        record = replay.record
        if record.scores is not None and record.winners is not None:
            scores = ", ".join(f"{name} {score}" for name, score in zip(names, record.scores, strict=True))
            lines.append(f"Score: {scores}; {who_won(record.winners, record.scores, names)}.")
        lines.append(f"{proof_words(replay).capitalize()}.")
        return [self._wording.text(line) for line in lines]

    def _numbers(self, of: NumbersOf) -> list[str]:
        rated = f", rating {rating_text(of.rating)}" if of.rating is not None else ""
        if not of.numbers:
            return [f"{player_name(of.name)}: no games that may be seen."]
        total = sum((numbers_of(line) for line in of.numbers), Numbers())
        lines = [f"{player_name(of.name)}{rated}: {_numbers_words(total)}."]
        if len(of.numbers) > 1:
            lines += [f"{kind_of_games(line)}: {_numbers_words(numbers_of(line))}." for line in of.numbers]
        if of.out:
            lines.append("You are in no list, and others see none of this.")
        return lines

    async def _ladder(self, *, bots: bool) -> list[str]:
        leaders = (await self._desk.leaders(bots=bots)).leaders
        lines = [
            f"{rung}: {player_name(leader.name)} {rating_text(leader.rating)}, {counted(leader.games, 'game')}."
            for rung, leader in enumerate(leaders[:SHOWN], 1)
        ]
        return lines or ["Nobody is on this ladder yet."]


def _how(result: SeatResult) -> str:
    if result.snitch_succeeded:
        return " as a snitch"
    return " with a Perfect Crime" if result.perfect_crime else ""


def _numbers_words(numbers: Numbers) -> str:
    mean = numbers.points / numbers.games if numbers.games else 0.0
    loose = numbers.loose_ends / numbers.rounds if numbers.rounds else 0.0
    parts = [
        counted(numbers.games, "game"),
        f"{numbers.wins} won",
        f"mean {mean:.1f}",
        counted(numbers.perfect_crimes, "Perfect Crime"),
        f"{numbers.snitches_made} of {numbers.snitches} snitches",
        f"{numbers.exact} of {numbers.bidding} bids exact",
        f"{loose:.2f} loose ends a round",
    ]
    return ", ".join(parts)

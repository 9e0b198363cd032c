"""A duplicate match from its first game to its standings."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import cast

import msgspec

from looseends_client.arena.game import GameResult, GameTask, MatchSetup
from looseends_client.arena.schedule import mirrored_pairs, seatings
from looseends_client.arena.standings import Standings
from looseends_client.arena.workers import play_games


class Match(msgspec.Struct, frozen=True):
    """What is to be played: the setup, who enters (by number, as often as in the line-up), and which deals."""

    setup: MatchSetup
    line_up: tuple[int, ...]
    deals: range
    mirrored: bool = False
    """Whether a deal is played in one arrangement of two entrants and its mirror alone, another one from deal to deal.

    The games over one deal resemble each other, so for the same number of games this is surer: docs/decisions/0008 has
    by how much.
    """

    @property
    def seatings(self) -> list[tuple[tuple[int, ...], ...]]:
        """Who sits where in each game over one deal, for the deals that take turns in it."""
        players = self.setup.rules.players
        if self.mirrored:
            one, other = self.line_up
            return list(mirrored_pairs(one, other, players))
        return [tuple(seatings(self.line_up, players))]

    @property
    def games_a_deal(self) -> int:
        """How many games are played over one deal."""
        return len(self.seatings[0])

    @property
    def games(self) -> int:
        """How many games there are in all."""
        return self.games_a_deal * len(self.deals)

    @property
    def tasks(self) -> Iterator[GameTask]:
        """Every game, deal by deal."""
        turns = self.seatings
        for deal in self.deals:
            for seated in turns[deal % len(turns)]:
                yield GameTask(deal, seated)


class MatchReached(msgspec.Struct):
    """How far a match has come: the standings over whole deals, the seconds, games and decisions so far."""

    standings: Standings
    seconds: float = 0.0
    played: int = 0
    """Games that were played to the end; those of a deal that was broken off are not in the standings."""
    decisions: int = 0
    interrupted: bool = False


def play_match(
    match: Match,
    jobs: int,
    *,
    track: Callable[[Iterable[GameResult]], Iterable[GameResult]] = lambda results: results,
    on_game: Callable[[GameResult], None] = lambda result: None,
) -> MatchReached:
    """Play a match and return what it shows; Ctrl-C ends it early, with what was reached.

    `track` is passed the results as they come, to show how far it is; `on_game` is called with each, in order. Raises
    IllegalChoice and WorkerLost.
    """
    reached = MatchReached(Standings(len(match.setup.entrants)))
    games_a_deal = match.games_a_deal
    results = cast("Generator[GameResult]", play_games(match.setup, match.tasks, jobs))
    began = time.perf_counter()
    games: list[GameResult] = []
    with contextlib.closing(results):
        try:
            for result in track(results):
                on_game(result)
                reached.played += 1
                games.append(result)
                reached.decisions += sum(times.count for times in result.times.values())
                if len(games) == games_a_deal:
                    add_deal(reached.standings, games)
                    games = []
        except KeyboardInterrupt:
            reached.interrupted = True
    reached.seconds = time.perf_counter() - began
    return reached


def add_deal(standings: Standings, games: Sequence[GameResult]) -> None:
    """Count a deal whose games are all over, with the times of its decisions."""
    standings.add_deal([(game.task.seated, game.outcomes) for game in games])
    for game in games:
        for entrant, times in game.times.items():
            standings.of[entrant].times.merge(times)
            standings.of[entrant].replaced += game.replaced[entrant]

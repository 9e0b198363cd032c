"""`looseends simulate`: bots against each other at full speed, and how they compare.

Games are played by `looseends_core.bot_game`; here options become a rule set and a line-up, results are counted, and
records are written. Standard output carries the result alone, standard error the progress.
"""

from __future__ import annotations

import contextlib
import math
from typing import Annotated

import msgspec
from cyclopts import Parameter

from looseends_client.commands import CommandFailed
from looseends_client.commands.printing import print_line
from looseends_client.commands.records_file import records_file
from looseends_client.commands.results import counted, drawn_seed, print_table, shown_progress
from looseends_client.commands.rule_options import line_up_of_option, rules_of_options
from looseends_core.bot_game import play_bot_game
from looseends_core.bots import Level
from looseends_core.events import Event, GameEnded
from looseends_core.record import record_of, record_to_json
from looseends_core.rules import DEFAULT_ROUNDS, RANDOM_FIRST


def simulate(
    *,
    games: int,
    players: int = 4,
    variant: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    scoring: str = "standard",
    rounds: int = DEFAULT_ROUNDS,
    hand_size: int | None = None,
    max_bid: int | None = None,
    first_player: str = RANDOM_FIRST,
    bots: str = "steady,rookie",
    seed: str | None = None,
    records: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
) -> int:
    """Let bots play against each other at full speed and compare them.

    Prints a table of mean score, standard error and wins for each bot. The bots move one seat on from game to game, so
    that each sits everywhere equally often. The same seed and options give the same games, and the same file of
    records byte for byte.

    Parameters
    ----------
    games
        How many games to play.
    players
        How many seats the table has, 2 to 5.
    variant
        A variant to play with: double-cross, getaway or plan-b. Give the option again for another.
    scoring
        standard, simplified, or five whole numbers: the points for a covered bid card, a loose end, a loose end in a
        round with a successful snitch, a Perfect Crime and a successful snitch, as in 2,-1,-2,5,10.
    rounds
        Rounds a game, 1 to 20.
    hand_size
        Cards dealt to each player, 2 to 16: 16 with two or three players, 15 with four, 12 with five if not given.
    max_bid
        The most cards that a player may bid: 8 minus the number of players if not given.
    first_player
        random: drawn for every round. rotate: drawn once, then the next seat in each round.
    bots
        The levels that play, with commas: rookie, steady, sharp, fox. Fewer than there are seats are repeated in order.
    seed
        Any text that all chance follows from. One is drawn, and printed, if not given.
    records
        A file for the records of the games, one a line, for `looseends verify`. It appears when all are played; a
        file of game records that is there already is replaced, any other is left alone.
    """
    if games < 1:
        raise CommandFailed(f"--games must be 1 or more, not {games}.")
    rules = rules_of_options(
        players, variant, scoring, rounds=rounds, hand_size=hand_size, max_bid=max_bid, first_player=first_player
    )
    line_up = line_up_of_option(bots, players)
    sown = drawn_seed() if seed is None else seed
    tallies = {level.name: _Tally(line_up.count(level)) for level in line_up}
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(records_file(records)) if records is not None else None
        for number in stack.enter_context(shown_progress(range(games), games, "games")):
            # One seat on from game to game.
            seated = [line_up[(seat + number) % players] for seat in range(players)]
            events = list(play_bot_game(rules, [level.choose for level in seated], sown, number))
            _count(tallies, seated, events)
            if out is not None:
                record = record_of(rules, [level.player_name for level in seated], events)
                out.write(msgspec.json.encode(record_to_json(record)) + b"\n")
    print_line(f"{counted(games, 'game')} of {players} players, seed {sown}")
    _print_table(tallies, games, players)
    if records is not None:
        print_line(f"{counted(games, 'record')} in {records}: `looseends verify` checks them.")
    return 0


# Results


class _Tally:
    """What the seats of one level have scored so far; a game counts once, by the mean of these seats."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.wins = 0.0
        self._games = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, scores: list[int], wins: float) -> None:
        """Count one game: the scores of these seats, and how much of the win was theirs."""
        score = sum(scores) / len(scores)
        self._games += 1
        off = score - self.mean
        self.mean += off / self._games
        self._squares += off * (score - self.mean)
        self.wins += wins

    @property
    def standard_error(self) -> float | None:
        """The standard error of the mean, None after a single game."""
        if self._games < 2:
            return None
        return math.sqrt(self._squares / (self._games - 1) / self._games)


def _count(tallies: dict[str, _Tally], seated: list[Level], events: list[Event]) -> None:
    ended = events[-1]
    assert isinstance(ended, GameEnded), "a bot game is played to its end"
    share = 1 / len(ended.winners)
    for name, tally in tallies.items():
        seats = [seat for seat, level in enumerate(seated) if level.name == name]
        wins = sum(share for seat in seats if seat in ended.winners)
        tally.add([ended.scores[seat] for seat in seats], wins)


def _print_table(tallies: dict[str, _Tally], games: int, players: int) -> None:
    rows: list[list[str]] = []
    for name, tally in sorted(tallies.items(), key=lambda row: (-row[1].mean, row[0])):
        error = tally.standard_error
        rows.append(
            [
                name,
                str(tally.seats),
                f"{tally.mean:.2f}",
                "-" if error is None else f"{error:.2f}",
                f"{tally.wins:.1f}",
                f"{tally.wins / games / tally.seats:.1%}",
            ]
        )
    print_table(["bot", "seats", "mean score", "std. error", "wins", "wins a seat"], rows)
    print_line(f"A shared win counts as a fraction. If all were equal, each seat would win {1 / players:.1%}.")

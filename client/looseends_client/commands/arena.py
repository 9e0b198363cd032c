"""`looseends arena`: duplicate matches, in which bots meet over the same deals with every seat for everyone.

Options become a match and its result becomes lines. Who sits where, playing, and what is counted live in
`looseends_client.arena`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Annotated, BinaryIO

from cyclopts import Parameter

from looseends_client.arena.entrants import DECISION_SECONDS, Entrant, entrant_of
from looseends_client.arena.game import GameResult, IllegalChoice, MatchSetup
from looseends_client.arena.match import Match, MatchReached, play_match
from looseends_client.arena.schedule import seatings
from looseends_client.arena.workers import WorkerLost, spare_cores
from looseends_client.commands import CommandFailed
from looseends_client.commands.arena_report import match_to_json, print_json, print_report
from looseends_client.commands.printing import print_error
from looseends_client.commands.records_file import records_file
from looseends_client.commands.results import counted, drawn_seed, shown_progress
from looseends_client.commands.rule_options import rules_of_options
from looseends_core.rules import DEFAULT_ROUNDS, MAX_PLAYERS, MIN_PLAYERS, VARIANTS

NONE, ALL, SIMPLIFIED = "none", "all", "simplified"
STANDARD = "standard"
INTERRUPTED = 130
"""Exit code after Ctrl-C, with what was reached printed."""
_MOST_GAMES_A_DEAL = 1000
_Flag = Parameter(negative=(), show_default=False)


def arena(
    *,
    line_up: str = "sharp,steady",
    players: int | None = None,
    variants: str = NONE,
    deals: int = 10,
    rounds: int = DEFAULT_ROUNDS,
    hand_size: int | None = None,
    seed: str | None = None,
    jobs: int | None = None,
    limit: float = DECISION_SECONDS,
    records: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    mirror: Annotated[bool, _Flag] = False,
    json: Annotated[bool, _Flag] = False,
    quick: Annotated[bool, _Flag] = False,
) -> int:
    """Let bots meet over the same deals, with every seat for everyone, and say who is better and how sure that is.

    Each deal is played once for every way to put the line-up on the seats, so that nobody is lucky in the cards: what
    is left between two bots is how they play. Ctrl-C ends a match with what was reached.

    Examples:

        looseends arena --line-up sharp,steady --players 4 --deals 20

        looseends arena --line-up fox,sharp,sharp --variants plan-b,getaway --jobs 2

        looseends arena --line-up cmd:./mybot,steady --players 3 --variants all --records games.jsonl

    Parameters
    ----------
    line_up
        Who plays, with commas: rookie, steady, sharp, fox, or cmd: and the command line of a program of yours, as in
        cmd:./mybot (docs/bots.md says what it reads and writes). Fewer than there are seats share them out evenly: a,b
        on three seats play as a,a,b and as a,b,b.
    players
        How many seats the table has, 2 to 5: as many as the line-up names if not given.
    variants
        none, all, or some of double-cross, getaway, plan-b and simplified, with commas.
    deals
        How many games' worth of deals to play; each of them once for every arrangement.
    rounds
        Rounds a game, 1 to 20.
    hand_size
        Cards dealt to each player, 2 to 16: those of the rules if not given.
    seed
        Any text that all chance follows from. One is drawn, and printed, if not given.
    jobs
        Processes that play side by side: one less than there are cores if not given.
    limit
        Seconds that a program may take for a decision. One that is slower, ends, or chooses what is not allowed is
        replaced by steady for that decision, and the table says how often.
    records
        A file for the records of the games, one a line, for `looseends verify`.
    mirror
        For two bots: play each deal in one arrangement and its mirror alone, another one from deal to deal. That is
        surer than every arrangement, for the same number of games.
    json
        Print the result as one JSON object.
    quick
        Play a small fixed match of every level against the one below it, in less than a minute, and check that every
        choice is legal and comes out the same twice, and that no level is clearly beaten by the one below it. Exits
        with 1 where that does not hold. No other option counts then, save --jobs.
    """
    used_jobs = spare_cores() if jobs is None else jobs
    if used_jobs < 1:
        raise CommandFailed(f"--jobs must be 1 or more, not {used_jobs}.")
    if quick:
        from looseends_client.commands.arena_quick import quick_arena

        return quick_arena(used_jobs)
    entrants, numbers = entrants_of_option(line_up)
    if mirror and (len(numbers), len(entrants)) != (2, 2):
        raise CommandFailed(f"--mirror needs two different bots in --line-up, like sharp,steady, not {line_up}.")
    seats = _seats(players, len(numbers))
    played_variants, scoring = variants_of_option(variants)
    rules = rules_of_options(seats, played_variants, scoring, rounds=rounds, hand_size=hand_size)
    if deals < 1:
        raise CommandFailed(f"--deals must be 1 or more, not {deals}.")
    if not 0.01 <= limit <= 3600:
        raise CommandFailed(f"--limit must be from 0.01 to 3600 seconds, not {limit:g}.")
    sown = drawn_seed() if seed is None else seed
    setup = MatchSetup(rules, sown, entrants, records is not None, limit)
    match = Match(setup, numbers, range(deals), mirror)
    reached = _played(match, used_jobs, records)
    if json:
        print_json(match_to_json(match, reached, variants, used_jobs))
    else:
        print_report(match, reached, variants, used_jobs)
    if records is not None:
        print_error(f"{counted(reached.played, 'record')} in {records}: `looseends verify` checks them.")
    return INTERRUPTED if reached.interrupted else 0


def _played(match: Match, jobs: int, records: str | None) -> MatchReached:
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(records_file(records)) if records is not None else None

        def track(results: Iterable[GameResult]) -> Iterable[GameResult]:
            return stack.enter_context(shown_progress(results, match.games, "games"))

        try:
            return play_match(match, jobs, track=track, on_game=lambda game: _note(game, out))
        except (IllegalChoice, WorkerLost) as error:
            raise CommandFailed(f"the match was broken off: {error}", 1) from error


def _note(game: GameResult, out: BinaryIO | None) -> None:
    for complaint in game.complaints:
        print_error(complaint)
    if out is not None and game.record is not None:
        out.write(game.record)


def entrants_of_option(line_up: str) -> tuple[tuple[Entrant, ...], tuple[int, ...]]:
    """Return who enters, each once, and the line-up as numbers of these. Raises CommandFailed."""
    names = [name.strip() for name in line_up.split(",")]
    if len(names) > 2 * MAX_PLAYERS:
        raise CommandFailed(f"--line-up names {len(names)} players: at most {2 * MAX_PLAYERS} can enter.")
    try:
        entrants = tuple(entrant_of(name) for name in dict.fromkeys(names))
    except ValueError as error:
        raise CommandFailed(f"--line-up: {error}.") from error
    where = {entrant.name: number for number, entrant in enumerate(entrants)}
    return entrants, tuple(where[name] for name in names)


def _seats(players: int | None, named: int) -> int:
    seats = named if players is None else players
    if not MIN_PLAYERS <= seats <= MAX_PLAYERS:
        given = "--players must be" if players is not None else f"--line-up names {named}: say with --players"
        raise CommandFailed(f"{given} a number from {MIN_PLAYERS} to {MAX_PLAYERS}, not {seats}.")
    games = len(seatings(list(range(named)), seats)) if named > seats else 0
    if games > _MOST_GAMES_A_DEAL:
        raise CommandFailed(f"--line-up has {counted(games, 'arrangement')} on {seats} seats: name fewer.")
    return seats


def variants_of_option(written: str) -> tuple[tuple[str, ...], str]:
    """Return the variants and the scoring that an option names: none, all, or some of four. Raises CommandFailed."""
    if written == NONE:
        return (), STANDARD
    names = [*VARIANTS, SIMPLIFIED] if written == ALL else [name.strip() for name in written.split(",")]
    known = (*VARIANTS, SIMPLIFIED)
    for name in names:
        if name not in known:
            raise CommandFailed(f"--variants must be {NONE}, {ALL}, or some of {', '.join(known)}, not {name!r}.")
        if names.count(name) > 1:
            raise CommandFailed(f"--variants must name each variant once: {name} is there twice.")
    return tuple(name for name in VARIANTS if name in names), SIMPLIFIED if SIMPLIFIED in names else STANDARD

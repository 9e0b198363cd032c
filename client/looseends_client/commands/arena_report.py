"""What a match showed, as lines for people and as JSON for programs."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec

from looseends_client.arena.match import Match, MatchReached
from looseends_client.arena.standings import Estimate, Standing
from looseends_client.commands.printing import print_line
from looseends_client.commands.results import counted, print_table
from looseends_core.bots import LEVELS

_HEADINGS = (
    "bot",
    "score",
    "wins",
    "perfect",
    "snitch",
    "succeed",
    "ms",
    "p50",
    "p99",
)

_LEGEND = (
    "score: points at the end, and their standard error. wins: of the games, a seat.",
    "perfect, snitch: of the rounds, a seat; succeed: of the snitches.",
    "ms, p50, p99: CPU of a decision, mean and quantiles; of a program, the wait.",
)


def print_report(match: Match, reached: MatchReached, variants: str, jobs: int) -> None:
    """Print how every entrant did, by how much each beats the next, and what it cost."""
    standings, setup = reached.standings, match.setup
    early = "interrupted after " if reached.interrupted else ""
    print_line(
        f"{early}{counted(standings.deals, 'deal')}, {counted(standings.games, 'game')} of {setup.rules.players} "
        f"players, variants {variants}, seed {setup.seed}"
    )
    if not standings.deals:
        print_line("No deal was played out in all its arrangements, so there is nothing to compare.")
        return
    print_table(_HEADINGS, [_row(setup.entrants[at].name, standing) for at, standing in _by_score(reached)])
    for better, other in itertools.combinations(_by_score(reached), 2):
        names = setup.entrants[better[0]].name, setup.entrants[other[0]].name
        print_line(margin_line(*names, standings.margin(better[0], other[0])))
    for line in _LEGEND:
        print_line(line)
    print_line(
        f"{reached.decisions} decisions in {reached.seconds:.1f} s: {_a_second(reached):.0f} a second in "
        f"{jobs} {'process' if jobs == 1 else 'processes'}."
    )
    for entrant, standing in zip(setup.entrants, standings.of, strict=True):
        if standing.replaced:
            print_line(f"{entrant.name}: steady took {standing.replaced} of its {standing.times.count} decisions.")


def margin_line(one: str, other: str, margin: Estimate) -> str:
    """Return in words by how much one beats another."""
    if margin.error is None:
        return f"{one} over {other}: {margin.mean:+.2f} points a game (one deal: how sure that is, nobody can say)"
    away = margin.errors_away
    sure = "" if away is None else f" ({away:+.1f} standard errors)"
    return f"{one} over {other}: {margin.mean:+.2f} ± {margin.error:.2f} points a game{sure}"


def _by_score(reached: MatchReached) -> list[tuple[int, Standing]]:
    return sorted(enumerate(reached.standings.of), key=lambda entry: -entry[1].score.mean)


def _a_second(reached: MatchReached) -> float:
    return reached.decisions / reached.seconds if reached.seconds else 0.0


def _row(name: str, standing: Standing) -> list[str]:
    score, times = standing.score, standing.times
    return [
        name,
        f"{score.mean:.2f}" if score.error is None else f"{score.mean:.2f} ± {score.error:.2f}",
        f"{standing.wins_a_seat:.0%}",
        f"{standing.share('perfect'):.1%}",
        f"{standing.share('snitched'):.1%}",
        f"{standing.share('succeeded'):.0%}" if standing.snitched else "-",
        *(_milliseconds(seconds) for seconds in (times.mean, times.quantile(0.5), times.quantile(0.99))),
    ]


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f}" if seconds >= 0.01 else f"{seconds * 1000:.2g}"


def match_to_json(match: Match, reached: MatchReached, variants: str, jobs: int) -> dict[str, Any]:
    """Return the same as `print_report` prints, as a JSON object."""
    standings, setup = reached.standings, match.setup
    played = bool(standings.deals)
    names = [entrant.name for entrant in setup.entrants]
    return {
        "line_up": [names[number] for number in match.line_up],
        "players": setup.rules.players,
        "variants": variants,
        "seed": setup.seed,
        "deals": standings.deals,
        "games": standings.games,
        "interrupted": reached.interrupted,
        "bots": [_standing_to_json(names[at], standing) for at, standing in _by_score(reached)] if played else [],
        "margins": [
            {"of": names[one], "over": names[other], **_estimate_to_json(standings.margin(one, other))}
            for one, other in itertools.combinations(range(len(names)), 2)
            if played
        ],
        "decisions": reached.decisions,
        "seconds": round(reached.seconds, 3),
        "decisions_a_second": round(_a_second(reached), 1),
        "jobs": jobs,
    }


def _estimate_to_json(margin: Estimate) -> dict[str, float | None]:
    return {"mean": margin.mean, "standard_error": margin.error}


def _standing_to_json(name: str, standing: Standing) -> dict[str, Any]:
    times = standing.times
    return {
        "bot": name,
        "is_level": name in LEVELS,
        "score": _estimate_to_json(standing.score),
        "seats": standing.seats,
        "wins": standing.wins,
        "wins_a_seat": standing.wins_a_seat,
        "rounds": standing.rounds,
        "perfect_crimes": standing.perfect,
        "snitched": standing.snitched,
        "snitch_succeeded": standing.succeeded,
        "decisions": times.count,
        "replaced": standing.replaced,
        "seconds_a_decision": {"mean": times.mean, "p50": times.quantile(0.5), "p99": times.quantile(0.99)},
    }


def print_json(result: dict[str, Any]) -> None:
    """Print one JSON object on one line."""
    print_line(msgspec.json.encode(result).decode())

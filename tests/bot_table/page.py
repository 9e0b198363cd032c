"""The measured part of docs/bots.md, made from the results: everything between two markers, and nothing else of it."""

from __future__ import annotations

from pathlib import Path

from looseends_client.arena.standings import Estimate, Times, pooled
from tests.bot_table.cells import PAIRS, PLAYERS, VARIANT_SETS, Cell, all_cells
from tests.bot_table.results import CellResult, Results, Side

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
BEGIN, END = "<!-- measured: begin, made by `make arena-full` -->", "<!-- measured: end -->"
SURE = 3.0
"""Standard errors by which a level has to beat the one below it, pooled over the variants."""
_NOT_RUN = "not run"


class NoMarkers(ValueError):
    """The page has not the two markers, so nothing can be put between them."""


def with_results(page: str, results: Results) -> str:
    """Return the page with its measured part made anew. Raises NoMarkers."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise NoMarkers(f"the page needs the lines {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n\n{measured(results)}\n{END}{after}"


def write_page(results: Results, page: Path = PAGE) -> None:
    """Make the measured part of the page anew."""
    page.write_text(with_results(page.read_text(encoding="utf-8"), results), encoding="utf-8")


def measured(results: Results) -> str:
    """Return the measured part in Markdown."""
    cells = list(all_cells())
    begun = [cell for cell in cells if cell in results.of]
    lines = [f"{len(begun)} of {len(cells)} cells were run. " + _verdict(results), ""]
    for stronger, weaker in reversed(PAIRS):
        lines += [f"### {stronger} over {weaker}", "", *_margins(results, stronger, weaker), ""]
    lines += ["### What they do, and what a decision costs", "", *_habits(results), ""]
    return "\n".join(lines)


def _verdict(results: Results) -> str:
    """Return in words how far it is shown that every level beats the one below it."""
    if not results.of:
        return "Until then there is nothing to say."
    below = sum(result.margin.mean <= 0 for result in results.of.values())
    words = "No cell's margin is negative." if not below else f"In {below} of them the margin is not positive."
    rows = [(pair, players, _pooled(results, *pair, players)) for pair in PAIRS for players in PLAYERS]
    sure = sum(_is_sure(margin) for _, _, (margin, ran) in rows if ran == len(VARIANT_SETS))
    return (
        f"{words} Pooled over all {len(VARIANT_SETS)} sets of variants, {sure} of {len(rows)} rows are positive by "
        f"more than {SURE:g} standard errors; a row with cells that were not run is not counted among them."
    )


def _is_sure(margin: Estimate | None) -> bool:
    return margin is not None and margin.errors_away is not None and margin.errors_away > SURE


def _margins(results: Results, stronger: str, weaker: str) -> list[str]:
    header = ["players", *VARIANT_SETS, "pooled"]
    lines = [_row(header), _row(["---"] * len(header))]
    for players in PLAYERS:
        cells = [Cell(stronger, weaker, players, variants) for variants in VARIANT_SETS]
        row = [_cell_text(results.of.get(cell)) for cell in cells]
        lines.append(_row([str(players), *row, _pooled_text(*_pooled(results, stronger, weaker, players))]))
    versions = sorted({results.of[cell].version for cell in results.of if cell.stronger == stronger})
    if versions:
        lines += ["", f"Bots of version {', '.join(f'`{version}`' for version in versions)}."]
    return lines


def _pooled(results: Results, stronger: str, weaker: str, players: int) -> tuple[Estimate | None, int]:
    """Return the pooled margin of a row over the cells that were run, and how many these are."""
    cells = (Cell(stronger, weaker, players, variants) for variants in VARIANT_SETS)
    ran = [results.of[cell] for cell in cells if cell in results.of]
    return (pooled(result.margin for result in ran) if ran else None), len(ran)


def _cell_text(result: CellResult | None) -> str:
    return _NOT_RUN if result is None else f"{_margin_text(result.margin)} ({result.deals})"


def _pooled_text(margin: Estimate | None, ran: int) -> str:
    if margin is None:
        return _NOT_RUN
    away = "" if margin.errors_away is None else f", {margin.errors_away:.1f} errors"
    part = "" if ran == len(VARIANT_SETS) else f", {ran} of {len(VARIANT_SETS)} cells"
    return f"**{_margin_text(margin)}**{away}{part}"


def _margin_text(margin: Estimate) -> str:
    text = f"{margin.mean:+.2f}".replace("-", "−")
    return text if margin.error is None else f"{text} ± {margin.error:.2f}"


def _habits(results: Results) -> list[str]:
    header = ["level", "against", "players", "score", "wins a seat", "Perfect Crime", "snitches", "of these succeed"]
    header += ["decisions", "CPU ms", "p50", "p99"]
    lines = [_row(header), _row(["---"] * len(header))]
    for stronger, weaker in reversed(PAIRS):
        for players in PLAYERS:
            ran = [
                result
                for cell, result in sorted(results.of.items())
                if (cell.stronger, cell.weaker, cell.players) == (stronger, weaker, players)
            ]
            if ran:
                lines.append(_habit_row(stronger, weaker, players, [result.stronger for result in ran]))
                lines.append(_habit_row(weaker, stronger, players, [result.weaker for result in ran]))
    return lines if len(lines) > 2 else ["Nothing was run."]


def _habit_row(level: str, against: str, players: int, sides: list[Side]) -> str:
    times = Times()
    for side in sides:
        times.merge(side.times)
    seats, rounds = sum(side.seats for side in sides), sum(side.rounds for side in sides)
    snitched = sum(side.snitched for side in sides)
    succeeded = sum(side.succeeded for side in sides)
    return _row(
        [
            level,
            against,
            str(players),
            f"{sum(sum(side.points) for side in sides) / seats:.1f}",
            f"{sum(side.wins for side in sides) / seats:.0%}",
            f"{sum(side.perfect for side in sides) / rounds:.1%}",
            f"{snitched / rounds:.1%}",
            f"{succeeded / snitched:.0%}" if snitched else "–",
            str(times.count),
            *(f"{seconds * 1000:.3g}" for seconds in (times.mean, times.quantile(0.5), times.quantile(0.99))),
        ]
    )


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"

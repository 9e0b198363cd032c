"""How the table of docs/bots.md is measured: cell by cell, going on where it was, never mixing, and tried again."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import msgspec
import pytest

import looseends_core
from looseends_client.arena.match import Match, MatchReached, play_match
from looseends_client.arena.standings import Estimate
from tests.bot_table import __main__ as command
from tests.bot_table import cells, measuring, page
from tests.bot_table.cells import PAIRS, PLAYERS, VARIANT_SETS, Cell, all_cells, level_version
from tests.bot_table.measuring import BLOCK, SEED, Goal, measure, play_again, sample
from tests.bot_table.page import BEGIN, END, NoMarkers, measured, with_results
from tests.bot_table.results import CellResult, Mixed, Results

QUICK = Cell("steady", "rookie", 2, "none")
OTHER = Cell("steady", "rookie", 3, "all")
FEW = Goal(error=0.0, most_deals=3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bots" / "results.jsonl"


def played(file: Path, *wanted: Cell, goal: Goal = FEW) -> Results:
    results = Results(file)
    assert measure(results, wanted, goal, 1, lambda line: None)
    return results


def test_a_cell_is_every_pair_of_neighbours_with_every_number_of_players_and_set_of_variants() -> None:
    every = list(all_cells())
    assert len(set(every)) == len(every) == len(PAIRS) * len(PLAYERS) * len(VARIANT_SETS)
    assert VARIANT_SETS == ("none", "all", "double-cross", "getaway", "plan-b", "simplified")
    assert {cell.variants for cell in every[: len(PAIRS) * len(PLAYERS)]} == {"none"}
    assert OTHER.setup("x").rules.scoring == "simplified"
    assert len({cell.setup("x").seed for cell in every}) == len(every)


def test_a_run_that_ends_goes_on_where_it_was_and_comes_to_the_same(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole.jsonl", QUICK, OTHER)
    parts = tmp_path / "parts.jsonl"
    for _ in range(6):
        clock = iter([False, True])
        measure(Results(parts), [QUICK, OTHER], FEW, 1, lambda line: None, lambda clock=clock: next(clock))  # type: ignore[misc]
    told: list[str] = []
    assert measure(Results(parts), [QUICK, OTHER], FEW, 1, told.append)
    assert told == []
    for cell in (QUICK, OTHER):
        one, other = whole.of[cell], Results(parts).of[cell]
        assert one.deals == 3
        for side, same in ((one.stronger, other.stronger), (one.weaker, other.weaker)):
            assert side.wins == pytest.approx(same.wins)
            assert (side.points, side.seats) == (same.points, same.seats)
            assert (side.rounds, side.perfect, side.snitched, side.succeeded) == (
                same.rounds,
                same.perfect,
                same.snitched,
                same.succeeded,
            )
            assert side.times.count == same.times.count


def test_the_margin_is_of_points_a_seat(file: Path) -> None:
    result = played(file, OTHER).of[OTHER]
    mine, theirs = result.stronger, result.weaker
    # Three seats each over the two games of a deal.
    assert mine.seats == theirs.seats == 9
    assert result.margin.mean == pytest.approx((sum(mine.points) - sum(theirs.points)) / 9)


def test_deals_are_enough_at_the_error_asked_for_or_at_the_most_and_that_is_asked_after_whole_blocks() -> None:
    result = CellResult(QUICK, "v", SEED)
    goal = Goal(error=1.0, most_deals=3 * BLOCK)
    for deals in range(1, 4 * BLOCK):
        result.stronger.points.append(2 * (deals % 2))
        result.weaker.points.append(0)
        small = result.margin.error is not None and result.margin.error <= 1.0
        assert goal.is_reached(result) == ((deals % BLOCK == 0 and small) or deals >= 3 * BLOCK)
        assert not Goal(error=0.0, most_deals=10**6).is_reached(result)


def test_results_of_other_bots_are_not_added_to_and_can_be_forgotten(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(file, QUICK)
    monkeypatch.setattr(cells, "level_version", lambda level: "new")
    results = Results(file)
    with pytest.raises(Mixed, match="1 of 1 cells"):
        measure(results, [OTHER], FEW, 1, lambda line: None)
    assert sample(results, "1", 10.0, 5) == []
    assert results.drop_stale() == 1
    assert measure(results, [OTHER], FEW, 1, lambda line: None)
    assert list(Results(file).of) == [OTHER]


def test_results_of_code_that_plays_the_same_are_kept_and_others_are_not(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = played(file, QUICK, OTHER)
    results.of[OTHER].weaker.points[1] += 1
    monkeypatch.setattr(cells, "level_version", lambda level: "new")
    told: list[str] = []
    assert measuring.keep_what_repeats(results, 1, told.append)
    assert told == [f"{QUICK}: the same bots", f"{OTHER}: other bots"]
    assert Results(file).of[QUICK].version == "new-new"
    assert Results(file).stale() == [OTHER]


def test_what_was_played_while_the_code_changed_is_not_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = iter(["old", "old", "new", "new"])
    monkeypatch.setattr(cells, "level_version", lambda level: next(versions))
    with pytest.raises(Mixed, match="has changed while they played"):
        measure(Results(file), [QUICK], FEW, 1, lambda line: None)
    assert not file.exists()


def test_the_version_is_of_the_levels_code_and_all_it_imports_and_not_of_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "core"
    shutil.copytree(Path(looseends_core.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = {level: level_version(level) for level in ("rookie", "steady")}
    monkeypatch.setattr(cells, "_CORE", folder)
    steady, reading, tricks = folder / "bots" / "steady.py", folder / "bots" / "reading.py", folder / "tricks.py"
    docstring = ast.get_docstring(ast.parse(steady.read_text()), clean=False)
    assert docstring
    steady.write_text("# A comment.\n" + steady.read_text().replace(docstring, "Other words.") + "\n\n")
    assert {level: level_version(level) for level in before} == before
    # Not its own module, but one that it imports.
    reading.write_text(reading.read_text().replace("_DONE_TAKES = 0.3", "_DONE_TAKES = 0.31"))
    assert level_version("steady") != before["steady"]
    assert level_version("rookie") == before["rookie"]
    # A rule of the game is behind every level.
    tricks.write_text(tricks.read_text() + "\nchanged = True\n")
    assert level_version("rookie") != before["rookie"]
    with pytest.raises(OSError, match="ace"):
        level_version("ace")


def test_a_sample_follows_from_its_seed_and_takes_about_the_time_that_it_may(file: Path) -> None:
    results = Results(file)
    for cell in (QUICK, OTHER, Cell("steady", "rookie", 4, "none")):
        result = results.of[cell] = CellResult(cell, cell.version, SEED)
        for side, seconds in ((result.stronger, 2.0), (result.weaker, 1.0)):
            side.points, side.times.seconds = [0] * 12, 12 * seconds
    chosen = sample(results, "1", 30.0, 2)
    assert chosen == sample(results, "1", 30.0, 2)
    assert [deals for _, deals in chosen] == [5, 5]
    assert {result.cell for result, _ in sample(results, "1", 30.0, 9)} == set(results.of)
    assert all(deals == 12 for _, deals in sample(results, "1", 1e9, 9))


def test_a_cell_played_again_agrees_unless_its_bots_play_otherwise(file: Path) -> None:
    result = played(file, QUICK, goal=Goal(0.0, 5)).of[QUICK]
    again = play_again(result, 5, "1", 1)
    assert again is not None
    assert again.agrees
    assert again.repeats
    assert again.table == result.margin
    assert again.again.mean != again.table.mean

    result.stronger.points = [points + 40 for points in result.stronger.points]
    stronger = play_again(result, 5, "1", 1)
    assert stronger is not None
    assert not stronger.repeats
    assert not stronger.agrees
    assert not stronger._replace(repeats=True).agrees


def test_the_page_marks_what_was_not_run_and_shows_what_was(file: Path) -> None:
    assert measured(Results(file)).count("not run") == len(PAIRS) * len(PLAYERS) * (len(VARIANT_SETS) + 1)
    results = played(file, QUICK, OTHER)
    text = measured(results)
    assert f"2 of {len(list(all_cells()))} cells were run." in text
    margin = results.of[QUICK].margin
    assert margin.error is not None
    assert f"| 2 | {margin.mean:+.2f} ± {margin.error:.2f} (3) | not run |" in text
    assert "1 of 6 cells" in text
    assert f"`{QUICK.version}`" in text
    assert "| steady | rookie | 2 |" in text


def test_a_level_is_sure_to_be_better_only_where_all_variants_were_run(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = played(file, *(Cell("steady", "rookie", 2, variants) for variants in VARIANT_SETS))
    rows = len(PAIRS) * len(PLAYERS)
    assert f"1 of {rows} rows are positive" in measured(results)
    assert "No cell's margin is negative." in measured(results)
    results.of[QUICK].stronger.points = [-999] * 3
    assert "In 1 of them the margin is not positive." in measured(results)
    del results.of[QUICK]
    assert f"0 of {rows} rows are positive" in measured(results)
    assert page._pooled_text(Estimate(-1.0, None), 1).startswith("**−1.00**")  # pyright: ignore[reportPrivateUsage]


def test_nothing_but_the_part_between_the_markers_is_written(file: Path) -> None:
    made = with_results(f"before\n{BEGIN}\nold\n{END}\nafter\n", Results(file))
    assert made.startswith(f"before\n{BEGIN}\n")
    assert made.endswith(f"{END}\nafter\n")
    assert "old" not in made
    assert with_results(made, Results(file)) == made
    with pytest.raises(NoMarkers):
        with_results("no markers", Results(file))


# The command


@pytest.fixture
def elsewhere(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the command work on files of its own; return its page."""
    written = tmp_path / "bots.md"
    written.write_text(f"{BEGIN}\n{END}\n")
    monkeypatch.setattr(command, "FILE", file)
    monkeypatch.setattr(command, "write_page", lambda results: page.write_page(results, written))
    return written


FULL = ("--jobs", "1", "full", "--pair", "steady", "--players", "2", "--most-deals", "2")


def test_full_plays_writes_the_page_and_check_plays_a_sample_again(
    elsewhere: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([*FULL]) == 0
    assert "All cells are done." in capsys.readouterr().out
    assert len(Results(file).of) == len(VARIANT_SETS)
    assert "steady over rookie" in elsewhere.read_text()
    assert command.main(["--jobs", "1", "check", "--cells", "2"]) == 0
    assert "2 of 6 cells played again, 0 do not agree." in capsys.readouterr().out

    result = Results(file)
    for one in result.of.values():
        one.weaker.points = [points + 1000 for points in one.weaker.points]
    result.save()
    assert command.main(["--jobs", "1", "check", "--cells", "1"]) == 1
    assert "A DEAL CAME OUT OTHERWISE" in capsys.readouterr().out
    written = elsewhere.read_text()
    assert command.main(["page"]) == 0
    assert elsewhere.read_text() != written


def test_the_command_says_what_it_cannot_do(
    elsewhere: Path, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command.main(["check"]) == 1
    assert "There is no cell" in capsys.readouterr().out
    assert command.main([*FULL, "--minutes", "0"]) == 0
    assert "Stopped before all cells were done" in capsys.readouterr().out
    assert command.main([*FULL, "--variants", "none"]) == 0
    monkeypatch.setattr(cells, "level_version", lambda level: "new")
    capsys.readouterr()
    assert command.main([*FULL]) == 2
    assert "--drop-stale forgets the others." in capsys.readouterr().err
    assert command.main(["check"]) == 1
    assert "1 of 1 cells are of other versions" in capsys.readouterr().out
    assert command.main([*FULL, "--variants", "none", "--keep-same"]) == 0
    assert Results(file).of[QUICK].version == "new-new"
    monkeypatch.setattr(cells, "level_version", lambda level: "newer")
    assert command.main([*FULL, "--variants", "none", "--drop-stale"]) == 0
    assert Results(file).of[QUICK].version == "newer-newer"


def test_an_interrupted_check_says_so(
    elsewhere: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command.main([*FULL, "--variants", "none"])
    monkeypatch.setattr(command, "play_again", lambda *_: None)
    assert command.main(["--jobs", "1", "check"]) == 130
    assert "Interrupted." in capsys.readouterr().out


def test_an_interrupted_run_keeps_the_deals_that_were_over(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def broken_off(match: Match, jobs: int) -> MatchReached:
        reached = play_match(
            msgspec.structs.replace(match, deals=range(match.deals.start, match.deals.start + 1)), jobs
        )
        reached.interrupted = True
        return reached

    monkeypatch.setattr(measuring, "play_match", broken_off)
    assert not measure(Results(file), [QUICK], FEW, 1, told.append)
    assert Results(file).of[QUICK].deals == 1
    assert len(told) == 1

"""No secret leaves the server before its time: every value of every frame of whole games is accounted for.

`make torture` scans 200 games; here it is one of every set of variants with every number of players, in two rounds.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.e2e.planted_leaks import LEAKS, Leak
from tests.e2e.secret_games import PLAYERS, VARIANT_SETS, play_scanned_game
from tests.e2e.secret_scan import Scan
from tests.torture.line import Broken
from tests.torture.secret_scan import run

GAMES = len(VARIANT_SETS) * len(PLAYERS)
LEAKING_GAME = 25
"""Five players with Double-Cross."""


async def test_no_client_is_sent_what_it_may_not_know() -> None:
    happened: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for number in range(GAMES):
        game = await play_scanned_game(number, rounds=2, password=number % 16 == 9)
        scan = Scan(game.truth)
        scan.look_through(game.streams)
        assert scan.findings == [], f"game {number}"
        happened += game.happened
        counts += scan.counts

    looked_at = ("own hands", "hidden hands", "legal lists", "commitments", "reveals", "records", "tokens", "hints")
    assert [what for what in looked_at if counts[what] < GAMES] == []
    done = ("resync", "come_back", "take_over", "be_absent", "be_removed", "leave_and_return", "rematches", "removals")
    assert [what for what in done if not happened[what]] == []


@pytest.mark.parametrize("leak", [pytest.param(leak, id=leak.name) for leak in LEAKS])
async def test_a_leak_that_is_planted_is_caught(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    leak.plant(monkeypatch)

    game = await play_scanned_game(LEAKING_GAME, rounds=2, incidents=0.15, password="password" in leak.name)

    scan = Scan(game.truth)
    scan.look_through(game.streams)
    assert leak.found_as in {finding.what for finding in scan.findings}


async def test_the_game_of_the_planted_leaks_has_none_of_its_own() -> None:
    game = await play_scanned_game(LEAKING_GAME, rounds=2, incidents=0.15)

    scan = Scan(game.truth)
    scan.look_through(game.streams)
    assert scan.findings == []


async def test_the_torture_stops_at_a_game_that_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[0].plant(monkeypatch)

    with pytest.raises(Broken, match="game 0"):
        await run(2, seed=0)

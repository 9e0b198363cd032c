"""A game alone to its end, the review of it, its costliest decision on the table, and another card from there on."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.keyboard_player import FINAL, KeyboardPlayer
from tests.e2e.tmux_pane import TmuxPane

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[TmuxPane]:
    rules = ("--players", "3", "--rounds", "1", "--bots", "rookie")
    pane = TmuxPane(tmp_path, "play", *rules, "--pace", "0", "--trick-pause", "0")
    yield pane
    pane.stop()


def test_a_game_is_played_reviewed_looked_back_at_and_played_on_from_its_costliest_decision(pane: TmuxPane) -> None:
    KeyboardPlayer(pane, bids=1).play_until(lambda text: FINAL in text)
    pane.shows("v review")
    pane.press("v")
    pane.shows("fox looks at your decisions")
    while "fox has looked at all" not in pane.text:
        pane.changed()  # a bot thinks for as long as the machine lets it
    assert re.search(r"beside fox: bidding [−0].*, play [−0]", pane.text)
    assert "trick by trick" in pane.text
    review = pane.text
    if "What cost most" not in review:
        assert "Nothing that would have been worth more." in review
        pane.press("q", "b", "d")
    else:
        place = re.search(r"▶ round 1, (planning|trick \d+): you (\w+)", review)
        assert place is not None, review
        pane.press("Enter")
        pane.shows("Replay")
        where = f"  {place[1]}"
        pane.until(lambda text: where in text.splitlines()[1] and f"You {place[2]}" in text)
        assert "fox would" in pane.text
    replayed = pane.until(lambda text: "w what if" in text)
    pane.press("w")
    pane.shows("What if?")
    pane.press("Enter")
    table = pane.until(lambda text: "No Loose Ends  What if  round 1 of 1" in text)
    assert _where(table) == _where(replayed)
    pane.shows("leave")
    KeyboardPlayer(pane, bids=1).play_until(lambda text: FINAL in text)
    sheet = pane.shows("Enter: back")
    assert "v review" not in sheet  # what was only tried out is not kept
    pane.press("q")
    pane.shows("The game is over")
    pane.press("q")
    pane.shows("Replay")
    pane.press("q")
    pane.shows("Games that are over")
    pane.press("h")
    listed = pane.until(lambda text: "you " in text)
    assert len(re.findall(r"you −?-?\d+", listed)) == 1  # what was played on from it is no game of its own
    pane.press("q", "q")
    pane.shows("ended with 0")


def _where(text: str) -> str:
    """Return round and trick, or planning, as the first row that tells them does."""
    found = re.search(r"round \d of \d  (planning|trick \d+)", text)
    assert found is not None, text
    return found[1]

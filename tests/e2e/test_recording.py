"""The recording in the docs is one that players can play, and shows a round from its first bid to its last sheet."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyte
import pytest

from tests.e2e.keyboard_player import FINAL
from tests.recording import asciicast, recorded

KEPT = Path(__file__).parents[2] / "docs" / "recording.cast"
_UNREADABLE = re.compile(r"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$[py]")
"""Private sequences that the emulator would print as text."""


def shown_at_the_end(cast: str) -> str:
    header, *events = [json.loads(line) for line in cast.splitlines()]
    assert header["version"] == 2
    times = [at for at, _, _ in events]
    assert times == sorted(times)
    assert 20 < times[-1] < 120
    screen = pyte.Screen(header["width"], header["height"])
    stream = pyte.Stream(screen)
    for _, kind, drawn in events:
        assert kind == "o"
        stream.feed(_UNREADABLE.sub("", drawn))
    return "\n".join(screen.display)


def test_the_kept_recording_ends_with_the_score_of_a_round() -> None:
    assert FINAL in shown_at_the_end(KEPT.read_text("utf-8"))


@pytest.mark.terminal
def test_a_new_recording_can_be_made(tmp_path: Path) -> None:
    assert FINAL in shown_at_the_end(asciicast(recorded(tmp_path)))

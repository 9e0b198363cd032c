"""Records a round of the real program on a real terminal as an asciicast: `make recording` writes docs/recording.cast.

The keys come from what stands on the screen, as a person would press them. Times are not those of the machine that
recorded: each key is followed by a moment to read what it did, so the recording plays as fast on every machine.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path

from tests.e2e.keyboard_player import FINAL, KeyboardPlayer
from tests.e2e.terminal import Terminal

KEPT = Path(__file__).parents[1] / "docs" / "recording.cast"
COLUMNS, ROWS = 80, 24
SECONDS_A_KEY = 0.9
SECONDS_AT_THE_END = 6.0


class Recorded:
    """A terminal whose drawing is kept, each part under the time at which it is to be shown again."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._seen = 0
        self.at = 0.0
        self.events: list[tuple[float, str, str]] = []

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return self._terminal.text

    def press(self, *keys: str) -> None:
        """Type keys one by one, with a moment after each."""
        for key in keys:
            self._terminal.press(key)
            self.settled()
            self.at += SECONDS_A_KEY

    def settled(self, seconds: float = 0.15, /) -> None:
        """Keep what is drawn until nothing more comes for a moment."""
        self._terminal.settled(seconds)
        self._keep()

    def changed(self) -> None:
        """Wait until something else stands on the screen, and keep it."""
        self._terminal.changed()
        self.settled()
        self.at += SECONDS_A_KEY / 2

    def _keep(self) -> None:
        drawn = self._terminal.raw[self._seen :]
        # A character that is cut in two is kept with its rest.
        whole = drawn.decode("utf-8", "ignore").encode()
        if drawn.startswith(whole) and whole:
            self._seen += len(whole)
            self.events.append((round(self.at, 2), "o", whole.decode()))


def recorded(seed_folder: Path) -> list[tuple[float, str, str]]:
    """Play one round against two bots and return what was drawn when."""
    environment = {"HOME": str(seed_folder), "XDG_DATA_HOME": str(seed_folder / "data"), "COLORTERM": "truecolor"}
    options = ("--players", "3", "--rounds", "1", "--bots", "steady", "--pace", "250", "--trick-pause", "0")
    with Terminal("play", *options, columns=COLUMNS, rows=ROWS, environment=environment) as terminal:
        watched = Recorded(terminal)
        terminal.shows("Enter bid")
        watched.settled()
        watched.at += 2.0
        KeyboardPlayer(watched, bids=3).play_until(lambda text: FINAL in text)
        watched.at += SECONDS_AT_THE_END
        watched.events.append((round(watched.at, 2), "o", ""))
        return watched.events


def asciicast(events: list[tuple[float, str, str]]) -> str:
    """Return a recording in the asciicast format, version 2, which public players read."""
    header = {
        "version": 2,
        "width": COLUMNS,
        "height": ROWS,
        "title": "No Loose Ends: a round against two bots",
        "env": {"TERM": "xterm-256color"},
    }
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in (header, *events)) + "\n"


def main() -> int:
    """Record, and write what was recorded."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--output", type=Path, default=KEPT)
    chosen = options.parse_args()
    os.environ.pop("NO_COLOR", None)
    with tempfile.TemporaryDirectory() as folder:
        events = recorded(Path(folder))
    chosen.output.write_text(asciicast(events), "utf-8")
    print(f"{chosen.output}: {len(events)} pictures, {events[-1][0]:.0f} seconds")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

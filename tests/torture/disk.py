"""A disk whose power is cut when the server dies: whatever was not synced by then is gone.

On Linux with a C compiler, `tests/server/keep_synced.c` is preloaded into the server and keeps what it syncs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "server" / "keep_synced.c"
WHY_NOT = (
    ""
    if sys.platform == "linux" and shutil.which("cc")
    else "simulating the loss of power needs Linux and a C compiler"
)
"""Why a disk cannot be had here, empty where it can."""


def built_library(folder: Path) -> Path:
    """Compile what is preloaded and return it."""
    library = folder / "keep_synced.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
    return library


class Disk:
    """The disk under a server's folder, through any number of losses of power."""

    def __init__(self, library: Path, folder: Path) -> None:
        self._library = library
        self._running = folder / "running"
        self._synced = folder / "synced"
        self._running.mkdir()

    def power_on(self) -> tuple[Path, dict[str, str]]:
        """Return the folder to serve and the environment that keeps what is synced, all that is there included."""
        shutil.rmtree(self._synced, ignore_errors=True)
        self._synced.mkdir()
        names: list[str] = []
        for file in self._running.iterdir():
            inode = file.stat().st_ino
            names.append(f"{inode} {file.name}\n")
            shutil.copyfile(file, self._synced / str(inode))
        (self._synced / "names").write_text("".join(names))
        return self._running, {"LD_PRELOAD": str(self._library), "KEEP_SYNCED": str(self._synced)}

    def power_off(self) -> None:
        """Leave in the folder what was synced, and nothing else."""
        shutil.rmtree(self._running)
        self._running.mkdir()
        for entry in (self._synced / "names").read_text().splitlines():
            inode, name = entry.split(" ", 1)
            content = self._synced / inode
            (self._running / name).write_bytes(content.read_bytes() if content.exists() else b"")

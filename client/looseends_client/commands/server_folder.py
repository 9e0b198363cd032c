"""Where a server keeps its state unless it is told otherwise: one answer for serve, admin, backup and restore."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path


def server_folder(named: Path | None) -> Path:
    """Return the folder that was named, or the one of this user."""
    return named if named is not None else user_data_path("looseends", appauthor=False) / "server"

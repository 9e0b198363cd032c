"""Try every way in to the program, each in an empty environment of its own: `make ways-in` builds, then runs this.

It needs a network for what the program depends on. A way whose tool cannot be had is told as not tried, and is no
failure.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path

from tests.packaging.contents import faults_of_sdist, faults_of_wheel

TREE = Path(__file__).parents[2]
MINUTES = 10


class NotTried(Exception):
    """A way in that cannot be tried on this machine; the message says why."""


class Failed(Exception):
    """A way in that does not lead in; the message says where it ended."""


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    """Run a command away from the sources and from this user's own files; return what it printed."""
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environ |= {"HOME": str(folder / "home"), "LANG": "C.UTF-8", "TERM": "xterm-256color"} | variables
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=MINUTES * 60, check=False
    )
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))} exited with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def fresh(folder: Path) -> Path:
    """Make an environment with nothing in it, and return its Python."""
    venv.EnvBuilder(with_pip=True).create(folder / "env")
    return folder / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def plays(command: list[str | Path], folder: Path) -> None:
    """See whether the program that was installed is whole: its version, its manual, a game, its screen's styles."""
    version = run(*command, "--version", folder=folder).strip()
    if not version[:1].isdigit():
        raise Failed(f"--version printed {version!r}")
    run(*command, "--help", folder=folder)
    records = folder / "games.jsonl"
    run(*command, "simulate", "--games", "2", "--bots", "rookie", "--records", records, folder=folder)
    run(*command, "verify", records, folder=folder)
    doctor = run(*command, "doctor", folder=folder)
    if "No Loose Ends" not in doctor:
        raise Failed(f"doctor printed {doctor!r}")
    config = run(*command, "config", "init", "-", folder=folder)
    if "[limits]" not in config:
        raise Failed("config init wrote no limits")


def wheel_by_pip(dist: Path, folder: Path) -> None:
    """Pip installs the wheel."""
    python = fresh(folder)
    run(python, "-m", "pip", "install", "-q", built(dist, "*.whl"), folder=folder)
    plays([python.with_name("looseends")], folder)
    plays([python.with_name("no-loose-ends")], folder)
    plays([python, "-m", "looseends_client"], folder)
    if not (folder / "env/share/man/man1/looseends.1").exists():
        raise Failed("the man page was not installed")


def sdist_by_pip(dist: Path, folder: Path) -> None:
    """Pip builds a wheel from the sdist and installs it."""
    python = fresh(folder)
    run(python, "-m", "pip", "install", "-q", built(dist, "*.tar.gz"), folder=folder)
    plays([python.with_name("looseends")], folder)


def tree_by_pip(_dist: Path, folder: Path) -> None:
    """Pip installs a checkout: `pip install .`"""
    run("git", "clone", "-q", TREE, folder / "tree", folder=folder)
    python = fresh(folder)
    run(python, "-m", "pip", "install", "-q", folder / "tree", folder=folder)
    plays([python.with_name("looseends")], folder)


def by_pipx(dist: Path, folder: Path) -> None:
    """Pipx installs the wheel as a program."""
    python = fresh(folder)
    run(python, "-m", "pip", "install", "-q", "pipx", folder=folder)
    home = {"PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(folder / "bin"), "PIPX_MAN_DIR": str(folder / "man")}
    run(python, "-m", "pipx", "install", built(dist, "*.whl"), folder=folder, **home)
    plays([folder / "bin" / "looseends"], folder)
    if not (folder / "man/man1/looseends.1").exists():
        raise Failed("the man page was not linked")


def by_uv(dist: Path, folder: Path) -> None:
    """Uv installs the wheel as a tool."""
    python = fresh(folder)
    run(python, "-m", "pip", "install", "-q", "uv", folder=folder)
    uv = python.with_name("uv")
    home = {"UV_TOOL_DIR": str(folder / "uv"), "UV_TOOL_BIN_DIR": str(folder / "bin"), "UV_NO_CONFIG": "1"}
    home |= {"UV_PYTHON_DOWNLOADS": "never", "UV_CACHE_DIR": str(folder / "cache")}
    run(uv, "tool", "install", built(dist, "*.whl"), folder=folder, **home)
    plays([folder / "bin" / "looseends"], folder)


def in_container(_dist: Path, folder: Path) -> None:
    """A container is built and says its version."""
    engine = next((name for name in ("docker", "podman") if shutil.which(name)), None)
    if engine is None or subprocess.run([engine, "info"], capture_output=True, check=False).returncode:
        raise NotTried("there is no container engine here")
    run(engine, "build", "-q", "-t", "looseends:ways-in", "-f", TREE / "deploy/Dockerfile", TREE, folder=folder)
    plays([engine, "run", "--rm", "looseends:ways-in"], folder)


WAYS: tuple[Callable[[Path, Path], None], ...] = (
    wheel_by_pip,
    sdist_by_pip,
    tree_by_pip,
    by_pipx,
    by_uv,
    in_container,
)


def built(dist: Path, pattern: str) -> Path:
    """Return the one file in `dist` that a pattern fits."""
    files = list(dist.glob(pattern))
    if len(files) != 1:
        raise Failed(f"there are {len(files)} files {pattern} in {dist}: make dist builds one")
    return files[0].resolve()


def main() -> int:
    """Look into what was built, try each way in, print what came of it, and return 1 where one failed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--dist", type=Path, default=TREE / "dist")
    options.add_argument("--tree", type=Path, default=TREE / "build" / "tree", help="what they were built from")
    options.add_argument("ways", nargs="*", help="the ways to try; all where none is named")
    chosen = options.parse_args()
    faults = [f"wheel: {fault}" for fault in faults_of_wheel(built(chosen.dist, "*.whl"), chosen.tree)]
    faults += [f"sdist: {fault}" for fault in faults_of_sdist(built(chosen.dist, "*.tar.gz"))]
    print(*faults, sep="\n", end="\n" if faults else "")
    failed = len(faults)
    for way in WAYS:
        if chosen.ways and way.__name__ not in chosen.ways:
            continue
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            (folder / "home").mkdir()
            try:
                way(chosen.dist, folder)
            except NotTried as reason:
                print(f"not tried  {way.__name__}: {reason}", flush=True)
            except (Failed, subprocess.TimeoutExpired) as reason:
                failed += 1
                print(f"FAILED     {way.__name__}: {reason}", flush=True)
            else:
                print(f"ok         {way.__name__}: {(way.__doc__ or '').strip()}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())

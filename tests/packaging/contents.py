"""What a wheel and an sdist hold: all that the program needs, and nothing else."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path, PurePosixPath

PACKAGES = ("looseends_core", "looseends_protocol", "looseends_server", "looseends_client")
ROOTS = ("core", "protocol", "server", "client")
NEEDED_IN_WHEEL = (
    "looseends_client/styles/looseends.tcss",
    "looseends_client/py.typed",
    "looseends_core/py.typed",
    "looseends_client/main.py",
)
NEEDED_IN_SDIST = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "Makefile",
    "docs/rules.md",
    "docs/examples/minimal_bot.py",
    "docs/man/looseends.1",
    "deploy/looseends.service",
    "tests/conftest.py",
)
NEVER = (".pyc", ".hypothesis", "__pycache__", ".env", ".git/", ".DS_Store", ".orig", ".rej")


def faults_of_wheel(file: Path, tree: Path) -> list[str]:
    """Return what a wheel lacks, or holds beside what it should, given the tree that it was built from."""
    names = zipfile.ZipFile(file).namelist()
    faults = [f"{name} is in it" for name in names if any(word in name for word in NEVER)]
    faults += [f"{name} is missing" for name in NEEDED_IN_WHEEL if name not in names]
    if not any(name.endswith("licenses/LICENSE") for name in names):
        faults.append("the licence is missing")
    if not any(name.endswith("share/man/man1/looseends.1") for name in names):
        faults.append("the man page is missing")
    sources = {
        str(path.relative_to(tree / root).as_posix())
        for root, package in zip(ROOTS, PACKAGES, strict=True)
        for path in (tree / root / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    packed = {name for name in names if PurePosixPath(name).parts[0] in PACKAGES}
    faults += [f"{name} is not in it" for name in sorted(sources - packed)]
    faults += [f"{name} is in it and in no source" for name in sorted(packed - sources)]
    others = {PurePosixPath(name).parts[0] for name in names} - {*PACKAGES}
    faults += [f"{name}/ is in it" for name in sorted(others) if not name.startswith("no_loose_ends-")]
    return faults


def faults_of_sdist(file: Path) -> list[str]:
    """Return what an sdist lacks, or holds beside what it should."""
    with tarfile.open(file) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    faults = [f"{name} is in it" for name in names if any(word in name for word in NEVER)]
    faults += [f"{name} is missing" for name in NEEDED_IN_SDIST if name not in names]
    allowed = {*ROOTS, "tests", "docs", "deploy", *(name for name in NEEDED_IN_SDIST if "/" not in name)}
    allowed |= {"PKG-INFO", ".gitignore", "CONTRIBUTING.md", "SECURITY.md", "docs"}
    faults += sorted({f"{top} is in it" for name in names if (top := name.split("/")[0]) and top not in allowed})
    return faults

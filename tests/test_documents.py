"""What the pages tell people to type is there to be typed: commands, options, settings, links between pages."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from looseends_client.main import COMMANDS, main
from looseends_client.settings import SETTINGS
from looseends_server.config import parse_config

TREE = Path(__file__).parents[1]
MADE = {"commands.md"}
"""Pages that are written by `make docs`."""
PAGES = sorted(
    [
        *TREE.glob("*.md"),
        *(page for page in (TREE / "docs").rglob("*.md") if page.name not in MADE),
    ]
)
COMMAND = re.compile(r"^(?:\$ )?(?:sudo )?(?:\S*/)?(looseends(?: [^#\n]*)?)", re.MULTILINE)
PLACEHOLDERS = re.compile(r"[A-Z][A-Z0-9:.-]*|…|\[.*\]|\.\.\.")


def fenced(page: Path, *kinds: str) -> Iterator[str]:
    """Yield the blocks of these kinds on a page."""
    for kind, text in re.findall(r"^ *```(\S*)[^\n]*\n(.*?)^ *```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        if kind in kinds:
            yield text


def typed() -> list[tuple[str, str]]:
    """Return every command of the program that a page shows, with the page."""
    found: dict[tuple[str, str], None] = {}
    for page in PAGES:
        for block in fenced(page, "", "sh", "console", "text"):
            for line in COMMAND.findall(block.replace("\\\n", " ")):
                found[page.name, line.strip()] = None
    return list(found)


def help_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main([*words, "--help"]) == 0, words
    return capsys.readouterr().out


@pytest.mark.parametrize(("page", "line"), typed())
def test_a_command_on_a_page_is_one_with_these_options(
    page: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(line.split(" 2>")[0].split(" > ")[0].split(" | ")[0])[1:]
    if not words or words[0].startswith("-"):
        assert set(words) <= {"--help", "--version", "--debug"}
        return
    assert words[0] in {command.name for command in COMMANDS}, f"{page} names a command that there is not: {line}"
    chain = [words[0]]
    shown = help_of(chain, capsys)
    while len(words) > len(chain) and re.search(rf"│ {re.escape(words[len(chain)])} ", shown):
        chain.append(words[len(chain)])
        shown = help_of(chain, capsys)
    for word in words:
        if word.startswith("--"):
            option = word.split("=")[0]
            assert option in {"--debug", "--help"} or re.search(rf"{option}\b", shown), f"{page}: {line}: no {option}"


def test_there_are_commands_on_the_pages() -> None:
    assert len(typed()) > 30


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(TREE)))
def test_settings_on_a_page_are_ones_that_there_are(page: Path) -> None:
    for block in fenced(page, "toml"):
        content = tomllib.loads(block)
        if set(content) & {"server", "limits", "pace", "door"}:
            parse_config(block, page)
        elif page.name in ("settings.md", "play.md"):
            assert set(content) <= {*SETTINGS, "keys"}
        else:
            parse_config(f"[server]\n{block}", page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(TREE)))
def test_a_link_to_another_page_or_file_leads_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path
        assert file.exists() or file.name in MADE, f"{page.name} leads to {target}"
        if anchor and file.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
            assert anchor in {_slug(heading) for heading in headings}, f"{page.name} leads to {target}"


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_the_man_page_has_every_command_and_option() -> None:
    from looseends_client.manual import commands_as_markdown

    man = (TREE / "docs" / "man" / "looseends.1").read_text("utf-8").replace("\\-", "-")
    manual = commands_as_markdown()
    missing = {word for word in re.findall(r"`(--[\w-]+)", manual) if word not in man}
    missing |= {command.name for command in COMMANDS if command.name not in man}
    assert not missing, "make docs writes the man page anew"

"""How the pages of this folder become a site: `make docs`. What the pages say lives in the pages."""

from __future__ import annotations

from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

project = "No Loose Ends"
author = "the No Loose Ends authors"
copyright = author  # noqa: A001  # the name that Sphinx reads
release = version_of("no-loose-ends")
version = release

extensions = ["myst_parser"]
exclude_patterns = ["man/*"]
myst_heading_anchors = 4
nitpicky = True

# The man page is the page of the commands. It names the version where others name a day, so that it is the same
# whenever it is made.
man_pages = [("commands", "looseends", "a trick-taking card game in a terminal", "", 1)]
today = f"version {release}"

html_theme = "furo"
html_title = "No Loose Ends"
html_copy_source = False
html_show_sourcelink = False


def _write_commands(app: Sphinx) -> None:
    """Write the page of the commands from the program itself, so that it cannot say anything else than `--help`."""
    from looseends_client.manual import commands_as_markdown

    page = Path(app.srcdir) / "commands.md"
    text = commands_as_markdown()
    if not page.exists() or page.read_text("utf-8") != text:
        page.write_text(text, "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx what is made before the pages are read."""
    app.connect("builder-inited", _write_commands)
    return {"parallel_read_safe": True}

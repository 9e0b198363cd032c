"""docs/bots.md against what it speaks of: the view, the example, the limits, and the table that was measured."""

from __future__ import annotations

import json
import re
from pathlib import Path

from looseends_client.programs import player, program
from looseends_client.programs.view_json import view_to_json
from looseends_core.bots import LEVELS
from tests.bot_table.page import PAGE, with_results
from tests.bot_table.results import FILE, Results
from tests.client.test_programs import RULES, moments

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "program_bot.py"


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)\n```", page(), re.DOTALL)


def test_the_measured_part_is_what_the_results_make_of_it() -> None:
    assert page() == with_results(page(), Results(FILE)), "`python -m tests.bot_table page` writes it"


def test_the_example_in_the_page_is_the_example() -> None:
    code = EXAMPLE.read_text(encoding="utf-8").split('"""', 2)[2].strip()
    assert code in blocks("python")


def test_the_view_in_the_page_has_the_keys_of_a_view_and_each_is_explained() -> None:
    [shown] = [json.loads(block) for block in blocks("json")]
    _, view = next(moments(RULES, "1"))
    told = view_to_json(view, 1)
    assert list(shown) == list(told)
    assert set(shown["tricks"][0]) == {"plays", "winner", "card", "outcome", "bid_card"}
    explained = {
        key
        for line in page().split("### The view")[1].splitlines()
        if line.startswith("| `")
        for key in re.findall(r"`([a-z_]+)`", line.split("|")[1])
    }
    assert explained == set(told)


def test_every_level_and_every_limit_is_named() -> None:
    for level in LEVELS:
        assert f"| `{level}` |" in page()
    answer = page().split("### The answer")[1]
    assert f"{player.DECISION_SECONDS:g} seconds, the first one {player.STARTING_SECONDS:g} more" in answer
    assert f"more than {program.LINE_LIMIT} bytes" in answer
    assert program.ENDING_SECONDS == 1
    assert player.STARTS == 3

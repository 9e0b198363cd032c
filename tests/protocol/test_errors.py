"""Every refusal has one stable code and one sentence, and the rules' own refusals are told apart from the server's."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from looseends_core import decide
from looseends_protocol.errors import ERRORS
from looseends_protocol.limits import NAME_LENGTH
from looseends_protocol.people_text import BOT_PREFIX

CODE = re.compile(r"[a-z]+/[a-z]+(_[a-z]+)*\Z")


def refusals_of_the_rules() -> dict[str, str]:
    """Return each `action/…` code of the core with its sentence, from the source, because functions make some."""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(Path(decide.__file__).read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
            code, sentence = (ast.unparse(argument) for argument in node.args)
            found[ast.literal_eval(code)] = sentence
    return found


@pytest.mark.parametrize("code", ERRORS)
def test_a_code_is_a_namespace_and_words(code: str) -> None:
    assert CODE.match(code)


@pytest.mark.parametrize("code", ERRORS)
def test_a_sentence_is_one_line_for_people(code: str) -> None:
    sentence = ERRORS[code]
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert sentence.isprintable()
    assert code not in sentence


def test_the_rules_refuse_with_codes_of_their_own() -> None:
    rules = refusals_of_the_rules()
    assert len(rules) >= 10
    for code, sentence in rules.items():
        assert CODE.match(code)
        assert code.startswith("action/")
        assert code not in ERRORS
        assert sentence.rstrip("\"'").endswith(".")


def codes_named_in(*packages: str) -> set[str]:
    """Return every literal of these packages that has the form of a code."""
    namespaces = {code.split("/")[0] for code in (*ERRORS, *refusals_of_the_rules())}
    literal = re.compile(r"\"((?:" + "|".join(sorted(namespaces)) + r")/[a-z_]+)\"")
    sources = [path for package in packages for path in (Path(__file__).parents[2] / package).rglob("*.py")]
    assert len(sources) >= 5
    return {code for path in sources for code in literal.findall(path.read_text(encoding="utf-8"))}


def test_no_other_module_makes_up_a_code() -> None:
    assert codes_named_in("protocol", "server", "client") - set(ERRORS) - set(refusals_of_the_rules()) == set()


def test_there_is_no_code_that_no_server_sends() -> None:
    assert set(ERRORS) - codes_named_in("server") == set()


def test_the_sentence_on_names_says_what_person_name_asks() -> None:
    assert BOT_PREFIX in ERRORS["name/invalid"]
    assert str(NAME_LENGTH) in ERRORS["name/invalid"]

"""A setting comes from the last source that names it, and says which that was."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_server.config import SECTIONS, Config, ConfigInvalid, parse_config
from looseends_server.config_sources import default_file, sentences_of, settings_in_force, settled, written

KEYS = [(section, field) for section, made in SECTIONS.items() for field in msgspec.structs.fields(made)]
TOGETHER = {
    "tls_cert": "server.tls_key=k",
    "tls_key": "server.tls_cert=c",
    "proxy_is_tls": "server.proxy_from=::1",
    "ssh_keys_only": "server.ssh=8722",
    "ssh_allowed_keys": "server.ssh=8722",
    "ssh_admin_keys": "server.ssh=8722",
}
"""What a key needs beside it to make sense."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "looseends.toml"


def other_than(name: str, value: Any) -> str:
    """Return a value that is not this default, as the environment would have it."""
    if name in ("metrics", "ssh"):
        return "9749"
    if isinstance(value, bool):
        return str(not value).lower()
    if isinstance(value, tuple):
        return "10.0.0.0/8, ::1"
    return str(value + 1) if isinstance(value, (int, float)) else "warning"


def test_the_default_comes_first_then_the_file_then_the_environment_then_the_command_line(file: Path) -> None:
    file.write_text('[server]\nname = "A"\nport = 1\n[limits]\n\ntables = 5\nspectators = 4\n')
    environ = {"LOOSEENDS_SERVER_PORT": "2", "LOOSEENDS_LIMITS_TABLES": "6", "LOOSEENDS_PASSWORD": "x", "PATH": "/"}
    found = settled(file, environ, {"port": 3, "host": None}, ["limits.tables=7"])
    config, origins = found.config, found.origins
    assert (config.server.name, config.server.port, config.server.host) == ("A", 3, "127.0.0.1")
    assert (config.limits.tables, config.limits.spectators) == (7, 4)
    assert origins["server.name"] == f"{file}, line 2"
    assert origins["server.port"] == "--port"
    assert origins["server.host"] == "default"
    assert origins["limits.tables"] == "--set limits.tables=7"
    assert origins["limits.spectators"] == f"{file}, line 7"
    assert settled(file, environ).origins["server.port"] == "LOOSEENDS_SERVER_PORT of the environment"


@pytest.mark.parametrize(("section", "field"), KEYS, ids=lambda part: getattr(part, "name", part))
def test_every_key_is_read_from_the_environment_and_from_an_assignment(
    section: str, field: msgspec.structs.FieldInfo
) -> None:
    words = other_than(field.name, field.default)
    beside = [TOGETHER[field.name]] if field.name in TOGETHER else []
    from_environment = settled(None, {f"LOOSEENDS_{section}_{field.name}".upper(): words}, {}, beside).config
    assigned = settled(None, {}, {}, [f"{section}.{field.name}={words}", *beside]).config
    assert getattr(getattr(assigned, section), field.name) != field.default
    assert from_environment == assigned


@pytest.mark.parametrize(
    ("environ", "assignments", "said"),
    [
        ({"LOOSEENDS_SERVER_PROT": "1"}, [], "[server] has no key prot; did you mean LOOSEENDS_SERVER_PORT?"),
        ({"LOOSEENDS_SERVER_PORT": "x"}, [], 'LOOSEENDS_SERVER_PORT must be a whole number from 0 to 65535, not "x".'),
        ({"LOOSEENDS_PACE_READY_SECONDS": "ever"}, [], 'or "never", not "ever".'),
        ({"LOOSEENDS_SERVER_PROXY_FROM": "here"}, [], "must be a list of addresses or networks"),
        ({}, ["tables=3"], "--set tables=3: write SECTION.KEY=VALUE, such as limits.tables=200."),
        ({}, ["limits.tables"], "write SECTION.KEY=VALUE"),
        ({}, ["limit.tables=3"], "there is no section limit; there are door, limits, pace, server"),
        ({}, ["limits.tabels=3"], "did you mean limits.tables?"),
        ({}, ["limits.zzz=3"], "[limits] has no key zzz; its keys are "),
        ({}, ["server.insecure=perhaps"], '--set server.insecure must be true or false, not "perhaps".'),
        ({}, ["limits.silence_seconds=3"], "the settings together: silence_seconds (3) must be more than"),
    ],
)
def test_what_is_wrong_is_said_by_the_name_of_its_source(
    environ: dict[str, str], assignments: list[str], said: str
) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        settled(None, environ, {}, assignments)
    assert said in str(caught.value)


def test_a_wrong_option_is_said_by_its_name() -> None:
    with pytest.raises(ConfigInvalid, match=r"^--port must be a whole number from 0 to 65535, not -1"):
        settled(None, {}, {"port": -1})


def test_one_way_to_tls_replaces_another_of_an_earlier_source_and_contradicts_one_of_the_same(file: Path) -> None:
    file.write_text("[server]\ntls_self_signed = true\n")
    found = settled(file, {}, {"tls_cert": "c", "tls_key": "k"})
    assert (found.config.server.tls_cert, found.config.server.tls_self_signed) == ("c", False)
    assert found.origins["server.tls_self_signed"] == "--tls-cert, in place of it"
    file.write_text('[server]\ntls_cert = "c"\ntls_key = "k"\n')
    server = settled(file, {"LOOSEENDS_SERVER_TLS_SELF_SIGNED": "yes"}).config.server
    assert (server.tls_cert, server.tls_key, server.tls_self_signed) == ("", "", True)
    with pytest.raises(ConfigInvalid, match="exclude each other"):
        settled(None, {}, {"tls_cert": "c", "tls_key": "k", "tls_self_signed": True})


def test_a_certificate_in_the_file_may_have_its_key_in_the_environment(file: Path) -> None:
    file.write_text('[server]\ntls_cert = "c.pem"\n')
    server = settled(file, {"LOOSEENDS_SERVER_TLS_KEY": "/k.pem"}).config.server
    assert (server.tls_cert, server.tls_key) == (str(file.parent / "c.pem"), "/k.pem")


def test_the_first_file_changes_nothing_and_nothing_either_once_every_key_in_it_is_written_out(file: Path) -> None:
    text = default_file()
    assert parse_config(text, file).named == frozenset()
    lines = [line.removeprefix("# ") if " = " in line else line for line in text.splitlines()]
    written_out = parse_config("\n".join(lines), file)
    assert written_out.config == Config()
    assert written_out.named == {f"{section}.{field.name}" for section, field in KEYS}


def test_every_key_has_a_sentence() -> None:
    for section, field in KEYS:
        assert len(sentences_of(SECTIONS[section]).get(field.name, "")) > 10, f"[{section}] {field.name}"


@given(st.text(max_size=40))
def test_any_text_is_written_as_toml_has_it(text: str) -> None:
    assert tomllib.loads(f"key = {written(text)}") == {"key": text}


def test_what_is_in_force_is_a_file_that_says_the_same(file: Path) -> None:
    found = settled(None, {}, {"name": 'A "B"'}, ["pace.ready_seconds=never", "limits.chat_seconds=2.5"])
    shown = settings_in_force(found)
    assert parse_config(shown, file).config == found.config
    assert 'name = "A \\"B\\""  # --name' in shown.splitlines()

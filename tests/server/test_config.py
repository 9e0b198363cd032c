"""The config file: every key is read, and everything wrong is explained by its line."""

from __future__ import annotations

import contextlib
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_server.config import (
    Config,
    ConfigInvalid,
    DoorSection,
    ServerSection,
    checked_password,
    endpoint,
    parse_config,
    read_password,
    ssh_endpoint,
)
from looseends_server.config_sources import settled
from looseends_server.limits import Limits, Pace

FILE = Path("looseends.toml")
SECTIONS: dict[str, type[msgspec.Struct]] = {
    "server": ServerSection,
    "limits": Limits,
    "pace": Pace,
    "door": DoorSection,
}
KEYS = [(section, field) for section, made in SECTIONS.items() for field in msgspec.structs.fields(made)]


def written(value: Any) -> str:
    if value is None:
        return '"never"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, tuple):
        return "[" + ", ".join(map(written, value)) + "]"
    return str(value)


@pytest.mark.parametrize(("section", "field"), KEYS, ids=lambda part: getattr(part, "name", part))
def test_every_key_is_read_and_a_wrong_value_is_explained_by_its_line(
    section: str, field: msgspec.structs.FieldInfo
) -> None:
    read = parse_config(f"[{section}]\n{field.name} = {written(field.default)}\n", FILE)
    assert (read.config, read.named) == (Config(), frozenset({f"{section}.{field.name}"}))
    for wrong in ("{}", "2020-01-01"):
        with pytest.raises(ConfigInvalid) as caught:
            parse_config(f"# a comment\n[{section}]\n\n{field.name} = {wrong}\n", FILE)
        assert str(caught.value).startswith(f"looseends.toml, line 4: {field.name} must be ")


def test_values_arrive_in_the_types_of_the_limits() -> None:
    read = parse_config(
        '[server]\nname = "X"\nproxy_from = ["10.0.0.0/8", "::1"]\n'
        "[limits]\ntables = 7\nmessages_per_second = 9\n"
        '[pace]\nready_seconds = "never"\naway_seconds = 1.5\n',
        FILE,
    ).config
    assert read.server == ServerSection(name="X", proxy_from=("10.0.0.0/8", "::1"))
    assert read.limits == Limits(tables=7, messages_per_second=9.0)
    assert read.pace == Pace(ready_seconds=None, away_seconds=1.5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 1", "line 1: the key name belongs under [server], [limits], [pace] or [door]."),
        (
            "[server]\n[limit]\n",
            "line 2: there is no section [limit]; there are [server], [limits], [pace] and [door].",
        ),
        ("limits = 3", "line 1: limits is a section: write [limits] on a line of its own, keys under it."),
        ("[limits]\n\ntabels = 1", "line 3: [limits] has no key tabels; did you mean tables?"),
        ("[server]\nzzz = 1", "line 2: [server] has no key zzz; its keys are address, host,"),
        ("limits.tables = 'x'", 'line 1: tables must be a whole number of at least 1, not "x".'),
        ("[limits]\ntables = 0", "line 2: tables must be a whole number of at least 1, not 0."),
        ("[limits]\ntables = true", "line 2: tables must be a whole number of at least 1, not true."),
        ("[limits]\ntables = 1.5", "line 2: tables must be a whole number of at least 1, not 1.5."),
        ("[limits]\nlimit_loopback = 1", "line 2: limit_loopback must be true or false, not 1."),
        ("[limits]\nchat_seconds = nan", "line 2: chat_seconds must be a number above 0, not nan."),
        ("[limits]\nspectators = 2000", "line 2: spectators must be a whole number from 0 to 1000, not 2000."),
        ("[pace]\nready_seconds = -1", 'line 2: ready_seconds must be a number from 0 to 86400, or "never", not -1.'),
        ("[server]\nport = 65536", "line 2: port must be a whole number from 0 to 65535, not 65536."),
        ('[server]\nlog_level = "loud"', 'line 2: log_level must be one of debug, info, warning, error, not "loud".'),
        ('[server]\nmetrics = "a:b:1"', 'line 2: metrics must be PORT or ADDRESS:PORT, not "a:b:1".'),
        ('[server]\nproxy_from = ["here"]', "line 2: proxy_from must be a list of addresses or networks"),
        ('[server]\nname = ""', 'line 2: name must have 1 to 40 visible characters, not "".'),
        ("[limits\ntables = 1", "line 1, column 8: this is not TOML: "),
        ("[limits]\ntables = 1\ntables = 2", "line 3"),
        ("[limits]\nping_seconds = 100", "silence_seconds (75) must be more than ping_seconds (100)"),
        ('[server]\ntls_cert = "a.pem"', "a certificate needs its key, and a key its certificate: give both."),
        ('[server]\ntls_cert = "a"\ntls_key = "b"\ntls_self_signed = true', "exclude each other"),
        ('[server]\ntls_self_signed = true\nproxy_from = ["::1"]', "PROXY headers are read on a plain port only"),
        ("[server]\nproxy_is_tls = true", "proxy_is_tls says nothing without proxy_from"),
        ('[server]\nssh = "a:b:1"', 'line 2: ssh must be PORT, ADDRESS:PORT or an address, not "a:b:1".'),
        ("[server]\nssh_keys_only = true", "ssh_keys_only and lists of keys say nothing without ssh"),
    ],
)
def test_what_is_wrong_is_said_with_what_was_expected(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    FILE.write_text(text)
    with pytest.raises(ConfigInvalid) as caught:
        settled(FILE, {})
    assert said in str(caught.value)
    assert str(caught.value).startswith("looseends.toml")


@given(st.text(max_size=60), st.sampled_from(["", "[server]\n", "[limits]\ntables = ", '[pace]\nready_seconds = "']))
def test_any_text_is_a_config_or_is_explained(noise: str, start: str) -> None:
    with contextlib.suppress(ConfigInvalid):
        assert isinstance(parse_config(start + noise, FILE).config, Config)


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigInvalid, match="cannot be read: No such file"):
        settled(tmp_path / "none.toml", {})
    (tmp_path / "latin.toml").write_bytes(b'[server]\nname = "\xe9"')
    with pytest.raises(ConfigInvalid, match="not UTF-8"):
        settled(tmp_path / "latin.toml", {})


def test_paths_in_a_file_are_relative_to_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "looseends.toml"
    file.write_text('[server]\ntls_cert = "cert.pem"\ntls_key = "/etc/key.pem"\n')
    server = settled(file, {}).config.server
    assert (server.tls_cert, server.tls_key) == (str(tmp_path / "cert.pem"), "/etc/key.pem")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9", ("127.0.0.1", 9)),
        ("0.0.0.0:9100", ("0.0.0.0", 9100)),
        ("[::1]:9", ("::1", 9)),
        (":9", None),
        ("::1:9", None),
        ("65536", None),
        ("x", None),
        ("", None),
        ("9:", None),
    ],
)
def test_an_endpoint_is_a_port_with_or_without_an_address(text: str, expected: tuple[str, int] | None) -> None:
    assert endpoint(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2222", ("192.0.2.1", 2222)),
        ("0.0.0.0:22", ("0.0.0.0", 22)),
        ("[::1]:22", ("::1", 22)),
        ("0.0.0.0", ("0.0.0.0", 8722)),
        ("::1", ("::1", 8722)),
        ("[::1]", ("::1", 8722)),
        ("example.org", None),
        ("", None),
    ],
)
def test_an_ssh_door_is_a_port_an_address_or_both(text: str, expected: tuple[str, int] | None) -> None:
    assert ssh_endpoint(text, "192.0.2.1") == expected


def test_a_password_is_the_first_line_of_its_file_and_never_part_of_a_message(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("käse brot\r\nsecond line\n", "utf-8")
    assert read_password(file) == "käse brot"
    file.write_text("secret" * 100)
    with pytest.raises(ConfigInvalid) as caught:
        read_password(file)
    assert "secret" not in str(caught.value)
    with pytest.raises(ConfigInvalid, match="has 0 characters"):
        checked_password("", "it")


def test_every_key_stands_in_the_documentation_with_its_default() -> None:
    page = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")
    for section, field in KEYS:
        row = f"| `{field.name}` | `{written(field.default)}` |"
        assert row in page, f"[{section}] {row}"


def test_the_kinds_of_all_keys_are_ones_that_a_message_can_name() -> None:
    kinds = {str(kind) for made in SECTIONS.values() for kind in typing.get_type_hints(made).values()}
    assert kinds == {str(kind) for kind in (int, float, str, bool, float | None, tuple[str, ...])}

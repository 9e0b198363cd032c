"""What a host may set, from one TOML file and from options that win over it.

Every limit and every pace has its key, named as in `limits`. A wrong file is explained by the line it is wrong in,
and a server never starts on half of it.
"""

from __future__ import annotations

import difflib
import ipaddress
import json
import math
import re
import tomllib
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from looseends_protocol.limits import DEFAULT_PORT, PASSWORD_LENGTH, SSH_PORT
from looseends_server.limits import Limits, Pace

LOG_LEVELS = ("debug", "info", "warning", "error")
NEVER = "never"
"""Stands in the file for a wait without an end, because TOML has no word for nothing."""
LONGEST_TEXT = 200
"""Characters of a text in the file, paths included."""


class ConfigInvalid(Exception):
    """What is wrong with the file or an option, where, and what was expected, as one sentence."""


class ServerSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section [server]: everything but limits and pace. Paths are as written, relative to the file's folder."""

    name: str = "No Loose Ends"
    """What the server is called."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = DEFAULT_PORT
    """The TCP port to listen on, 0 for any free one."""
    address: str = ""
    """HOST or HOST:PORT that others reach the server under, where it is not the one it listens on; only printed."""
    password_file: str = ""
    """A file whose first line is the password that new players need, empty for none."""
    insecure: bool = False
    """Take tokens and passwords over plain TCP from other machines."""
    tls_cert: str = ""
    """A PEM file with the certificate and the chain above it."""
    tls_key: str = ""
    """A PEM file with the certificate's key."""
    tls_self_signed: bool = False
    """Make a certificate once and keep it in the folder; the printed address pins it."""
    proxy_from: tuple[str, ...] = ()
    """Addresses or networks whose PROXY protocol header is believed, and has to be there."""
    proxy_is_tls: bool = False
    """Whether what came through such a proxy came to it over TLS."""
    metrics: str = ""
    """[ADDRESS:]PORT for /metrics and /healthz, empty for off; 127.0.0.1 where no address is named."""
    ratings: bool = True
    """Whether finished games change ratings, by which the ladders of players are ordered."""
    log_level: str = "info"
    """The least important log lines that are written."""
    ssh: str = ""
    """[ADDRESS:]PORT of the SSH door, or an address alone; empty for no door. Without an address that of `host`."""
    ssh_keys_only: bool = False
    """Whether nobody comes in over SSH without a key."""
    ssh_allowed_keys: str = ""
    """A file with the public keys that may come in over SSH, one a line; empty for every key."""
    ssh_admin_keys: str = ""
    """A file with the public keys that are let in over SSH whatever is full."""


class DoorSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section [door]: the limits of an SSH door, beside a server or in a process of its own."""

    login_seconds: float = 30.0
    """From connecting to having proved a key, or being a guest."""
    keepalive_seconds: float = 20.0
    """Silence after which the door asks whether somebody is still there; after three such times they are gone."""
    logins: int = 64
    """People who are logging in at the same time: each costs a key exchange."""
    logins_per_address: int = 8
    """The same from one address."""
    sessions: int = 200
    """People inside at the same time: what one processor core carries while everybody plays."""
    sessions_per_address: int = 16
    """The same from one address."""
    sessions_per_key: int = 4
    """The same with one key; each new one takes over the seat of the one before."""
    sessions_per_second: float = 10.0
    """How fast people come in, each after the other: to draw the first screen costs most."""
    waiting_seconds: float = 10.0
    """How long somebody waits to come in; whoever would have to wait longer is told to come again."""
    limit_loopback: bool = False
    """Whether the limits by address hold for this machine too."""


class Config(msgspec.Struct, frozen=True):
    """Everything that a host may set."""

    server: ServerSection = ServerSection()
    limits: Limits = Limits()
    pace: Pace = Pace()
    door: DoorSection = DoorSection()


SECTIONS: dict[str, type[msgspec.Struct]] = {
    "server": ServerSection,
    "limits": Limits,
    "pace": Pace,
    "door": DoorSection,
}
"""The sections of the file, in its order."""

_RANGES: dict[str, tuple[float, float]] = {
    "port": (0, 65535),
    "send_queue_bytes": (64 * 1024, 64 * 1024 * 1024),  # a late snapshot has to fit
    "spectators": (0, 1000),  # their names are in every push of the seats
    "page_of_tables": (1, 200),  # a page has to fit a frame
    "workers": (0, 256),
    "thought_cpu_seconds": (0.05, 60),
    "thought_seconds": (5, 3600),
    "chat_kept": (0, 100),  # so has a snapshot with all of the talk in it
    "handshake_seconds": (0.1, 3600),
    "ping_seconds": (1, 3600),
    "silence_seconds": (2, 7200),
    "nonce_seconds": (0, 60),
    "ready_seconds": (0, 86400),
    "retry_seconds": (0.1, 3600),
}
"""Least and largest value where the ordinary one, at least 1 or above 0, is not it. The unit is that of the key."""


class FromFile(msgspec.Struct, frozen=True):
    """What a file sets, and which keys it names, as `section.key`."""

    config: Config
    named: frozenset[str]


def read_text(file: Path) -> str:
    """Return the text of a file. Raises ConfigInvalid."""
    try:
        return file.read_text("utf-8")
    except OSError as error:
        raise ConfigInvalid(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigInvalid(f"{file} is not UTF-8 text, which a TOML file has to be.") from error


def parse_config(text: str, file: Path) -> FromFile:
    """Return what the text of a file sets; keys that it lacks have their defaults.

    Raises ConfigInvalid, which names the file and the line. Whether the keys go together is `fitting`'s to say, once
    nothing else can be set.
    """
    try:
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = re.search(r"\(at line (\d+), column (\d+)\)$", str(error))
        where = f", line {at[1]}, column {at[2]}" if at else f", line {len(text.splitlines())}"
        reason = str(error).split(" (at ")[0]
        raise ConfigInvalid(f"{file}{where}: this is not TOML: {reason}.") from error
    sections: dict[str, Any] = {}
    for name, given in content.items():
        where = place_of(file, text, name, None)
        if name not in SECTIONS:
            if not isinstance(given, dict):
                raise ConfigInvalid(f"{where}: the key {name} belongs under {_sections('or')}.")
            raise ConfigInvalid(f"{where}: there is no section [{name}]; there are {_sections('and')}.")
        if not isinstance(given, dict):
            raise ConfigInvalid(f"{where}: {name} is a section: write [{name}] on a line of its own, keys under it.")
        sections[name] = _section(file, text, name, given)
    server = sections.get("server", ServerSection())
    for key in ("password_file", "tls_cert", "tls_key", "ssh_allowed_keys", "ssh_admin_keys"):
        if path := getattr(server, key):
            server = msgspec.structs.replace(server, **{key: str(file.absolute().parent / Path(path).expanduser())})
    named = frozenset(f"{section}.{key}" for section, given in content.items() for key in given)
    found = {name: made() for name, made in SECTIONS.items()} | sections | {"server": server}
    return FromFile(msgspec.convert(found, Config), named)


def _sections(joint: str) -> str:
    *others, last = (f"[{name}]" for name in SECTIONS)
    return f"{', '.join(others)} {joint} {last}"


def _section(file: Path, text: str, name: str, given: dict[str, Any]) -> msgspec.Struct:
    made = SECTIONS[name]
    kinds = get_type_hints(made)
    values: dict[str, Any] = {}
    for key, value in given.items():
        where = place_of(file, text, name, key)
        if key not in kinds:
            near = difflib.get_close_matches(key, kinds, 1)
            hint = f"did you mean {near[0]}?" if near else f"its keys are {', '.join(sorted(kinds))}."
            raise ConfigInvalid(f"{where}: [{name}] has no key {key}; {hint}")
        if wrong := complaint(key, kinds[key], value):
            raise ConfigInvalid(f"{where}: {key} {wrong}.")
        values[key] = typed(kinds[key], value)
    return made(**values)


def typed(kind: Any, value: Any) -> Any:
    """Return a value that `complaint` found nothing wrong with, in the type of its key."""
    if kind == float | None and value == NEVER:
        return None
    if kind in (float, float | None):
        return float(value)
    return tuple(value) if isinstance(value, list) else value


def complaint(key: str, kind: Any, value: Any) -> str:
    """Return what is wrong with a value and what was expected, to follow the key's name; empty where it is right."""
    expected = ""
    if kind is bool:
        expected = "" if isinstance(value, bool) else "must be true or false"
    elif kind is int or kind is float or kind == float | None:
        expected = _number_expected(key, kind, value)
    elif kind is str:
        expected = _text_expected(key, value)
    else:
        whole = isinstance(value, (list, tuple)) and all(isinstance(part, str) and _is_network(part) for part in value)
        expected = "" if whole else 'must be a list of addresses or networks, such as ["127.0.0.1", "10.0.0.0/8"]'
    return f"{expected}, not {_shown(value)}" if expected else ""


def _number_expected(key: str, kind: Any, value: Any) -> str:
    if kind == float | None and value == NEVER:
        return ""
    never = f', or "{NEVER}"' if kind == float | None else ""
    is_number = isinstance(value, int if kind is int else (int, float)) and not isinstance(value, bool)
    noun = "a whole number" if kind is int else "a number"
    if key in _RANGES:
        low, high = _RANGES[key]
        if is_number and low <= value <= high:
            return ""
        return (
            f"must be {noun} from {low:g} to {high:g}{never}" if high < 10**6 else f"must be {noun} of {low:g} or more"
        )
    if kind is int:
        return "" if is_number and 1 <= value <= 2**31 - 1 else f"must be {noun} of at least 1"
    return "" if is_number and math.isfinite(value) and value > 0 else f"must be {noun} above 0{never}"


def _text_expected(key: str, value: Any) -> str:
    if not isinstance(value, str):
        return "must be a text in quotes"
    if key == "log_level":
        return "" if value in LOG_LEVELS else f"must be one of {', '.join(LOG_LEVELS)}"
    if key == "metrics" and value:
        return "" if endpoint(value) else "must be PORT or ADDRESS:PORT"
    if key == "ssh" and value:
        return "" if ssh_endpoint(value, "") else "must be PORT, ADDRESS:PORT or an address"
    if key == "name":
        return "" if value.isprintable() and 1 <= len(value.strip()) <= 40 else "must have 1 to 40 visible characters"
    if key == "host":
        return "" if value and value.isprintable() else "must be an address, such as 127.0.0.1 or 0.0.0.0"
    return "" if value.isprintable() and len(value) <= LONGEST_TEXT * 20 else "must be one line of text"


def fitting(config: Config, whose: str) -> Config:
    """Return the config of a file, or of `whose` settings, unless two values contradict each other.

    Raises ConfigInvalid.
    """
    server, limits = config.server, config.limits
    if limits.silence_seconds <= limits.ping_seconds:
        raise ConfigInvalid(
            f"{whose}: silence_seconds ({limits.silence_seconds:g}) must be more than ping_seconds "
            f"({limits.ping_seconds:g}), or nobody could answer a ping in time."
        )
    if bool(server.tls_cert) != bool(server.tls_key):
        raise ConfigInvalid(f"{whose}: a certificate needs its key, and a key its certificate: give both.")
    if server.tls_cert and server.tls_self_signed:
        raise ConfigInvalid(f"{whose}: a certificate of your own and a self-signed one exclude each other: choose one.")
    if server.proxy_from and (server.tls_cert or server.tls_self_signed):
        raise ConfigInvalid(
            f"{whose}: PROXY headers are read on a plain port only: let the proxy end TLS (proxy_is_tls), or leave "
            "proxy_from away."
        )
    if (server.ssh_keys_only or server.ssh_allowed_keys or server.ssh_admin_keys) and not server.ssh:
        raise ConfigInvalid(f"{whose}: ssh_keys_only and lists of keys say nothing without ssh: say where it listens.")
    if server.proxy_is_tls and not server.proxy_from:
        raise ConfigInvalid(f"{whose}: proxy_is_tls says nothing without proxy_from: name the proxy's address there.")
    return config


def endpoint(text: str, host: str = "127.0.0.1") -> tuple[str, int] | None:
    """Return the address and port in PORT or ADDRESS:PORT, with `host` where none is named; None for anything else."""
    named, colon, port = text.rpartition(":")
    if not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65535 or (colon and not named):
        return None
    if named.startswith("[") and named.endswith("]"):
        named = named[1:-1]
    elif ":" in named:
        return None
    return named or host, int(port)


def ssh_endpoint(text: str, host: str) -> tuple[str, int] | None:
    """Return where an SSH door listens: as `endpoint`, or at the usual port of an address that stands alone."""
    if (found := endpoint(text, host)) is not None:
        return found
    try:
        return str(ipaddress.ip_address(text.removeprefix("[").removesuffix("]"))), SSH_PORT
    except ValueError:
        return None


def read_password(file: Path) -> str:
    """Return the password in the first line of a file. Raises ConfigInvalid."""
    try:
        with file.open(encoding="utf-8") as opened:
            line = opened.readline(PASSWORD_LENGTH * 4 + 2).rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigInvalid(f"the password file {file} cannot be read: {reason}.") from error
    return checked_password(line, f"the first line of {file}")


def checked_password(password: str, whose: str) -> str:
    """Return the password, unless no client could send it. Raises ConfigInvalid, without the password in it."""
    if not 1 <= len(password) <= PASSWORD_LENGTH:
        raise ConfigInvalid(f"{whose} has {len(password)} characters: a password has 1 to {PASSWORD_LENGTH}.")
    return password


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _shown(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=True, default=str) if not isinstance(value, float) else f"{value:g}"
    return shown if len(shown) <= 60 else shown[:57] + "..."


def place_of(file: Path, text: str, section: str, key: str | None) -> str:
    """Return FILE and the line that a section, or a key of it, stands in, where it is written in the usual way."""
    in_section = False
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\s*\"?([\w-]+)\"?\s*[\].]", line)
        if header:
            in_section = header[1] == section
            if in_section and key is None:
                return f"{file}, line {number}"
        name = re.match(r"\s*\"?([\w-]+)\"?\s*(?:\.\s*\"?([\w-]+)\"?\s*)?=", line)
        if name and (
            (in_section and key is not None and name[1] == key and not name[2])
            or (not in_section and name[1] == section and (key is None or name[2] == key))
        ):
            return f"{file}, line {number}"
    return f"{file}"

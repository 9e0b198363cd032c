"""`looseends serve` as a host runs it: a real process, real sockets, real signals."""

from __future__ import annotations

import asyncio
import hashlib
import json
import signal
import socket
import ssl
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from looseends_client.address import parse_address
from looseends_client.commands import CommandFailed
from looseends_client.commands.serve import serve
from looseends_client.tls import CertificatesUnusable, ServerNotTrusted, client_context, tls_connector
from looseends_protocol.frames import framed
from looseends_protocol.messages import Ping
from tests.client.certificates import Authority
from tests.client.running_server import RULES, SECONDS, RawPeer, running, served_again

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a server does not run on Windows")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "looseends_client", *words], capture_output=True, text=True, timeout=SECONDS, check=False
    )


def test_serve_says_in_one_line_where_it_is_and_a_raw_hello_is_welcome(tmp_path: Path) -> None:
    with running(tmp_path / "state", "--name", "The Harbour") as server:
        assert server.line == (f"Serving on 127.0.0.1:{server.port}. Join with: looseends join 127.0.0.1:{server.port}")
        with RawPeer(server.port) as peer:
            welcome = peer.hello("ann")
        assert (welcome["t"], welcome["nm"], welcome["sv"]) == ("welcome", "ann", "The Harbour")
        assert len(welcome["tk"]) == 32
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_end_it_tells_everybody_and_is_gone_within_five_seconds(tmp_path: Path, number: int) -> None:
    with running(tmp_path / "state") as server, RawPeer(server.port) as ann, RawPeer(server.port) as mute:
        assert ann.hello("ann")["t"] == "welcome"
        server.signal(number)
        assert ann.until("notice")["k"] == "closing"
        assert ann.until("refused")["er"] == "server/closing"
        assert ann.is_closed_by_server()
        assert server.ends_within(5) == 0
        assert mute.until("refused")["er"] == "server/closing"
        assert not (tmp_path / "state" / "admin.sock").exists()


def test_a_peer_that_reads_nothing_does_not_keep_the_server(tmp_path: Path) -> None:
    with running(tmp_path / "state", "--tls-self-signed") as server:
        half = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        with RawPeer(server.port, tls=_anybody()) as peer:
            peer.hello("ann")
            server.signal(signal.SIGTERM)
            assert server.ends_within(5) == 0
        for each in half:
            each.close()


@pytest.mark.parametrize("hard", [300, 90])
def test_as_many_files_may_be_open_as_there_may_be_connections_or_the_log_says_so(tmp_path: Path, hard: int) -> None:
    import resource  # not there on Windows

    (tmp_path / "looseends.toml").write_text("[limits]\nconnections = 40\n")

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))

    with running(tmp_path / "state", "--config", str(tmp_path / "looseends.toml"), before=few_files) as server:
        assert ("fewer open files than connections" in server.log) == (hard == 90)
        files = Path(f"/proc/{server.process.pid}/limits")
        if files.exists():
            (line,) = (line for line in files.read_text().splitlines() if line.startswith("Max open files"))
            assert line.split()[3] == str(min(hard, 40 + 256))


def test_after_a_restart_the_token_is_still_known(tmp_path: Path) -> None:
    with running(tmp_path / "state") as server:
        with RawPeer(server.port) as peer:
            token = peer.hello("ann")["tk"]
        with served_again(server) as again, RawPeer(again.port) as peer:
            assert peer.hello(token=token)["nm"] == "ann"


def test_a_port_in_use_is_one_sentence_and_exit_1(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("serve", "--folder", str(tmp_path / "state"), "--port", str(port), "--log-level", "error")
    assert ran.returncode == 1
    assert ran.stderr == (
        f"looseends: 127.0.0.1:{port} is in use already: stop what listens there, or choose another port with --port.\n"
    )
    assert ran.stdout == ""


def test_a_second_server_on_a_folder_is_one_sentence_and_exit_1(tmp_path: Path) -> None:
    with running(tmp_path / "state") as server:
        ran = run("serve", "--folder", str(tmp_path / "state"), "--port", "0")
        assert ran.returncode == 1
        assert ran.stderr.count("\n") == 1
        assert f"in use by process {server.process.pid}" in ran.stderr
        with RawPeer(server.port) as peer:
            assert peer.hello("ann")["t"] == "welcome"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "192.0.2.1"], "192.0.2.1 is no address of this machine"),
        (["--metrics", "192.0.2.1:0"], "192.0.2.1 is no address of this machine"),
        (["--port", "70000"], "--port must be a whole number from 0 to 65535, not 70000."),
        (["--metrics", "x"], '--metrics must be PORT or ADDRESS:PORT, not "x".'),
        (["--tls-cert", "/nowhere.pem"], "a certificate needs its key"),
        (["--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.key"], "/nowhere.pem cannot be read"),
        (["--config", "/nowhere.toml"], "/nowhere.toml cannot be read"),
        (["--password-file", "/nowhere"], "/nowhere cannot be read"),
    ],
)
def test_what_cannot_be_is_one_sentence(tmp_path: Path, options: list[str], said: str) -> None:
    words = ["serve", "--folder", str(tmp_path / "state"), "--log-level", "error", *options]
    ran = run(*(words if "--port" in options else [*words, "--port", "0"]))
    assert ran.returncode in (1, 2)
    assert said in ran.stderr
    assert ran.stderr.startswith("looseends: ")
    assert ran.stderr.count("\n") == 1


def test_on_windows_it_says_that_it_does_not_run_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(CommandFailed, match="does not run on Windows"):
        serve()


def test_serving_loads_no_user_interface_and_nothing_that_is_switched_off() -> None:
    code = (
        "import sys, looseends_client.main, looseends_client.commands.serve, looseends_server.hosting\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'textual', 'prometheus_client', 'cryptography'}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, check=True)
    assert ran.stdout.strip() == "[]"


# ── the config file and passwords ────────────────────────────────────────────────────────────────────────────────────


def test_options_win_over_the_file_and_the_file_over_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "looseends.toml"
    file.write_text('[server]\nname = "From the file"\nport = 1\n[limits]\ntables_per_person = 1\n')
    with running(tmp_path / "state", "--config", str(file)) as server, RawPeer(server.port) as peer:
        assert peer.hello("ann")["sv"] == "From the file"
        assert peer.ask({"t": "create", "ru": RULES})["t"] == "attending"
        assert peer.ask({"t": "create", "ru": RULES})["er"] == "table/too_many"


def test_a_wrong_file_is_explained_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "looseends.toml"
    file.write_text('[server]\nname = "x"\n\n[limits]\ntabels = 3\n')
    ran = run("serve", "--config", str(file), "--folder", str(tmp_path / "state"))
    assert ran.returncode == 2
    assert ran.stderr == f"looseends: {file}, line 5: [limits] has no key tabels; did you mean tables?\n"
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("given_by", ["file", "environment"])
def test_a_house_with_a_password_takes_new_people_only_with_it_and_never_logs_it(tmp_path: Path, given_by: str) -> None:
    password = "correct horse"
    file = tmp_path / "password"
    file.write_text(f"{password}\n")
    options = ["--password-file", str(file)] if given_by == "file" else []
    environment = {"LOOSEENDS_PASSWORD": password} if given_by == "environment" else {}
    with running(tmp_path / "state", *options, "--log-level", "debug", environment=environment) as server:
        with RawPeer(server.port) as peer:
            assert peer.hello("ann")["er"] == "hello/password"
            assert peer.hello("ann", password="battery staple")["er"] == "hello/password"
            welcome = peer.hello("ann", password=password)
            assert welcome["t"] == "welcome"
        with RawPeer(server.port) as peer:
            assert peer.hello(token=welcome["tk"])["t"] == "welcome"
        server.signal(signal.SIGTERM)
        assert server.ends_within(SECONDS) == 0
        for secret in (password, "battery staple", welcome["tk"].hex(), str(welcome["tk"])):
            assert secret not in server.log
        for line in server.log.splitlines():
            assert {"event", "level", "timestamp"} <= json.loads(line).keys()


# ── TLS ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _anybody() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _shown(port: int) -> str:
    """Return the hash of the certificate that a server shows."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as plain, _anybody().wrap_socket(plain) as tls:
        return hashlib.sha256(tls.getpeercert(binary_form=True) or b"").hexdigest()


class Heard(asyncio.Protocol):
    """Sends a frame as soon as it may, and keeps the first bytes that come back."""

    def __init__(self) -> None:
        self.data: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.lost = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(framed(Ping(7)))

    def data_received(self, data: bytes) -> None:
        if not self.data.done():
            self.data.set_result(data)


async def _first_answer(address: str, authorities: Path | None = None) -> bytes:
    """Connect to an address over TLS as a client does, and return what the server says to the first frame."""
    to = parse_address(address)
    heard = Heard()
    transport = await tls_connector(to, client_context(to, authorities))(lambda: heard)
    try:
        async with asyncio.timeout(SECONDS):
            return await heard.data
    finally:
        transport.abort()
        await heard.lost.wait()


async def test_a_self_signed_server_prints_an_address_that_pins_it_for_good(tmp_path: Path) -> None:
    with running(tmp_path / "state", "--tls-self-signed") as server:
        pinned = parse_address(server.address)
        assert (pinned.host, pinned.port, pinned.tls, pinned.pin.hex()) == (
            "127.0.0.1",
            server.port,
            True,
            _shown(server.port),
        )
        assert b"hello/first" in await _first_answer(server.address)
        for name in ("tls-key.pem", "tls-cert.pem"):
            assert stat.S_IMODE((tmp_path / "state" / name).stat().st_mode) == 0o600
        with served_again(server, "--tls-self-signed") as again:
            assert parse_address(again.address).pin == pinned.pin
            assert _shown(again.port) == pinned.pin.hex()


async def test_a_client_says_nothing_to_a_server_with_another_certificate(tmp_path: Path) -> None:
    with running(tmp_path / "state", "--tls-self-signed", "--log-level", "debug") as server:
        shown = parse_address(server.address).pin.hex()
        wrong = server.address.replace(shown, "0" * 64)
        with pytest.raises(ServerNotTrusted, match=f"certificate has the SHA-256 {shown}, not {'0' * 64}. Nothing was"):
            await _first_answer(wrong)
        unpinned = server.address.partition("#")[0]
        with pytest.raises(ServerNotTrusted, match="not trusted"):
            await _first_answer(unpinned)
        server.signal(signal.SIGTERM)
        assert server.ends_within(SECONDS) == 0


async def test_a_client_over_tls_at_a_plain_port_is_told_so(tmp_path: Path) -> None:
    with running(tmp_path / "state") as server, pytest.raises(ServerNotTrusted, match="does not speak TLS"):
        await _first_answer(f"looseends://127.0.0.1:{server.port}")


async def test_a_certificate_of_an_authority_is_verified_and_reloaded_on_sighup(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    authority.write_pair(cert, key)
    with running(tmp_path / "state", "--tls-cert", str(cert), "--tls-key", str(key)) as server:
        address = f"looseends://localhost:{server.port}"
        assert server.address == f"looseends://127.0.0.1:{server.port}"
        assert b"hello/first" in await _first_answer(address, authority.file)
        with pytest.raises(ServerNotTrusted, match="not trusted"):
            await _first_answer(f"looseends://127.0.0.1:{server.port}", authority.file)  # made out to another name
        before = _shown(server.port)

        with RawPeer(server.port, tls=_anybody()) as stays:
            assert stays.hello("ann")["t"] == "welcome"
            key.write_text("no key")
            server.signal(signal.SIGHUP)
            server.wait_for_log("certificate not reloaded")
            assert _shown(server.port) == before

            authority.write_pair(cert, key)
            server.signal(signal.SIGHUP)
            server.wait_for_log("certificate reloaded")
            after = _shown(server.port)
            assert after != before
            assert b"hello/first" in await _first_answer(address, authority.file)
            assert stays.ask({"t": "ping"})["t"] == "pong"


def test_nothing_older_than_tls_1_2_is_spoken(tmp_path: Path) -> None:
    with running(tmp_path / "state", "--tls-self-signed") as server:
        old = _anybody()
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.warns(DeprecationWarning, match="TLSv1"):
            old.minimum_version = ssl.TLSVersion.TLSv1
        with pytest.warns(DeprecationWarning, match="TLSv1"):
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises((ssl.SSLError, ConnectionResetError)):
            RawPeer(server.port, tls=old)


def test_sighup_does_not_end_a_server_without_tls(tmp_path: Path) -> None:
    with running(tmp_path / "state") as server:
        server.signal(signal.SIGHUP)
        server.wait_for_log("nothing to reload")
        with RawPeer(server.port) as peer:
            assert peer.hello("ann")["t"] == "welcome"


def test_a_file_of_authorities_that_is_none_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "authority.pem"
    file.write_text("no certificate")
    with pytest.raises(CertificatesUnusable, match="holds no certificate"):
        client_context(parse_address("looseends://h"), file)
    with pytest.raises(CertificatesUnusable, match="No such file"):
        client_context(parse_address("looseends://h"), tmp_path / "nowhere")


# ── behind a proxy ───────────────────────────────────────────────────────────────────────────────────────────────────


def _proxied(source: str) -> bytes:
    addresses = socket.inet_aton(source) + socket.inet_aton("192.0.2.1") + b"\x30\x39\x22\x2d"
    return b"\r\n\r\n\x00\r\nQUIT\n\x21\x11" + len(addresses).to_bytes(2, "big") + addresses


def _behind_proxy(folder: Path, *lines: str) -> Path:
    file = folder / "proxy.toml"
    file.write_text("\n".join(['[server]\nproxy_from = ["127.0.0.1"]', *lines]))
    return file


def test_behind_a_listed_proxy_the_address_of_the_peer_counts(tmp_path: Path) -> None:
    config = _behind_proxy(tmp_path, "proxy_is_tls = true", "[limits]", "connections_per_address = 1")
    with running(tmp_path / "state", "--config", str(config)) as server:
        with (
            RawPeer(server.port, before=_proxied("203.0.113.5")) as one,
            RawPeer(server.port, before=_proxied("203.0.113.5")) as two,
            RawPeer(server.port, before=_proxied("203.0.113.6")) as other,
        ):
            assert one.hello("ann")["t"] == "welcome"
            assert two.until("refused")["er"] == "server/too_many"
            assert other.hello("ben")["t"] == "welcome"
        assert server.line == f"Serving on 127.0.0.1:{server.port} behind 127.0.0.1."
        assert '"203.0.113.5"' in server.log


def test_behind_a_proxy_tokens_are_taken_only_where_it_ends_tls(tmp_path: Path) -> None:
    with running(tmp_path / "state", "--config", str(_behind_proxy(tmp_path))) as server:
        with RawPeer(server.port, before=_proxied("203.0.113.5")) as peer:
            assert peer.hello("ann")["er"] == "hello/insecure"
        assert "proxy_is_tls = true" in server.log


def test_a_listed_proxy_that_sends_no_header_gets_no_answer(tmp_path: Path) -> None:
    with running(tmp_path / "state", "--config", str(_behind_proxy(tmp_path))) as server:
        with RawPeer(server.port) as peer:
            peer.send({"t": "hello", "v": 1, "nm": "ann"})
            assert peer.is_closed_by_server()
        server.wait_for_log("no PROXY header")


def test_a_header_from_anybody_else_is_an_unreadable_frame(tmp_path: Path) -> None:
    file = tmp_path / "proxy.toml"
    file.write_text('[server]\nproxy_from = ["198.51.100.7"]\n')
    with running(tmp_path / "state", "--config", str(file)) as server:
        with RawPeer(server.port, before=_proxied("203.0.113.5")) as peer:
            assert peer.until("refused")["er"] == "frame/too_long"
            assert peer.is_closed_by_server()
        with RawPeer(server.port) as peer:
            assert peer.hello("ann")["t"] == "welcome"
        assert "203.0.113.5" not in server.log

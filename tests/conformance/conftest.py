"""The server under test, and people who are known there."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.client.running_server import running
from tests.conformance.address import Server
from tests.conformance.people import People


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that SERVER names, or one of our own with the limits that it has by itself."""
    named = os.environ.get("SERVER", "")
    if named:
        yield Server.at(named, os.environ.get("SERVER_PASSWORD", ""))
        return
    folder = tmp_path_factory.mktemp("conformance")
    config = folder / "server.toml"
    # A shorter wait for what a server does by itself after a while, so that the tests need not wait for it either.
    config.write_text("[limits]\nping_seconds = 1.0\nhandshake_seconds = 2.0\n[pace]\nnonce_seconds = 1.0\n")
    with running(folder / "server", "--config", str(config), "--log-level", "error") as process:
        yield Server("127.0.0.1", process.port)


@pytest.fixture(scope="session")
def everybody(server: Server) -> People:
    """People that the server knows from the first test on, so that later connections are no newcomers to it."""
    return People(server)


@pytest.fixture
def people(everybody: People) -> Iterator[People]:
    """The same people, none of them connected and none of them at a table."""
    yield everybody
    everybody.go_home()

"""Opening an SSH door, beside a server or alone: from what a host set to a door that listens."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import asyncio

    from looseends_client.connector import Connector
    from looseends_client.ssh.door import Door, DoorSettings
    from looseends_server.config import Config
    from looseends_server.hosting import Beside
    from looseends_server.house import House


def door_settings(config: Config) -> DoorSettings:
    """Return what a door is opened with. Raises ssh.host_keys.KeysUnusable for a list of keys that cannot be read."""
    from looseends_client.ssh.admission import DoorLimits
    from looseends_client.ssh.door import DoorSettings
    from looseends_client.ssh.host_keys import listed_keys
    from looseends_server.config import endpoint

    server = config.server
    allowed = listed_keys(Path(server.ssh_allowed_keys)) if server.ssh_allowed_keys else None
    reached = endpoint(server.address)
    return DoorSettings(
        keys_only=server.ssh_keys_only or allowed is not None,
        allowed_keys=allowed,
        admin_keys=listed_keys(Path(server.ssh_admin_keys)) if server.ssh_admin_keys else frozenset(),
        address=reached[0] if reached else server.address.removeprefix("[").removesuffix("]"),
        limits=DoorLimits(**msgspec.structs.asdict(config.door)),
    )


@contextlib.asynccontextmanager
async def opened(
    folder: Path, secret: bytes, connect: Callable[[str], Connector], config: Config, where: tuple[str, int]
) -> AsyncIterator[Door]:
    """Open a door until the end of the block. Raises ssh.host_keys.KeysUnusable and OSError."""
    from looseends_client.ssh.own_terminal import forget_own_terminal

    forget_own_terminal(os.environ)  # before anything of the door is imported, and Textual with it
    # Imported now, so that it is set aside from garbage collection and the first to come in waits for no import.
    for module in ("looseends_client.plain.line_mode", "looseends_client.ssh.door_app"):
        importlib.import_module(module)
    from looseends_client.ssh.collecting import rare_full_collections
    from looseends_client.ssh.door import Door

    door = Door(folder, secret, connect, door_settings(config))
    with rare_full_collections():
        await door.listen(*where)
        try:
            yield door
        finally:
            await door.close()


def beside(config: Config, folder: Path) -> Beside | None:
    """Return what opens the door that a server is to have in its own process; None where it is to have none."""
    if not config.server.ssh:
        return None
    from looseends_server.config import ssh_endpoint

    where = ssh_endpoint(config.server.ssh, config.server.host) or (config.server.host, 0)

    @contextlib.asynccontextmanager
    async def door_beside(house: House) -> AsyncIterator[str]:
        from looseends_client.ssh.host_keys import KeysUnusable
        from looseends_server.hosting import HostingFailed, why_not_listening

        try:
            async with opened(folder, house.door_secret, in_memory(house), config, where) as door:
                yield line_of_welcome(door, *where)
        except KeysUnusable as error:
            raise HostingFailed(str(error)) from error
        except OSError as error:
            raise HostingFailed(why_not_listening(error, *where, "--ssh")) from error

    return door_beside


def in_memory(house: House) -> Callable[[str], Connector]:
    """Return what connects a person, by their address, to a house in this very process."""
    from looseends_server.memory_transport import connect_in_memory

    def connect(came_from: str) -> Connector:
        async def connector(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
            return connect_in_memory(house.connection(local=False, behind_proxy=(came_from, True)), make())

        return connector

    return connect


def line_of_welcome(door: Door, host: str, port: int) -> str:
    """Return where the door is open, its key's fingerprint, and the words to come in with."""
    import socket

    from looseends_server.hosting import EVERY_ADDRESS, joined

    reached = door.reached_under(host if host not in EVERY_ADDRESS else socket.gethostname())
    return f"SSH on {joined(host, door.port)}, host key {door.host_key_text}. Come in with: ssh {reached}"

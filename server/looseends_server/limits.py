"""Every limit of the house by name, with the default that is on and the reason for it.

What the wire allows (frame sizes, lengths of texts) is the protocol's and lives in `looseends_protocol.limits`.
"""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits that are in force. Seconds are real numbers, everything else whole."""

    handshake_seconds: float = 15.0
    """From a connection's first byte to its hello; longer is a port scanner or a stuck peer."""
    ping_seconds: float = 30.0
    """Silence after which the server asks whether the peer still lives."""
    silence_seconds: float = 75.0
    """Silence after which a connection is given up: two pings and a half."""
    send_queue_bytes: int = 256 * 1024
    """What may wait to be read by one peer: a late snapshot fits, minutes of not reading do not."""

    burst_messages: int = 10
    """Messages that may come at once; accepted acts on one's own turn are not counted."""
    messages_per_second: float = 5.0
    """How fast that allowance fills again."""
    strikes: int = 40
    """Messages refused as too fast, unreadable or unknown within `strike_seconds` that end a connection."""
    strike_seconds: float = 60.0
    """The time in which `strikes` are counted."""
    chat_lines: int = 5
    """Lines of talk within `chat_seconds`."""
    chat_seconds: float = 10.0
    """The time in which `chat_lines` are counted."""
    resyncs: int = 6
    """Whole tables sent within `resync_seconds` to one connection: each is kilobytes for a few bytes asked."""
    resync_seconds: float = 60.0
    """The time in which `resyncs` are counted."""

    connections: int = 10_000
    """Open connections of the whole house."""
    connections_per_address: int = 16
    """Open connections of one address (IPv6: of one /64)."""
    new_connections: int = 32
    """New connections of one address within `new_connection_seconds`; a resume with a valid token is not counted."""
    new_connection_seconds: float = 600.0
    """The time in which `new_connections` are counted."""
    limit_loopback: bool = False
    """Whether the address limits count for this machine too; off, because a door or a proxy comes from there."""

    tables: int = 2_000
    """Tables of the whole house."""
    tables_per_person: int = 5
    """Open tables that one person may have made."""
    spectators: int = 20
    """People who watch one table."""
    page_of_tables: int = 50
    """Tables on one page of the lobby."""
    lobby_seconds: float = 1.0
    """Least time between two pushes of the lobby, to whoever subscribed."""

    tries_per_address: int = 5
    """Wrong passwords a minute from one address before it has to wait, longer each time."""
    tries_per_table: int = 30
    """Wrong passwords a minute at one table, from wherever."""

    inbox: int = 64
    """Requests that may wait at one table while a commit runs; more are refused."""
    pending_requests: int = 8
    """Requests of one peer that may wait at its table."""
    workers: int = 0
    """Processes in which bots that search think; 0 for one less than the machine has cores, but one at least."""
    waiting_thoughts: int = 4_096
    """Decisions and hints that may wait for a worker: a bot's is asked for again a little later, a hint refused."""
    thought_cpu_seconds: float = 2.0
    """CPU of its own that a worker has for one decision before it takes the best so far; an ordinary one takes 0.2."""
    thought_seconds: float = 60.0
    """Time after which a worker that has not answered counts as hanging, however busy the machine is."""
    worker_idle_seconds: float = 120.0
    """Time without a question after which a worker ends; to start one takes a twentieth of a second."""

    chat_kept: int = 50
    """Lines of talk a table remembers for those who come later."""


class Pace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a table waits for what, in seconds."""

    nonce_seconds: float = 5.0
    """For the nonces of the persons present before a deal ([F1])."""
    ready_seconds: float | None = 20.0
    """For everybody to be ready for the next round; None waits for them however long."""
    away_seconds: float = 45.0
    """Before a bot plays for somebody who is away, where no turn clock says otherwise."""
    host_seconds: float = 60.0
    """Before the host's rights pass from somebody who is away."""
    unseat_seconds: float = 120.0
    """Before a seat is given up by somebody who is away from a table that has not started."""
    follow_seconds: float = 15.0
    """For somebody whose new connection took over to come back to the table, before they are missed there."""
    restart_grace_seconds: float = 30.0
    """The least time that a seat on turn has after a restart."""
    retry_seconds: float = 2.0
    """Between two tries to write again after a write has failed."""
    forget_gathering_seconds: float = 3600.0
    """A table that never started is forgotten after this long without anybody there."""
    forget_over_seconds: float = 7 * 86400.0
    """A finished table is forgotten after this long without anybody there."""
    forget_unfinished_seconds: float = 60 * 86400.0
    """An unfinished game is forgotten after this long without anybody there."""
    forget_guest_seconds: float = 365 * 86400.0
    """An identity that holds no seat is forgotten after this long without a hello."""


class ServerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host sets: the house's name, the hash of its password (empty: none), limits and pace.

    `rated` says whether finished games change ratings. `insecure` lets tokens and passwords travel over plain TCP
    from other machines, where anybody on the way can read them.
    """

    name: str = "No Loose Ends"
    password_hash: str = ""
    insecure: bool = False
    limits: Limits = Limits()
    pace: Pace = Pace()
    rated: bool = True

"""What a table needs only a look at now and then: empty seats, a host who is gone, sleep.

The house looks once a second. Whatever has to happen at its very moment is in `turns`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from looseends_server.facts import FellAsleep, HostPassed, SeatEmptied

if TYPE_CHECKING:
    from looseends_server.table import Table


def look_after(table: Table) -> None:
    """Do the first thing that is due; another look follows in a second."""
    _miss_those_who_did_not_follow(table)
    if table.frozen or table.is_writing:
        return
    if not table.anybody_present:
        _note_sleep(table)
    elif not _free_a_seat(table):
        _pass_host(table)


def _miss_those_who_did_not_follow(table: Table) -> None:
    """Tell of persons whose new connection took over from an older one and never came to the table."""
    now = table.house.clock.monotonic()
    for seat, until in list(table.expected.items()):
        if now >= until:
            del table.expected[seat]
            if table.present[seat] is None:
                table.tell_of_loss(seat)


def _note_sleep(table: Table) -> None:
    if table.state.asleep_at is None:
        table.commit([FellAsleep(table.asleep_since)], lambda: None)


def _free_a_seat(table: Table) -> bool:
    """Free the seat of somebody who is gone from a table that has not started; return whether one was."""
    if table.state.stage != "gathering":
        return False
    for seat in range(len(table.state.seats)):
        if _is_missed(table, seat, table.house.settings.pace.unseat_seconds):
            name = table.name_at(seat)

            def announce(name: str = name) -> None:
                table.announce_seats()
                table.system_says(f"{name} was away for long; the seat is free again.")

            table.commit([SeatEmptied(seat)], announce)
            return True
    return False


def _is_missed(table: Table, seat: int, seconds: float) -> bool:
    absent = table.house.clock.monotonic() - table.turns.absent_since[seat]
    return table.state.seats[seat].kind == "person" and table.present[seat] is None and absent > seconds


def _pass_host(table: Table) -> None:
    """Pass the host's rights, where their holder is gone, to the person who has sat here longest, of those present."""
    state = table.state
    host = state.seat_of(state.host) if state.host is not None else None
    if host is not None and not _is_missed(table, host, table.house.settings.pace.host_seconds):
        return
    present = [seat for seat, connection in enumerate(table.present) if connection is not None]
    heir = min(present, key=lambda seat: state.seats[seat].since)
    identity = state.seats[heir].identity
    if identity is None or identity == state.host:
        return
    name = state.seats[heir].name

    def announce() -> None:
        table.announce_seats()
        table.system_says(f"{name} is the host now.")

    table.commit([HostPassed(identity)], announce)

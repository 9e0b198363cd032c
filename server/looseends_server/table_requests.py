"""What each request at a table leads to: the guards, then facts or a refusal.

One function a message. Each is called with the table idle, so what it sees is what its facts will meet. The rules of
the game are the core's: `decide` is asked, never copied.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from looseends_core.decide import IllegalAction, decide
from looseends_core.shuffle import NONCE_BYTES
from looseends_protocol.errors import ERRORS
from looseends_protocol.messages import (
    Act,
    AskHint,
    BeReady,
    Detached,
    GetRecord,
    GiveNonce,
    LeaveTable,
    LookAt,
    RecordText,
    Request,
    Resync,
    Say,
    SeatBot,
    StartGame,
    StepAway,
    Unseat,
)
from looseends_protocol.people_text import chat_line
from looseends_server import snapshots
from looseends_server.allowance import Window
from looseends_server.facts import BotSeated, Fact, HostPassed, NonceKept, PersonLeft, ReadyGiven, SeatEmptied
from looseends_server.facts import Happened as HappenedFact
from looseends_server.shared_replay import look_at

if TYPE_CHECKING:
    from looseends_server.connection import Connection
    from looseends_server.table import Table

log = structlog.get_logger()


def take(connection: Connection, message: Request) -> None:
    """Answer a request that is for the table its sender is at, now or when its turn has come."""
    table = connection.table
    if table is None:
        _refuse(connection, message, "table/not_here")
        return

    if table.is_idle:
        try:
            _answer(table, connection, message)
        except Exception:
            _fault(table, connection, message)
    else:
        ask(table, connection, message, partial(_answer, table, connection, message))


def _answer(table: Table, connection: Connection, message: Request) -> None:
    if connection.table is not table:
        _refuse(connection, message, "table/not_here")
    elif table.state.options.replay and type(message) not in AT_A_REPLAY:
        _refuse(connection, message, "replay/shown")
    elif not table.frozen:
        HANDLERS[type(message)](table, connection, message)
    elif isinstance(message, LeaveTable):
        step_away(table, connection, StepAway(message.id))
    elif type(message) in WHILE_FROZEN:
        HANDLERS[type(message)](table, connection, message)
    else:
        _refuse(connection, message, table.frozen)


def _fault(table: Table, connection: Connection, message: Request) -> None:
    log.exception("request failed", table=table.code, request=type(message).__name__)
    connection.refuse(message.id, "server/fault")


def ask(table: Table, connection: Connection, message: Request, job: Callable[[], None]) -> None:
    """Do a job for a request at a table when its turn has come; the request is answered whatever happens."""
    if table.inbox_full or connection.pending >= table.house.settings.limits.pending_requests:
        _refuse(connection, message, "table/busy", retry_after=1)
        return
    connection.pending += 1

    def answered() -> None:
        connection.pending -= 1
        if connection.closing:
            return
        if table.closed:
            _refuse(connection, message, "table/closed")
        else:
            try:
                job()
            except Exception:
                _fault(table, connection, message)

    table.submit(answered, closed_too=True)


def _refuse(connection: Connection, message: Request, error: str, retry_after: int = 0) -> None:
    """Refuse a request; an action cost nothing so far, so that one is charged now."""
    if isinstance(message, Act):
        connection.charge(message.id, error)
    else:
        connection.refuse(message.id, error, retry_after=retry_after)


def _cannot_save(connection: Connection, request: int) -> Callable[[], None]:
    return partial(connection.refuse, request, "server/cannot_save")


def act(table: Table, connection: Connection, message: Act) -> None:
    """Take an action for the seat on turn; anything else is refused by name and changes nothing."""
    state = table.state
    seat = connection.seat
    error = ""
    if seat is None:
        error = "table/not_seated"
    elif state.stage == "gathering":
        error = "table/not_started"
    elif message.game != state.game or message.number != state.play.number:
        error = "action/stale"
    if error or seat is None:
        connection.charge(message.id, error)
        return
    try:
        events = tuple(decide(state.play, seat, message.action))
    except IllegalAction as illegal:
        connection.refuse_act(message.id, illegal.refusal)
        return

    def announce() -> None:
        connection.done(message.id)
        table.announce_events(events)

    table.commit((HappenedFact(events),), announce, _cannot_save(connection, message.id))


def ask_hint(table: Table, connection: Connection, message: AskHint) -> None:
    """Think of a hint for the seat on turn."""
    table.hints.ask(connection, message)


def give_nonce(table: Table, connection: Connection, message: GiveNonce) -> None:
    """Keep a seat's nonce for the round to be dealt; the first one counts ([F1])."""
    state = table.state
    seat = connection.seat
    number = state.play.round + 1
    asked = seat is not None and state.stage == "dealing" and message.round == number and not state.deals
    if seat is None or not asked or seat in state.proofs[number].nonces or len(message.nonce) != NONCE_BYTES:
        connection.refuse(message.id, "nonce/not_asked")
        return
    table.commit(
        [NonceKept(seat, message.nonce)], lambda: connection.done(message.id), _cannot_save(connection, message.id)
    )


def be_ready(table: Table, connection: Connection, message: BeReady) -> None:
    """Note that a seat wants the next round, or a rematch; saying it twice is harmless."""
    state = table.state
    seat = connection.seat
    if seat is None:
        connection.refuse(message.id, "table/not_seated")
        return
    asked = state.stage == "between" or (state.stage == "over" and not state.deals)
    if not asked or message.round != state.play.round:
        connection.refuse(message.id, "ready/not_asked")
        return
    if seat in state.ready:
        connection.done(message.id)
        return

    def announce() -> None:
        connection.done(message.id)
        table.announce_ready()

    table.commit([ReadyGiven(seat)], announce, _cannot_save(connection, message.id))


def say(table: Table, connection: Connection, message: Say) -> None:
    """Show a person's line to the table, made harmless first."""
    person = connection.person
    assert person is not None
    limits = table.house.settings.limits
    clock = table.house.clock.monotonic()
    window = person.chat_window = person.chat_window or Window(limits.chat_lines, limits.chat_seconds)
    text = chat_line(message.text)
    if connection.seat is None and not table.state.options.spectators_talk:
        connection.refuse(message.id, "chat/off")
    elif person.muted:
        connection.refuse(message.id, "chat/muted")
    elif not text:
        connection.refuse(message.id, "chat/empty")
    elif not window.admits(clock):
        connection.refuse(message.id, "chat/too_fast", retry_after=window.seconds_left(clock))
    else:
        connection.done(message.id)
        table.say(text, person.name, connection.seat)


def resync(table: Table, connection: Connection, message: Resync) -> None:
    """Send the whole table again."""
    now = table.house.clock.monotonic()
    if not connection.resync_window.admits(now):
        connection.refuse(message.id, "session/too_fast", retry_after=connection.resync_window.seconds_left(now))
        return
    connection.send(snapshots.attending(table, message.id, connection.seat, message.game, message.since))


def get_record(table: Table, connection: Connection, message: GetRecord) -> None:
    """Send the record of the rounds that are over."""
    now = table.house.clock.monotonic()
    if not connection.resync_window.admits(now):
        connection.refuse(message.id, "session/too_fast", retry_after=connection.resync_window.seconds_left(now))
        return
    text = snapshots.record_text(table)
    if text is None:
        connection.refuse(message.id, "record/none")
    else:
        connection.send(RecordText(message.id, text))


def step_away(table: Table, connection: Connection, message: StepAway) -> None:
    """Let a person go back to the lobby and keep their seat."""
    seat = connection.seat
    led = table.is_led_by(connection)
    table.detach(connection)
    connection.done(message.id)
    if led:
        table.house.close_table(table, lambda error: None)
    elif seat is not None:
        table.announce_seats()
        table.system_says(f"{table.name_at(seat)} went to the lobby.")


def leave(table: Table, connection: Connection, message: LeaveTable) -> None:
    """Let a person leave for good: before a game the seat is open again, in one a bot keeps it.

    A deal of the day, which nobody gets twice, waits for them instead.
    """
    if table.state.is_daily and table.state.running:
        step_away(table, connection, StepAway(message.id))
        return
    seat = connection.seat
    if seat is None:
        step_away(table, connection, StepAway(message.id))
        return
    name = table.name_at(seat)
    facts: list[Fact] = [PersonLeft(seat, "left") if table.state.running else SeatEmptied(seat)]
    hosted = _host_passes_from(table, seat)
    facts += hosted

    def announce() -> None:
        table.detach(connection)
        connection.done(message.id)
        table.announce_seats()
        table.system_says(f"{name} left." + (f" A bot plays for {name}." if table.state.running else ""))
        if table.state.everybody_left:
            table.house.close_table(table, lambda error: None)
        elif hosted:
            table.system_says(f"{table.host_name()} is the host now.")

    table.commit(facts, announce, _cannot_save(connection, message.id))


def _host_passes_from(table: Table, seat: int) -> list[Fact]:
    """Return the fact that the host's rights pass from this seat, to the person seated longest, where it holds them."""
    seats = table.state.seats
    if seats[seat].identity != table.state.host:
        return []
    others = [
        (table.present[number] is None, at.since, at.identity)
        for number, at in enumerate(seats)
        if number != seat and at.kind == "person" and at.identity is not None and not at.away
    ]
    heir = min(others, default=None)
    return [HostPassed(heir[2])] if heir is not None else []


def _is_host(table: Table, connection: Connection, request: int) -> bool:
    person = connection.person
    if person is not None and table.state.host == person.identity:
        return True
    connection.refuse(request, "table/not_host")
    return False


def seat_bot(table: Table, connection: Connection, message: SeatBot) -> None:
    """Host: give an open seat to a bot."""
    if not _is_host(table, connection, message.id):
        return
    seats = table.state.seats
    if message.seat >= len(seats):
        connection.refuse(message.id, "table/no_such_seat")
    elif table.state.running:
        connection.refuse(message.id, "table/started")
    elif seats[message.seat].kind != "open":
        connection.refuse(message.id, "table/seat_taken")
    elif message.level not in table.house.levels:
        connection.refuse(message.id, "table/no_level")
    else:

        def announce() -> None:
            connection.done(message.id)
            table.announce_seats()

        table.commit([BotSeated(message.seat, message.level)], announce, _cannot_save(connection, message.id))


def unseat(table: Table, connection: Connection, message: Unseat) -> None:
    """Host: take a bot or a person off a seat; in a running game a bot takes a person's place."""
    if not _is_host(table, connection, message.id):
        return
    state = table.state
    if message.seat >= len(state.seats):
        connection.refuse(message.id, "table/no_such_seat")
        return
    at = state.seats[message.seat]
    gone = at.away == "removed" and state.running
    if at.kind == "open" or gone or at.identity == state.host:
        connection.refuse(message.id, "table/nobody_there")
        return
    if at.kind == "bot" and state.running:
        connection.refuse(message.id, "table/started")
        return
    name = table.name_at(message.seat)
    was_person = at.kind == "person"
    fact: Fact = PersonLeft(message.seat, "removed") if state.running else SeatEmptied(message.seat)

    def announce() -> None:
        removed = table.present[message.seat]
        if removed is not None:
            table.detach(removed)
            removed.send(Detached("table/removed", ERRORS["table/removed"]))
        connection.done(message.id)
        table.announce_seats()
        if was_person:
            table.system_says(f"{name} was removed." + (f" A bot plays for {name}." if table.state.running else ""))

    table.commit([fact], announce, _cannot_save(connection, message.id))


def start_game(table: Table, connection: Connection, message: StartGame) -> None:
    """Host: start the game, or after one the next, without waiting for everybody to be ready."""
    if not _is_host(table, connection, message.id):
        return
    if table.state.running or (table.state.deals and table.state.game):
        connection.refuse(message.id, "table/started")
    elif any(at.kind == "open" for at in table.state.seats):
        connection.refuse(message.id, "table/seats_open")
    else:
        table.turns.begin_game(lambda: connection.done(message.id), _cannot_save(connection, message.id))


HANDLERS: dict[type, Callable[[Table, Connection, Any], None]] = {
    Act: act,
    AskHint: ask_hint,
    BeReady: be_ready,
    GetRecord: get_record,
    GiveNonce: give_nonce,
    LeaveTable: leave,
    LookAt: look_at,
    Resync: resync,
    Say: say,
    SeatBot: seat_bot,
    StartGame: start_game,
    StepAway: step_away,
    Unseat: unseat,
}
"""The function of each message that is for the table its sender is at."""

WHILE_FROZEN = frozenset({GetRecord, LeaveTable, Resync, Say, StepAway})
"""What may still be asked of a table that stands still; leaving waits until it can be written."""

AT_A_REPLAY = WHILE_FROZEN | {LookAt}
"""What may be asked of a table at which a finished game is shown."""

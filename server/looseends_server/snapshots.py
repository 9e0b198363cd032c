"""A table as one reader may know it: seats, lobby lines and whole snapshots.

Everything that leaves a running round goes through `redact` here or in `Table.announce_events`, and nowhere else.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from looseends_core.events import GameEnded, RoundScored
from looseends_core.record import record_of, record_to_json
from looseends_core.redact import redact
from looseends_core.shuffle import commitment_of, nonces_of
from looseends_protocol.legal import legal_of
from looseends_protocol.messages import Attending, Proof, SeatHeld, SeatInfo, TableLine
from looseends_server.table_state import TableState

if TYPE_CHECKING:
    from looseends_server.table import Table


def name_of(state: TableState, seat: int) -> str:
    """Return the name of whoever sits there: a person's, or a bot's level with a number where it is not alone."""
    at = state.seats[seat]
    if at.kind != "bot":
        return at.name or f"seat {seat + 1}"
    same = [number for number, other in enumerate(state.seats) if other.kind == "bot" and other.level == at.level]
    place = same.index(seat)
    return at.level if place == 0 else f"{at.level} {place + 1}"


def seat_infos(table: Table) -> tuple[SeatInfo, ...]:
    """Return who sits where at the moment."""
    infos: list[SeatInfo] = []
    for number, seat in enumerate(table.state.seats):
        if seat.kind == "open":
            infos.append(SeatInfo("open"))
        elif seat.kind == "bot":
            infos.append(SeatInfo("bot", name_of(table.state, number), seat.level, connected=True))
        else:
            connected = table.present[number] is not None or number in table.expected
            away = seat.away or ("" if connected else "lost")
            stand_in = table.turns.bot_plays_for(number)
            elsewhere = away == "lost" and _is_on_the_server(table, seat.identity)
            infos.append(SeatInfo("person", seat.name, "", connected, away, stand_in, elsewhere))
    return tuple(infos)


def _is_on_the_server(table: Table, identity: int | None) -> bool:
    person = table.house.people.by_identity(identity) if identity is not None else None
    return person is not None and person.connection is not None


def table_line(table: Table) -> TableLine:
    """Return the table as the lobby lists it."""
    state = table.state
    return TableLine(
        code=table.code,
        title=state.options.title,
        host=table.host_name(),
        rules=state.rules,
        options=state.options,
        phase=table.phase,
        open_seats=sum(state.is_free(seat) for seat in range(len(state.seats))),
        names=tuple(name_of(state, seat) for seat in range(len(state.seats)) if state.seats[seat].kind != "open"),
        needs_password=bool(state.password),
        watching=len(table.watchers),
    )


def seat_held(table: Table, seat: int) -> SeatHeld:
    """Return the table as a welcome names it to somebody who has a seat there."""
    return SeatHeld(table.code, table.state.options.title, seat, table.phase, table.state.play.turn == seat)


def attending(table: Table, request: int, seat: int | None, game: int, since: int) -> Attending:
    """Return the whole table for one reader; events from `since` on where the reader holds those before."""
    state = table.state
    start = since if game == state.game and 0 < since <= len(state.events) else 0
    on_turn = seat is not None and state.stage == "playing" and state.play.turn == seat
    dealing = state.proofs.get(state.play.round + 1) if state.stage == "dealing" else None
    wants = dealing is not None and seat is not None and seat not in dealing.nonces
    return Attending(
        answers=request,
        sequence=table.sequence,
        code=table.code,
        title=state.options.title,
        rules=state.rules,
        options=state.options,
        phase=table.phase,
        host=table.host_name(),
        seats=seat_infos(table),
        game=state.game,
        seat=seat,
        from_number=start,
        events=tuple(redact(event, seat) for event in state.events[start:]),
        proofs=_proofs(state),
        want_nonce=state.play.round + 1 if wants else 0,
        ready=tuple(sorted(state.ready)),
        ready_seconds=table.turns.ready_seconds_left(),
        clock=table.turns.clock_milliseconds(),
        legal=legal_of(state.play) if on_turn else None,
        chat=tuple(table.chat),
        watching=tuple(table.watchers.values()),
        missed_from=_missed_from(table, seat),
        looking_at=_looking_at(table),
    )


def _looking_at(table: Table) -> int | None:
    """Return the moment that is looked at where a finished game is shown: its end, until its host says otherwise."""
    if not table.state.options.replay:
        return None
    return table.state.play.number if table.looking_at is None else table.looking_at


def _missed_from(table: Table, seat: int | None) -> int | None:
    """Return the state number from which on the person of a seat has heard nothing, None where they have."""
    heard = table.heard_until[seat] if seat is not None else None
    if heard is None or heard[0] != table.state.game or heard[1] == table.state.play.number:
        return None
    return heard[1]


def _proofs(state: TableState) -> tuple[Proof, ...]:
    """Return commitments of all rounds, and what they hid of those that are over."""
    proofs: list[Proof] = []
    for proof in state.proofs.values():
        commitment = commitment_of(proof.secret)
        if proof.over:
            nonces = nonces_of([proof.nonces.get(seat) for seat in range(state.rules.players)])
            proofs.append(Proof(proof.round, commitment, proof.secret, nonces))
        else:
            proofs.append(Proof(proof.round, commitment))
    return tuple(proofs)


def record_text(table: Table) -> str | None:
    """Return the record of the rounds that are over as JSON text; None where there is none yet."""
    return record_of_rounds(table.state)


def record_of_rounds(state: TableState) -> str | None:
    """Return the record of the rounds of a table's game that are over, as JSON text; None where there is none yet."""
    ends = [at for at, event in enumerate(state.events) if isinstance(event, RoundScored)]
    if not ends:
        return None
    stop = ends[-1] + 1
    if stop < len(state.events) and isinstance(state.events[stop], GameEnded):
        stop += 1
    record = record_of(state.rules, state.names, state.events[:stop])
    return json.dumps(record_to_json(record), separators=(",", ":"), ensure_ascii=False)

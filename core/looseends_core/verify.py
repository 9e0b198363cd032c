"""Whether a record is right: every rule replayed, every number recomputed, every proof of a deal checked.

This is the answer to "was that game fair", so it trusts nothing in the record and raises nothing but what it
states. Files are opened elsewhere; bytes of a file come in here.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from typing import NoReturn

import msgspec

from looseends_core.actions import action_text
from looseends_core.cards import card_set
from looseends_core.decide import IllegalAction, IllegalDeal, deal_round, decide
from looseends_core.events import Event, GameEnded
from looseends_core.record import GameRecord, RecordFault, RoundRecord, record_from_json
from looseends_core.shuffle import commitment_of, shuffled_deal
from looseends_core.state import Phase, State, evolve


class Verdict(msgspec.Struct, frozen=True):
    """What `verify` found of one record.

    `line` counts from 1 in its file. `fault` is one sentence with its place, None where the record is right;
    `unproven` are the rounds, from 1, whose deal nothing proves.
    """

    line: int
    fault: str | None
    unproven: tuple[int, ...] = ()


def verify_lines(lines: Iterable[bytes]) -> Iterator[Verdict]:
    """Yield a verdict for each line that is not blank: the form of a `.jsonl` file."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield verify_text(line, number)


def verify_text(text: bytes, line: int = 1) -> Verdict:
    """Return the verdict on the bytes of one JSON object; never raises, whatever they are."""
    try:
        record = record_from_json(_decoded(text))
        check_record(record)
    except RecordFault as fault:
        return Verdict(line, str(fault))
    unproven = tuple(at for at, played in enumerate(record.rounds, 1) if played.fairness is None)
    return Verdict(line, None, unproven)


def _decoded(text: bytes) -> object:
    if text.startswith(codecs.BOM_UTF8):
        raise RecordFault("", "not JSON: it begins with a byte order mark, expected plain UTF-8")
    try:
        return json.loads(text.decode(), parse_constant=_refuse_constant, object_pairs_hook=_object_of)
    except RecordFault:
        raise
    except UnicodeDecodeError as error:
        raise RecordFault("", f"not JSON: byte {error.start} is not UTF-8") from error
    except RecursionError as error:
        raise RecordFault("", "not a record: lists or objects are nested too deep") from error
    except json.JSONDecodeError as error:
        raise RecordFault("", f"not JSON: {error.msg} at character {error.pos + 1}") from error
    except ValueError as error:
        raise RecordFault("", "not a record: a number in it has thousands of digits") from error


def _object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse what JSON leaves open: of two values under one key another reader might take the other."""
    written = dict(pairs)
    if len(written) < len(pairs):
        raise RecordFault("", "not a record: an object in it has the same key twice")
    return written


def _refuse_constant(constant: str) -> NoReturn:
    raise RecordFault("", f"not JSON: {constant} is no JSON number")


def check_record(record: GameRecord) -> None:
    """Raise RecordFault for the first thing in a record that is not right; return None where all of it is."""
    state = State(record.rules)
    ended: GameEnded | None = None
    for number, played in enumerate(record.rounds, 1):
        place = f"round {number}"
        _check_deal(place, state, played, number)
        for event in deal_round(state, played.deal):
            evolve(state, event)
        closing = _replay(place, state, played)
        ended = closing if isinstance(closing, GameEnded) else ended
        _check_round_end(place, state, played, last=number == len(record.rounds))
    _check_end(record, state, ended)


def _check_deal(place: str, state: State, played: RoundRecord, number: int) -> None:
    try:
        deal_round(state, played.deal)
    except IllegalDeal as error:
        raise RecordFault(place, str(error)) from error
    if played.fairness is None:
        return
    if played.commitment is not None and played.commitment != commitment_of(played.fairness.secret):
        raise RecordFault(place, "fairness: the commitment is not the SHA-256 of the secret")
    proven = shuffled_deal(state.rules, number, played.fairness, state.first)
    for seat, hand in enumerate(proven.hands):
        if card_set(hand) != card_set(played.hands[seat]):
            raise RecordFault(
                place, f"hands are not the deal of its secret and nonces: seat {seat} was dealt other cards"
            )
    if proven.first != played.first:
        raise RecordFault(
            place,
            f"first player {played.first} is not the draw of its secret and nonces: expected {proven.first}",
        )


def _replay(place: str, state: State, played: RoundRecord) -> Event | None:
    """Replay a round's actions; return the last event of it."""
    last: Event | None = None
    for at, (seat, action) in enumerate(played.actions):
        try:
            events = decide(state, seat, action)
        except IllegalAction as error:
            raise RecordFault(f"{place} action {at}", _refused(state, seat, action_text(action), error)) from error
        for last in events:
            evolve(state, last)
    return last


def _refused(state: State, seat: int, action: str, error: IllegalAction) -> str:
    if state.phase in (Phase.DEALING, Phase.OVER):
        return f"seat {seat} may not {action}: the round is over, expected no further action"
    if state.turn != seat:
        return f"seat {seat} may not {action}: expected seat {state.turn}, whose turn it is"
    return f"seat {seat} may not {action}: {error.refusal.sentence}"


def _check_round_end(place: str, state: State, played: RoundRecord, last: bool) -> None:
    over = state.phase in (Phase.DEALING, Phase.OVER)
    if over and played.delta is None:
        raise RecordFault(place, f"delta is missing: the round is over, expected {list(state.last_delta or ())}")
    if over and played.delta != state.last_delta:
        raise RecordFault(place, f"delta {_shown(played.delta or ())} should be {list(state.last_delta or ())}")
    if not over and played.delta is not None:
        raise RecordFault(place, f"not played out, but it has a delta: expected an action of seat {state.turn}")
    if not over and not last:
        raise RecordFault(place, f"not played out, but a round follows: expected an action of seat {state.turn}")


def _check_end(record: GameRecord, state: State, ended: GameEnded | None) -> None:
    rounds = f"{len(record.rounds)} of {record.rules.rounds} rounds"
    if ended is None:
        if record.scores is not None or record.winners is not None:
            given = "scores" if record.scores is not None else "winners"
            raise RecordFault("", f"{given} of an unfinished game: {rounds} are played, expected none")
        return
    if record.scores is None:
        raise RecordFault("", f"scores are missing: the game is over, expected {list(ended.scores)}")
    if record.scores != ended.scores:
        raise RecordFault("", f"scores {_shown(record.scores)} should be {list(ended.scores)}")
    if record.winners is None:
        raise RecordFault("", f"winners are missing: the game is over, expected {list(ended.winners)}")
    if record.winners != ended.winners:
        raise RecordFault("", f"winners {_shown(record.winners)} should be {list(ended.winners)}")


def _shown(numbers: tuple[int, ...]) -> str:
    """Return the numbers as a list, a huge one by its size: writing out thousands of digits is refused by Python."""
    return "[" + ", ".join(str(n) if n.bit_length() <= 256 else "a huge number" for n in numbers) + "]"

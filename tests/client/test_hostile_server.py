"""A server that tells what cannot be ends in a sentence: never in a crash, nor in a table that cannot be drawn."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.attendance import Attendance
from looseends_client.cards_text import ASCII_FACES
from looseends_client.drawing.hand import hand_rows
from looseends_client.drawing.hint import hint_rows
from looseends_client.drawing.log import log_rows
from looseends_client.drawing.rows import width_of
from looseends_client.drawing.scene import Scene
from looseends_client.drawing.seats import seat_columns, seat_lines
from looseends_client.drawing.sheet import final_rows, sheet_rows
from looseends_client.drawing.top import top_row
from looseends_client.drawing.trick import trick_rows
from looseends_client.drawing.tricks import tricks_rows
from looseends_client.event_order import can_follow
from looseends_client.table_model import Gap, Misfit, TableModel
from looseends_core.events import Event, GameEnded, RoundDealt, RoundScored
from looseends_core.rules import RuleSet, rule_set
from looseends_core.state import State, evolve
from looseends_protocol.messages import (
    Attending,
    Done,
    GameBegan,
    GiveNonce,
    Happened,
    JoinTable,
    Request,
    Resync,
    RoundCommitted,
    SeatInfo,
    SeatsChanged,
    StepAway,
)
from tests.client.games import any_game, attending, full_game, people, seen_by, until
from tests.client.scripted_server import ClientAt, ClientClock, Line, ScriptedServer, settled

RULES = rule_set(3, ["plan-b", "getaway", "double-cross"], rounds=2, hand_size=4)


def draw_everything(model: TableModel) -> None:
    """Draw each region and sheet, and see that every row is as wide as it has to be."""
    scene = Scene(model, ASCII_FACES)
    for width in (40, 80):
        scene.chosen = next(iter(scene.selectable), None)
        for rows in (
            [top_row(scene, width)],
            seat_columns(scene, width, 4),
            seat_lines(scene, width, 5),
            trick_rows(scene, width, 5),
            tricks_rows(scene, width, 8),
            log_rows(scene, width, 6),
            hint_rows(scene, width, 2),
            hand_rows(scene, width, 3),
        ):
            assert {width_of(row) for row in rows} == {width}
        sheet_rows(model, scene.faces, width)
        if model.state.winners is not None:
            final_rows(model, scene.faces, width)


@given(any_game())
def test_the_events_of_every_game_follow_each_other_for_every_reader(game: tuple[RuleSet, list[Event]]) -> None:
    rules, events = game
    for seat in (None, *range(rules.players)):
        state = State(rules)
        for event in seen_by(events, seat):
            assert can_follow(state, event), (seat, event)
            evolve(state, event)


@st.composite
def spoilt_games(draw: st.DrawFn) -> tuple[RuleSet, list[Event]]:
    """A game with events taken out, doubled, exchanged, and with other seats and cards."""
    rules, events = draw(any_game())
    for _ in range(draw(st.integers(1, 4))):
        if not events:
            break
        at = draw(st.integers(0, len(events) - 1))
        match draw(st.sampled_from(["out", "double", "exchange", "other seat", "other card", "from elsewhere"])):
            case "out":
                del events[at]
            case "double":
                events.insert(at, events[at])
            case "exchange":
                other = draw(st.integers(0, len(events) - 1))
                events[at], events[other] = events[other], events[at]
            case "other seat" if hasattr(events[at], "seat"):
                events[at] = msgspec.structs.replace(events[at], seat=draw(st.integers(0, 4)))
            case "other card" if hasattr(events[at], "card"):
                events[at] = msgspec.structs.replace(events[at], card=draw(st.integers(0, 63)))
            case _:
                elsewhere: list[Event] = [
                    GameEnded((1,) * 9, (4,)),
                    RoundScored(()),
                    RoundDealt(2, 4, (None,)),
                    RoundDealt(1, 0, ((63, 63),) * rules.players),
                ]
                events.insert(at, draw(st.sampled_from(elsewhere)))
    return rules, events


@given(spoilt_games(), st.data())
def test_whatever_order_events_come_in_the_table_can_be_drawn_or_is_refused(
    game: tuple[RuleSet, list[Event]], data: st.DataObject
) -> None:
    rules, events = game
    seat = data.draw(st.sampled_from([None, *range(rules.players)]))
    model = TableModel(lambda: 0.0)
    model.attend(attending(rules, (), seat))
    with contextlib.suppress(Misfit):
        for number, event in enumerate(seen_by(events, seat), 1):
            model.take(Happened(number, (event,)))
            draw_everything(model)


@pytest.mark.parametrize(
    "table",
    [
        msgspec.structs.replace(attending(RULES), seats=()),
        msgspec.structs.replace(attending(RULES), seats=people(5)),
        msgspec.structs.replace(attending(RULES), seat=3),
        msgspec.structs.replace(attending(RULES), seat=-1),
        msgspec.structs.replace(attending(RULES), rules=msgspec.structs.replace(RULES, players=9)),
        msgspec.structs.replace(attending(RULES), rules=msgspec.structs.replace(RULES, scoring="\x1b[2J")),
        msgspec.structs.replace(attending(RULES), rules=msgspec.structs.replace(RULES, variants=("chess",))),
    ],
)
def test_a_table_that_is_none_is_not_taken_over(table: Attending) -> None:
    with pytest.raises(Misfit):
        TableModel(lambda: 0.0).attend(table)


def test_seats_and_games_that_do_not_fit_the_table_are_refused() -> None:
    model = TableModel(lambda: 0.0)
    model.attend(attending(RULES))
    with pytest.raises(Misfit):
        model.take(SeatsChanged(1, (SeatInfo("open"),), "ann", "gathering"))
    model.attend(attending(RULES))
    with pytest.raises(Misfit):
        model.take(GameBegan(1, 2, rule_set(4)))


class Host:
    """A scripted server with one table, which it shows as a test says, and the attendance of one client there."""

    def __init__(self, shown: Sequence[Attending]) -> None:
        self.shown = list(shown)
        self.server = ScriptedServer()
        self.clock = ClientClock()
        self.at = ClientAt(self.server, self.clock)
        self.server.on_request = self._answer
        self.asked: list[Request] = []
        self.ends: list[str] = []

    def _answer(self, line: Line, request: Request) -> None:
        self.asked.append(request)
        if isinstance(request, JoinTable | Resync):
            shown = self.shown.pop(0) if len(self.shown) > 1 else self.shown[0]
            line.say(msgspec.structs.replace(shown, answers=request.id))
        else:
            line.say(Done(request.id))

    async def sit_down(self) -> Attendance:
        client = self.at.client
        await client.connect()
        attendance = Attendance(client, await client.request(JoinTable(0, "KITE"), Attending), lambda n: b"n" * n)
        attendance.on_detached = self.ends.append
        client.on_push = attendance.take
        return attendance

    def requests(self, kind: type[Request]) -> int:
        return sum(isinstance(request, kind) for request in self.asked)


async def test_an_event_that_cannot_be_is_asked_about_once_more_and_then_the_table_is_left() -> None:
    events = full_game(RULES)
    host = Host([attending(RULES, until(events, 3)), attending(RULES, [events[0], events[0]])])
    attendance = await host.sit_down()
    host.server.line.say(Happened(1, (seen_by(events, 0)[0],)))
    await settled()
    assert host.requests(Resync) == 1
    assert host.ends == [str(Misfit())]
    assert attendance.over
    assert host.requests(StepAway) == 1


async def test_a_server_that_thinks_better_of_it_is_forgiven() -> None:
    events = full_game(RULES)
    host = Host([attending(RULES, until(events, 3)), attending(RULES, until(events, 5), sequence=1)])
    attendance = await host.sit_down()
    host.server.line.say(Happened(1, (seen_by(events, 0)[0],)))
    await settled()
    assert host.ends == []
    assert attendance.model.state.number == 5


async def test_events_that_do_not_follow_what_is_held_are_asked_for_whole() -> None:
    events = full_game(RULES)
    host = Host(
        [
            attending(RULES, until(events, 3)),
            attending(RULES, until(events, 9), since=7),
            attending(RULES, until(events, 9), sequence=9),
        ]
    )
    attendance = await host.sit_down()
    host.server.line.say(Happened(5, ()))
    await settled()
    first, second = [request for request in host.asked if isinstance(request, Resync)]
    assert (first.since, second.since) == (3, 0)
    assert attendance.model.state.number == 9


async def test_a_server_that_never_stops_contradicting_itself_is_left() -> None:
    events = full_game(RULES)
    host = Host([attending(RULES, until(events, 3)), attending(RULES, until(events, 9), since=7)])
    await host.sit_down()
    host.server.line.say(Happened(5, ()))
    await settled()
    assert host.ends == [str(Misfit())]


async def test_a_second_commitment_for_the_same_round_gets_the_same_nonce_and_does_not_replace_the_first() -> None:
    host = Host([attending(RULES)])
    attendance = await host.sit_down()
    host.server.line.say(RoundCommitted(1, 1, b"a" * 32))
    host.server.line.say(RoundCommitted(2, 1, b"b" * 32))
    await settled()
    given = [request.nonce for request in host.asked if isinstance(request, GiveNonce)]
    assert given == [b"n" * 16] * 2
    assert attendance.model._rounds[1].commitment == b"a" * 32  # pyright: ignore[reportPrivateUsage]


async def test_a_gap_is_no_crash_either() -> None:
    model = TableModel(lambda: 0.0)
    model.attend(attending(RULES))
    with pytest.raises(Gap):
        model.take(Happened(9, ()))

"""The pictures of the README, drawn by the program itself at real tables: `make screenshots` writes docs/pictures/.

Chance comes from a seed, so the same code draws the same tables. It is no test: people look at what it makes.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec
import structlog
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.pilot import Pilot

from looseends_client.app import LooseEndsApp
from looseends_client.attendance import Attendance
from looseends_client.commands.school import school
from looseends_client.game_client import GameClient
from looseends_client.screens import score_sheet
from looseends_client.screens.lesson import LessonScreen
from looseends_client.settings import Settings
from looseends_client.starting import AppSettings, School, StartAlone, StartLobby
from looseends_client.visits import TableWish
from looseends_core.bots import LEVELS
from looseends_core.decide import coverable
from looseends_core.rules import PLAN_B, rule_set
from looseends_core.state import Phase
from looseends_protocol.messages import Attending, CreateTable, JoinTable, SeatBot, StartGame, TableOptions
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.memory_transport import connect_in_memory
from tests.server.peers import Peer, arrive

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
SEED = 11
_WEB_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts that a picture would fetch from elsewhere: any fixed-width font of the reader's does."""
LONGEST = 6000
"""Turns of the loop in which a wanted moment must come."""

Moment = Callable[[LooseEndsApp], bool]


def _at(fact: Callable[[Attendance], bool]) -> Moment:
    def holds(app: LooseEndsApp) -> bool:
        return app.attendance is not None and fact(app.attendance)

    return holds


def _planning(table: Attendance) -> bool:
    state = table.model.state
    return table.model.my_turn and state.phase is Phase.PLANNING and len(state.bids[0]) == 2


def _in_a_trick(table: Attendance) -> bool:
    state = table.model.state
    return table.model.my_turn and state.phase is Phase.PLAYING and len(state.trick) >= 2 and len(state.tricks) >= 4


def _choice_to_cover(table: Attendance) -> bool:
    state = table.model.state
    return table.model.my_turn and state.phase is Phase.COVERING and coverable(state).bit_count() >= 2


def _after_two_rounds(table: Attendance) -> bool:
    return len(table.model.state.results) == 2 and table.model.phase == "between"


class Picture(msgspec.Struct, frozen=True):
    """A picture: of which moment, in a window of which size, after which keys."""

    moment: Moment
    size: tuple[int, int] = (80, 24)
    keys: tuple[str, ...] = ()
    mono: bool = False
    lobby: bool = False
    menu: bool = False
    lesson: int = 0


PICTURES: dict[str, Picture] = {
    "menu": Picture(lambda app: True, menu=True),
    "lesson": Picture(lambda app: isinstance(app.screen, LessonScreen), keys=("g", "6", "enter"), menu=True, lesson=1),
    "lobby": Picture(lambda app: True, lobby=True),
    "planning": Picture(_at(_planning), keys=("right", "right")),
    "trick": Picture(_at(_in_a_trick), keys=("right",)),
    "cover": Picture(_at(_choice_to_cover)),
    "score-sheet": Picture(_at(_after_two_rounds), keys=("right", "right", "down")),
    "narrow": Picture(_at(_in_a_trick), size=(60, 20), keys=("right",)),
    "mono": Picture(_at(_in_a_trick), keys=("right",), mono=True),
    "large": Picture(_at(_in_a_trick), size=(160, 50), keys=("right",)),
}


class WithoutColour(LineFilter):
    """Leaves what a terminal without colour is sent: attributes alone."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(segment.text, self._plain(segment.style)) for segment in segments]

    def _plain(self, style: Style | None) -> Style:
        style = style or Style()
        return Style(
            color="#e0e0e0",
            bgcolor="#101010",
            bold=style.bold,
            dim=style.dim,
            italic=style.italic,
            underline=style.underline,
            reverse=style.reverse,
        )


class PhotographedApp(LooseEndsApp):
    """An app whose picture is as its terminal would show it."""

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = super().get_line_filters()
        return [*filters, WithoutColour()] if self.colour_depth == "mono" else filters


async def _others_at_tables(house: House) -> list[Peer]:
    """Let a few people open tables, one of which plays."""
    bob, _ = await arrive(house, "bob")
    options = TableOptions(title="Friday evening", clock_seconds=60)
    friday = await bob.expect(CreateTable(0, rule_set(4, [PLAN_B]), options), Attending)
    cy, _ = await arrive(house, "cy")
    await cy.expect(JoinTable(0, friday.code), Attending)
    dee, _ = await arrive(house, "dee")
    wish = CreateTable(0, rule_set(2, ["getaway"], rounds=5), TableOptions(absence="wait"))
    await dee.expect(wish, Attending)
    eve, _ = await arrive(house, "eve")
    locked = CreateTable(0, rule_set(5, ["double-cross"]), TableOptions(title="Club night"), password="sesame")
    await eve.expect(locked, Attending)
    fay, _ = await arrive(house, "fay")
    await fay.expect(CreateTable(0, rule_set(3), TableOptions(title="Lunch break", clock_seconds=30)), Attending)
    for seat in (1, 2):
        await fay.ask(SeatBot(0, seat, "steady"))
    await fay.ask(StartGame(0))
    return [bob, cy, dee, eve, fay]


async def _draw(name: str, picture: Picture) -> None:
    rng = random.Random(SEED)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    settings = ServerSettings(name="The back room", limits=Limits(burst_messages=1000))
    house = await House.open(None, settings, entropy=rng.randbytes)

    async def connect(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
        return connect_in_memory(house.connection(), make())

    others = await _others_at_tables(house) if picture.lobby else []
    client = GameClient(connect, name="ann")
    await client.connect()
    wish = TableWish(rule_set(4, [PLAN_B]), TableOptions(title="Friday", bots=0), ("steady", "rookie", "steady"))
    start: StartAlone | StartLobby = StartAlone(None if picture.menu else wish, picture.lesson)
    if picture.lobby:
        start = StartLobby(come_back="looseends join cards.example --name ann")
    own = Settings(trick_pause=0, colours="mono" if picture.mono else "true")
    lessons = School(lambda lesson: school(lesson, "ann"), pace=0)
    app = PhotographedApp(client, start, settings=AppSettings(own=own), entropy=rng.randbytes, school=lessons)
    score_sheet.KEYS_REST_SECONDS = 0.001
    async with app.run_test(size=picture.size) as pilot:
        await _until(app, pilot, picture.moment, rng)
        for key in picture.keys:
            await pilot.press(key)
        for _ in range(20):
            await pilot.pause()
        FOLDER.mkdir(parents=True, exist_ok=True)
        drawn = _WEB_FONTS.sub("", app.export_screenshot(title="No Loose Ends"))
        drawn = drawn.replace("<svg ", '<svg xml:space="preserve" ', 1)  # some viewers drop blanks otherwise
        (FOLDER / f"{name}.svg").write_text(drawn, encoding="utf-8")
        print(FOLDER / f"{name}.svg")
    await client.close()
    for other in others:
        other.close()
    await house.close()


async def _until(app: LooseEndsApp, pilot: Pilot[None], moment: Moment, rng: random.Random) -> None:
    """Play on until a moment comes."""
    ready = (0, 0)
    for _ in range(LONGEST):
        await pilot.pause()
        table = app.attendance
        if moment(app):
            return
        if table is None:
            continue
        if table.model.my_turn and table.model.phase == "playing":
            await table.act(LEVELS["steady"].choose(table.model.state, rng))
        elif table.model.phase in ("between", "over") and ready != (at := (table.model.game, table.model.state.round)):
            ready = at
            await table.be_ready()
    raise SystemExit("the moment never came")


def main() -> None:
    wanted = sys.argv[1:] or list(PICTURES)
    for name in wanted:
        drawing: Awaitable[None] = _draw(name, PICTURES[name])
        asyncio.run(drawing)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()

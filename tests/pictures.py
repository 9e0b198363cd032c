"""The pictures of the README, drawn by the program itself at a real table: `make pictures` writes docs/pictures/.

Chance comes from a seed, so the same code draws the same table. It is no test: people look at what it makes.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from pathlib import Path

from looseends_client.app import LooseEndsApp
from looseends_client.attendance import Attendance
from looseends_client.game_client import GameClient
from looseends_client.settings import Settings
from looseends_client.starting import AppSettings, StartAlone
from looseends_client.visits import TableWish
from looseends_core.bots import LEVELS
from looseends_core.rules import PLAN_B, rule_set
from looseends_core.state import Phase
from looseends_protocol.messages import TableOptions
from looseends_server.house import House
from looseends_server.limits import Limits, ServerSettings
from looseends_server.memory_transport import connect_in_memory

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
SEED = 11
_WEB_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts that a picture would fetch from elsewhere: any fixed-width font of the reader's does."""
LONGEST = 4000
"""Turns of the loop in which a wanted moment must come."""


def _in_a_trick(table: Attendance) -> bool:
    state = table.model.state
    return table.model.my_turn and state.phase is Phase.PLAYING and len(state.trick) >= 2 and len(state.tricks) >= 4


def _after_a_round(table: Attendance) -> bool:
    return bool(table.model.state.results) and table.model.phase == "between"


PICTURES: dict[str, tuple[Callable[[Attendance], bool], tuple[int, int]]] = {
    "trick": (_in_a_trick, (80, 24)),
    "score-sheet": (_after_a_round, (80, 24)),
}


async def _draw(name: str, wanted: Callable[[Attendance], bool], size: tuple[int, int]) -> None:
    rng = random.Random(SEED)
    house = await House.open(None, ServerSettings(limits=Limits(burst_messages=1000)), entropy=rng.randbytes)

    async def connect(make: Callable[[], asyncio.Protocol]) -> asyncio.Transport:
        return connect_in_memory(house.connection(), make())

    client = GameClient(connect, name="ann")
    await client.connect()
    wish = TableWish(rule_set(4, [PLAN_B]), TableOptions(title="Friday", bots=0), ("steady", "rookie", "steady"))
    app = LooseEndsApp(client, StartAlone(wish), settings=AppSettings(Settings(trick_pause=0)), entropy=rng.randbytes)
    async with app.run_test(size=size) as pilot:
        for _ in range(LONGEST):
            await pilot.pause()
            table = app.attendance
            if table is None:
                continue
            if wanted(table):
                break
            if table.model.my_turn and table.model.phase == "playing":
                await table.act(LEVELS["steady"].choose(table.model.state, rng))
        else:
            raise SystemExit(f"the moment of {name} never came")
        await pilot.press("right")
        await pilot.pause()
        FOLDER.mkdir(parents=True, exist_ok=True)
        drawn = _WEB_FONTS.sub("", app.export_screenshot(title="No Loose Ends"))
        (FOLDER / f"{name}.svg").write_text(drawn, encoding="utf-8")
        print(FOLDER / f"{name}.svg")
    await client.close()
    await house.close()


def main() -> None:
    for name, (wanted, size) in PICTURES.items():
        asyncio.run(_draw(name, wanted, size))


if __name__ == "__main__":
    main()

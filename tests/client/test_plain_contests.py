"""The deal of the day in lines: played once, compared, told in three lines, as are tables with the same cards."""

from __future__ import annotations

import re

import msgspec
import pytest

from looseends_client.plain.contests import contest_lines
from looseends_client.plain.new_table import NotATable, new_table
from looseends_client.plain.wording import Wording
from looseends_client.starting import StartAlone
from looseends_core.bots import LEVELS
from looseends_core.rules import rule_set
from looseends_protocol.messages import Contest, ContestLine
from looseends_server import contests
from tests.client.on_lines import on_lines
from tests.client.on_screen import opened

SHORT = rule_set(4, rounds=1, hand_size=4, max_bid=2)


async def test_the_deal_of_the_day_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contests, "daily_rules", lambda day: SHORT)
    async with opened() as (house, clock), on_lines(house, clock, StartAlone(None)) as on:
        house.levels = dict.fromkeys(contests.DAILY_LEVELS, LEVELS["rookie"])
        await on.type_until("contest", "How a contest went is shown to those who have finished")
        await on.type_until("daily", "Round 1")
        assert (await on.type("ready")) == ["Nobody waits for you to be ready."]
        for _ in range(60):
            (legal,) = await on.type("legal")
            cards = re.findall(r"[BRGY][0-9]+", legal)
            if legal.startswith("You may "):
                await on.type("pass" if "pass" in legal else cards[0])
            elif "over" in legal:
                break
            await on.clock.advance(1)
        told = await on.type("ready")
        assert told[0] == "The game is over: type contest for how others did with the same cards."
        told = await on.type_until("contest", "Deal of 20")
        assert told[0].startswith("Deal of 20")
        assert told[1].startswith("1: ann (you), score ")
        assert told[-3].startswith("No Loose Ends, deal of 20")
        assert told[-2].endswith("place 1 of 1")
        assert told[-1] in "*+o-"
        await on.type("leave")
        await on.type_until("daily", "You have played the deal of today")
        told = await on.type_until("contest", "1: ann (you)")
        assert told[0].startswith("Deal of 20")


async def test_a_table_of_its_own_cards_is_compared_with_none() -> None:
    async with opened() as (house, clock), on_lines(house, clock) as on:
        await on.type_until("new 2 bots rookie", "Round 1")
        assert await on.type("contest") == ["The cards of this table are dealt nowhere else."]


def test_a_line_asks_for_tables_with_the_same_cards() -> None:
    assert new_table("2 tables 3", (), (), alone=False).wish.copies == 3
    assert new_table("2", (), (), alone=False).wish.copies == 1
    for said in ("tables 0", "tables 9"):
        with pytest.raises(NotATable, match="tables is from 1 to 8"):
            new_table(said, (), (), alone=False)


def test_sides_are_told_before_the_seats() -> None:
    lines = (
        ContestLine(1, ("ann", "bob"), (9, 4), ((4, -1),), seat=0, number=1),
        ContestLine(2, ("dee", "bot:fox"), (3, 12), ((-2, 7),), number=2),
    )
    contest = Contest(1, "duplicate K7QP2MX0VD/1/2", rule_set(2, rounds=1), lines)
    told = contest_lines(contest, Wording("letters"))
    assert told[1:4] == [
        "Side A (you), ann and bot fox: +5.5 a table; by table +4, +7.",
        "Side B, bob and dee: -1.5 a table; by table -1, -2.",
        "Every side has held every hand: the luck of the cards is out of it.",
    ]
    half = contest_lines(msgspec.structs.replace(contest, lines=lines[:1]), Wording("letters"))
    assert half[1:4] == [
        "Side A (you), ann: +4.0 a table; by table +4, not over.",
        "Side B, bob: -1.0 a table; by table -1, not over.",
        "1 of 2 tables are over: when all are, every side has held every hand.",
    ]

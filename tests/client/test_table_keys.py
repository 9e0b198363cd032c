"""What keys and clicks do at the table: which action they ask for, and what they say where they ask for none."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from looseends_client.cards_text import card_text
from looseends_client.drawing.rows import width_of
from looseends_client.screens.menu import MenuScreen
from looseends_client.screens.page import Question, TextPage
from looseends_client.screens.score_sheet import ScoreSheet
from looseends_client.screens.table import TableScreen
from looseends_client.settings import Settings
from looseends_client.starting import AppSettings
from looseends_client.widgets.whole_table import WholeTable
from looseends_core.actions import DOUBLE_CROSS, PASS, Bid, Play
from looseends_core.cards import SUIT_OF, cards_in, name
from looseends_core.decide import why_not
from looseends_core.rules import rule_set
from looseends_core.state import Phase
from looseends_protocol.messages import StepAway
from tests.client.on_screen import OnScreen, alone

TRICKS = rule_set(3, rounds=6, hand_size=8, max_bid=1)


def typed(card: int) -> list[str]:
    """Return the keys that name a card."""
    return list("x" if name(card).startswith("X") else name(card).lower())


async def in_a_trick(on: OnScreen, *, refused: bool = False) -> None:
    """Play until it is our turn in a trick; with `refused`, until a card of ours may not be played."""

    def fact() -> bool:
        model = on.model
        if not (model.my_turn and model.state.phase is Phase.PLAYING and model.state.trick):
            return False
        return not refused or bool(forbidden(on))

    await on.play_until(fact)


def forbidden(on: OnScreen) -> list[int]:
    assert on.model.seat is not None
    allowed = on.screen.scene.choosable
    return [card for card in cards_in(on.model.state.hands[on.model.seat]) if not allowed >> card & 1]


class TestPlanning:
    async def test_arrows_choose_and_enter_bids(self) -> None:
        async with alone() as on:
            await on.watch_out()
            cards = on.screen.scene.selectable
            await on.press("right")
            assert on.screen.scene.chosen == cards[0]
            await on.press("right", "tab", "left")
            assert on.screen.scene.chosen == cards[1]
            await on.press("enter")
            assert on.acted == [Bid(cards[1])]

    async def test_of_keys_that_arrive_together_none_overtakes_another(self) -> None:
        async with alone() as on:
            await on.watch_out()
            first, second = on.screen.scene.selectable[:2]
            for key in ("right", "right", "enter", *typed(first)):
                on.strike(key)
            await on.settle()
            assert on.acted == [Bid(second)]
            await on.watch_out()
            for key in ("right", "backspace", *typed(first), "enter"):
                on.strike(key)
            await on.settle()
            assert on.acted == [Bid(second), Bid(first)]

    async def test_the_first_enter_only_chooses(self) -> None:
        async with alone() as on:
            await on.watch_out()
            await on.press("enter")
            assert on.acted == []
            assert on.screen.scene.chosen == on.screen.scene.selectable[0]

    async def test_a_card_is_chosen_by_its_name(self) -> None:
        async with alone() as on:
            await on.watch_out()
            hand = on.screen.scene.selectable
            for card in hand:
                await on.press(*typed(card))
                assert on.screen.scene.chosen == card
            await on.press("enter")
            assert on.acted == [Bid(hand[-1])]

    async def test_a_card_that_is_not_held_is_said_so(self) -> None:
        async with alone() as on:
            await on.watch_out()
            hand = on.screen.scene.selectable
            missing = next(card for card in range(12) if card not in hand)
            await on.press(*typed(missing))
            if on.screen.scene.chosen is None:
                assert f"{name(missing)} is not in your hand." in on.text

    async def test_p_passes(self) -> None:
        async with alone() as on:
            await on.watch_out()
            await on.press("p")
            assert on.acted == [PASS]
            await on.until(lambda: 0 in on.model.state.passed)

    async def test_p_out_of_turn_says_why_not(self) -> None:
        async with alone(bots=5000) as on:
            await on.until(lambda: on.model.state.turn not in (None, 0), seconds=0)
            await on.press("p")
            assert on.acted == []
            assert on.screen.scene.answer

    async def test_two_enters_ask_once(self) -> None:
        async with alone() as on:
            await on.watch_out()
            await on.press("right")
            card = on.screen.scene.chosen
            assert card is not None
            for _ in range(3):
                on.strike("enter")
            await on.settle()
            assert on.acted.count(Bid(card)) == 1


class TestDoubleCross:
    RULES = rule_set(2, ["double-cross"], rounds=1, hand_size=6)

    @asynccontextmanager
    async def _with_a_bid(self) -> AsyncIterator[OnScreen]:
        """A round in which the other one has not passed yet, wherever chance has it so."""
        for seed in range(1, 20):
            async with alone(self.RULES, bots=5000, seed=seed) as on:
                await on.watch_out()
                await on.press("right", "enter")
                await on.until(lambda on=on: on.model.my_turn and on.model.state.bids[0])  # type: ignore[misc]
                if why_not(on.model.state, 0, DOUBLE_CROSS) is None:
                    yield on
                    return
        raise AssertionError("the other one always passes first")

    async def test_is_asked_about_and_done_on_yes_with_nothing_else(self) -> None:
        async with self._with_a_bid() as on:
            before = len(on.acted)
            await on.press("d")
            assert isinstance(on.app.screen, Question)
            await on.until_shown("Double-cross: take back your bid card and snitch?")
            await on.press("enter")
            assert on.acted[before:] == [DOUBLE_CROSS]
            assert isinstance(on.app.screen, TableScreen)

    @pytest.mark.parametrize("key", ["p", "escape", "d", "b"])
    async def test_any_other_key_is_no_and_reaches_nothing_below(self, key: str) -> None:
        async with self._with_a_bid() as on:
            before, chosen = len(on.acted), on.screen.scene.chosen
            await on.press("d", key)
            assert on.acted[before:] == []
            assert on.screen.scene.chosen == chosen
            assert on.screen.scene.typed == ""

    async def test_without_a_bid_it_says_why_not(self) -> None:
        async with alone(self.RULES) as on:
            await on.watch_out()
            await on.press("d")
            assert isinstance(on.app.screen, TableScreen)
            assert on.screen.scene.answer
            assert on.acted == []


class TestTricks:
    async def test_a_card_that_may_not_be_played_says_why_and_is_not_asked_for(self) -> None:
        async with alone(TRICKS) as on:
            await in_a_trick(on, refused=True)
            card = forbidden(on)[0]
            reason = why_not(on.model.state, 0, Play(card))
            assert reason is not None
            before = len(on.acted)
            await on.press(*typed(card))
            assert on.screen.scene.chosen == card
            assert reason.sentence in on.text
            await on.press("enter")
            assert reason.sentence in on.text
            assert on.acted[before:] == []

    async def test_arrows_go_through_legal_cards_alone(self) -> None:
        async with alone(TRICKS) as on:
            await in_a_trick(on, refused=True)
            legal = set(on.screen.scene.selectable)
            seen = set()
            for _ in range(10):
                await on.press("right")
                seen.add(on.screen.scene.chosen)
            assert seen == legal

    async def test_the_hint_says_what_the_chosen_card_would_do(self) -> None:
        async with alone(TRICKS) as on:
            await in_a_trick(on)
            await on.press("right")
            card = on.screen.scene.chosen
            assert card is not None
            assert any(line.lstrip().startswith(card_text(card)) for line in on.lines)

    async def test_the_last_trick_is_shown_until_any_key(self) -> None:
        async with alone(TRICKS) as on:
            await in_a_trick(on)
            await on.play_until(lambda: len(on.model.state.tricks) >= 1 and on.model.my_turn)
            trick = on.model.state.tricks[-1]
            before = len(on.acted)
            await on.press("u")
            assert on.held() == trick
            await on.press("z")
            assert on.held() is None
            await on.press("u", "enter")
            assert on.held() is None
            assert on.acted[before:] == []


class TestTheTrickPause:
    SETTINGS = AppSettings(Settings(trick_pause=1000))

    async def _held(self, on: OnScreen) -> None:
        await on.play_until(lambda: on.held() is not None and on.model.my_turn)

    @pytest.mark.parametrize("key", ["enter", "z", "left", "1"])
    async def test_a_finished_trick_lies_until_any_key_which_does_nothing_else(self, key: str) -> None:
        async with alone(TRICKS, settings=self.SETTINGS) as on:
            await self._held(on)
            before = len(on.acted)
            assert "any key" in on.text
            await on.press(key)
            assert on.held() is None
            assert on.acted[before:] == []

    async def test_the_game_goes_on_behind_it(self) -> None:
        async with alone(TRICKS, settings=self.SETTINGS) as on:
            await self._held(on)
            shown = on.held()
            await on.play_until(lambda: len(on.model.state.tricks) >= 3)
            assert on.held() == on.model.state.tricks[-1] != shown


class TestChoosingAhead:
    async def _while_another_thinks(self, on: OnScreen) -> tuple[int, int]:
        """Wait until a suit is led that we hold and another is on turn; return a card that follows and another.

        Time stands still then.
        """
        for _ in range(400):
            await on.settle()
            state = on.model.state
            lead = state.lead_suit() if state.phase is Phase.PLAYING else None
            if lead is not None and state.turn not in (0, None) and all(seat for seat, _ in state.trick):
                hand = list(cards_in(state.hands[0]))
                follows = [card for card in hand if SUIT_OF[card] == lead]
                others = [card for card in hand if SUIT_OF[card] != lead]
                if follows and others:
                    return follows[0], others[0]
            if on.model.my_turn:
                await on.table.act(on.rng.choice(on.model.legal()))
            elif on.model.phase == "between" and 0 not in on.model.ready:
                await on.table.be_ready()
            await on.clock.advance(0.2)
        raise AssertionError("it never came to that")

    async def test_a_legal_card_is_played_as_soon_as_it_is_our_turn(self) -> None:
        async with alone(TRICKS, bots=400) as on:
            card, _ = await self._while_another_thinks(on)
            before = len(on.acted)
            await on.press(*typed(card), "enter")
            assert on.screen.scene.ahead == card
            assert f"On your turn you play {card_text(card)}" in on.text
            assert on.acted[before:] == []
            await on.until(lambda: on.acted[before:], seconds=0.1)
            assert on.acted[before:] == [Play(card)]

    async def test_one_that_may_not_be_played_then_is_told_of_and_kept(self) -> None:
        async with alone(TRICKS, bots=400) as on:
            _, card = await self._while_another_thinks(on)
            before = len(on.acted)
            await on.press(*typed(card), "enter")
            await on.until(lambda: on.model.my_turn, seconds=0.1)
            await on.settle()
            assert on.acted[before:] == []
            assert on.screen.scene.ahead is None
            assert "Not played: " in on.text

    async def test_enter_again_takes_it_back(self) -> None:
        async with alone(TRICKS, bots=400) as on:
            card, _ = await self._while_another_thinks(on)
            before = len(on.acted)
            await on.press(*typed(card), "enter", "enter")
            assert on.screen.scene.ahead is None
            await on.until(lambda: on.model.my_turn, seconds=0.1)
            await on.settle()
            assert on.acted[before:] == []


class TestOtherScreens:
    async def test_scores_rules_and_keys_open_and_close(self) -> None:
        async with alone() as on:
            await on.watch_out()
            for key, kind, text in (
                ("s", ScoreSheet, "score sheet"),
                ("i", TextPage, "At this table"),
                ("question_mark", TextPage, "double-cross"),
            ):
                await on.press(key)
                assert isinstance(on.app.screen, kind)
                assert text in on.text
                await on.press("q")
                assert isinstance(on.app.screen, TableScreen)
            assert on.acted == []

    async def test_talk_among_bots_says_that_nobody_is_there(self) -> None:
        async with alone() as on:
            await on.press("t")
            assert "There is nobody to talk to" in on.text

    async def test_leaving_asks_and_keeps_the_game(self) -> None:
        async with alone() as on:
            await on.watch_out()
            await on.press("q")
            await on.until_shown("the game is kept")
            await on.press("escape")
            assert isinstance(on.app.screen, TableScreen)
            await on.press("q", "enter")
            assert isinstance(on.app.screen, MenuScreen)
            assert len(on.asked(StepAway)) == 1
            assert "Go on with your game" in on.text
            await on.press("g")
            await on.until(lambda: isinstance(on.app.screen, TableScreen))
            assert on.model.state.round == 1


class TestTheMouse:
    async def test_a_click_chooses_and_a_second_one_plays(self) -> None:
        async with alone() as on:
            await on.watch_out()
            card = on.screen.scene.selectable[2]
            hand = on.screen.query_one(WholeTable)
            x, y = next(
                (width_of(row[:place]), y)
                for y, row in enumerate(hand.rows(*hand.size))
                for place, span in enumerate(row)
                if span.card == card and span.text.strip()
            )
            await on.pilot.click(hand, offset=(x, y))
            await on.settle()
            assert on.screen.scene.chosen == card
            assert on.acted == []
            await on.pilot.click(hand, offset=(x, y), times=2)
            await on.settle()
            assert on.acted == [Bid(card)]

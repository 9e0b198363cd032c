"""A hint on the screen, and the coach's question: asked of a real server, answered by keys, late answers dropped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest

from looseends_client.screens.advised import costly_words
from looseends_client.screens.page import SureQuestion
from looseends_client.screens.table import TableScreen
from looseends_client.starting import StartAlone
from looseends_client.widgets.lines import Lines
from looseends_core.actions import PASS, Action, Bid, Play
from looseends_core.bots.thought import Thought, Weighed
from looseends_core.cards import SUIT_OF, cards_in, name
from looseends_core.decide import legal_actions
from looseends_core.rules import RuleSet, rule_set
from looseends_core.state import Phase, fold
from looseends_protocol.messages import AskHint, TableOptions, WeighedAction
from looseends_server.house import House
from looseends_server.mind_messages import Question
from looseends_server.minds import Ticket
from tests.client.on_screen import OnScreen, opened, seated_before_the_screen, wish
from tests.client.test_table_keys import typed

Think = Callable[[Question], Thought | None]
TRICKS = rule_set(3, rounds=1, hand_size=6, max_bid=1)
MANY_BIDS = rule_set(3, rounds=1, hand_size=6, max_bid=3)


class PlantedMinds:
    """Stands where worker processes would think: thoughts of a test's own, given when the test says so."""

    def __init__(self, think: Think) -> None:
        self._think = think
        self._held: list[Ticket] = []
        self.holds = False
        """Whether answers are held until they are given."""

    def ask(self, question: Question, then: Callable[[Thought | None], None]) -> Ticket:
        ticket = Ticket(question, then)
        if self.holds:
            self._held.append(ticket)
        else:
            asyncio.get_running_loop().call_soon(self._answer, ticket)
        return ticket

    def give(self) -> None:
        self.holds = False
        held, self._held = self._held, []
        for ticket in held:
            self._answer(ticket)

    def _answer(self, ticket: Ticket) -> None:
        ticket.give(self._think(ticket.question))


def best_is(rank: Callable[[Action], bool], *, ahead: float = 3.0, worlds: int = 96) -> Think:
    """Think that the first action of a kind is so many points better than each other."""

    def think(question: Question) -> Thought:
        legal = legal_actions(fold(question.rules, question.events))
        ordered = sorted(legal, key=lambda action: not rank(action))
        first, *others = (Weighed(action, 0.0, 0.2, worlds=worlds, wins=0.7) for action in ordered)
        return Thought(ordered[0], (msgspec.structs.replace(first, points=ahead), *others))

    return think


def is_pass(action: Action) -> bool:
    return action == PASS


@asynccontextmanager
async def at_a_table(
    think: Think,
    rules: RuleSet = TRICKS,
    *,
    coach: bool = False,
    hint: bool = True,
    bots: int = 0,
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[tuple[OnScreen, PlantedMinds]]:
    wished = msgspec.structs.replace(wish(rules), coach=coach, options=TableOptions("Friday", bots=bots, hint=hint))
    async with opened() as (house, clock):
        planted = PlantedMinds(think)
        plant(house, planted)
        async with seated_before_the_screen(house, clock, StartAlone(wished), size=size) as on:
            await on.until(lambda: isinstance(on.app.screen, TableScreen) and on.model.my_turn)
            yield on, planted


def plant(house: House, planted: PlantedMinds) -> None:
    house.minds.ask = planted.ask  # type: ignore[method-assign]


async def in_a_trick(on: OnScreen) -> None:
    """Play on until a card has to be played, and more than one may be."""
    await on.play_until(
        lambda: on.model.my_turn and on.model.state.phase is Phase.PLAYING and len(on.model.legal()) > 1
    )


def sentences(on: OnScreen) -> str:
    """Return the screen as running text."""
    return " ".join(on.text.replace("┃", " ").split())


# ── a hint ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_h_shows_the_action_why_and_how_sure() -> None:
    async with at_a_table(best_is(is_pass)) as (on, _):
        assert "h hint" in on.text
        await on.press("h")
        await on.until_shown("Clearly best, by 3 points.")
        assert "Pass and snitch" in on.text or "Pass" in on.text
        assert on.acted == []


async def test_a_hint_is_waited_for_in_sight() -> None:
    async with at_a_table(best_is(is_pass)) as (on, planted):
        planted.holds = True
        await on.press("h")
        assert "A hint is being thought of." in on.text
        planted.give()
        await on.until_shown("Clearly best")
        assert "being thought of" not in on.text


async def test_a_hint_makes_room_for_what_a_chosen_card_does_and_comes_back_without_a_second_question() -> None:
    async with at_a_table(best_is(is_pass)) as (on, _):
        await on.press("h")
        await on.until_shown("Clearly best")
        await on.press("right")
        assert "Clearly best" not in on.text
        await on.press("h")
        assert "Clearly best" in on.text
        assert len(on.asked(AskHint)) == 1
        await on.press("backspace")
        assert "Clearly best" not in on.text


async def test_a_hint_that_comes_after_the_move_is_not_shown() -> None:
    async with at_a_table(best_is(is_pass), MANY_BIDS) as (on, planted):
        planted.holds = True
        await on.press("h")
        await on.press("right", "enter")
        await on.until(lambda: len(on.acted) == 1)
        planted.give()
        await on.until(lambda: on.model.my_turn)
        assert "Clearly best" not in on.text
        assert "moved on" not in on.text
        await on.press("h")
        await on.until_shown("Clearly best")


async def test_out_of_turn_and_where_none_are_given_a_word_says_so() -> None:
    async with at_a_table(best_is(is_pass), hint=False) as (on, _):
        assert "h hint" not in on.text
        await on.press("h")
        await on.until_shown("This table gives no hints.")
        assert on.asked(AskHint) == []


async def test_a_hint_out_of_turn_is_refused_here_already() -> None:
    async with at_a_table(best_is(is_pass), bots=5000) as (on, _):
        await on.press("p")
        await on.until(lambda: not on.model.my_turn, seconds=0)
        await on.press("h")
        await on.until_shown("A hint is for your own turn.")
        assert on.asked(AskHint) == []


async def test_a_server_that_knows_none_says_so() -> None:
    async with at_a_table(lambda _: None) as (on, _):
        await on.press("h")
        await on.until_shown("No hint could be thought of just now")


async def test_a_long_hint_fits_the_smallest_table() -> None:
    async with at_a_table(best_is(is_pass), size=(60, 20)) as (on, _):
        await on.press("h")
        await on.until(lambda: "Clearly best, by 3 points." in sentences(on), seconds=0)


# ── the coach ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_coach_asks_before_a_costly_move_and_no_is_no() -> None:
    async with at_a_table(best_is(is_pass), coach=True) as (on, _):
        await on.press("right", "enter")
        await on.until(lambda: isinstance(on.app.screen, SureQuestion))
        assert "Are you sure? That costs you about 3 points on average. The coach would pass." in sentences(on)
        await on.press("n")
        assert isinstance(on.app.screen, TableScreen)
        assert on.acted == []


async def test_enter_does_not_answer_the_coach_and_yes_plays_once_and_does_nothing_else() -> None:
    async with at_a_table(best_is(is_pass), coach=True) as (on, _):
        await on.press("right")
        card = on.screen.scene.chosen
        assert card is not None
        await on.press("enter", "enter", "enter")
        assert isinstance(on.app.screen, SureQuestion)
        assert on.acted == []
        await on.press("y")
        await on.until(lambda: len(on.acted) == 1)
        assert on.acted == [Bid(card)]
        await on.press("y")
        assert len(on.acted) == 1, "y means nothing at the table"


@pytest.mark.parametrize("way", ["typed", "arrows", "mouse"])
async def test_whichever_way_a_card_is_played_the_coach_has_a_look(way: str) -> None:
    async with at_a_table(best_is(is_pass), coach=True) as (on, _):
        await on.press("p")
        if isinstance(on.app.screen, SureQuestion):
            await on.press("y")
        await in_a_trick(on)
        best = on.model.legal()[0]
        chosen = next(action for action in on.model.legal() if action != best)
        assert isinstance(chosen, Play)
        before = len(on.acted)
        if way == "typed":
            await on.press(*typed(chosen.card), "enter")
        elif way == "arrows":
            while on.screen.scene.chosen != chosen.card:
                await on.press("right")
            await on.press("enter")
        else:
            for again in (False, True):
                on.screen.post_message(Lines.CardClicked(chosen.card, again))
                await on.settle()
        await on.until(lambda: isinstance(on.app.screen, SureQuestion))
        assert len(on.acted) == before
        await on.press("y")
        await on.until(lambda: len(on.acted) == before + 1)
        assert on.acted[-1] == chosen


async def test_a_card_that_was_played_ahead_is_looked_at_too() -> None:
    ahead: list[int] = []

    def best_is_another(action: Action) -> bool:
        return isinstance(action, Play) and action.card not in ahead

    rules = rule_set(3, rounds=6, hand_size=8, max_bid=1)
    async with at_a_table(best_is(best_is_another), rules, coach=True, bots=5000) as (on, _):

        def may_follow() -> list[int]:
            """Return our cards of the suit that is led, while the last one before us is on turn."""
            state = on.model.state
            if state.phase is not Phase.PLAYING or len(state.trick) != 1 or state.turn != 2:
                return []
            return [card for card in cards_in(state.hands[0]) if SUIT_OF[card] == state.lead_suit()]

        await on.play_until(lambda: len(may_follow()) > 1)
        ahead += may_follow()[:1]
        before = len(on.acted)
        await on.press(*typed(ahead[0]), "enter")
        assert on.screen.scene.ahead == ahead[0]
        await on.until(lambda: isinstance(on.app.screen, SureQuestion))
        assert len(on.acted) == before
        await on.press("escape")
        await on.settle()
        assert len(on.acted) == before
        await on.press(*typed(ahead[0]), "enter")
        await on.until(lambda: on.acted[before:] == [Play(ahead[0])])


async def test_the_coach_asks_once_a_trick() -> None:
    async with at_a_table(best_is(is_pass), MANY_BIDS, coach=True) as (on, _):
        await on.press("right", "enter")
        await on.until(lambda: isinstance(on.app.screen, SureQuestion))
        await on.press("n", "enter")
        await on.until(lambda: len(on.acted) == 1)
        assert isinstance(on.app.screen, TableScreen)


async def test_the_coach_says_nothing_to_the_best_move_nor_to_one_that_costs_little() -> None:
    async with at_a_table(best_is(is_pass, ahead=1.1), coach=True) as (on, _):
        await on.press("right", "enter")
        await on.until(lambda: len(on.acted) == 1)
    async with at_a_table(best_is(is_pass), coach=True) as (on, _):
        await on.press("p")
        await on.until(lambda: on.acted == [PASS])


async def test_a_move_that_is_faster_than_the_coach_waits_for_it_and_can_be_taken_back() -> None:
    async with at_a_table(best_is(is_pass), coach=True) as (on, planted):
        planted.holds = True
        await in_a_trick(on)
        first, second = on.model.legal()[:2]
        assert isinstance(first, Play)
        assert isinstance(second, Play)
        before = len(on.acted)
        await on.press(*typed(second.card), "enter")
        assert "the coach looks at it" in on.text
        await on.press("backspace")
        planted.give()
        await on.settle()
        assert len(on.acted) == before, "it was taken back"
        await on.press(*typed(second.card), "enter")
        await on.until(lambda: isinstance(on.app.screen, SureQuestion) or len(on.acted) > before)


async def test_a_coach_that_cannot_think_holds_nobody_up() -> None:
    async with at_a_table(lambda _: None, coach=True) as (on, _):
        await on.press("right", "enter")
        await on.until(lambda: len(on.acted) == 1)


async def test_without_a_coach_nobody_asks_and_nothing_is_thought_of() -> None:
    async with at_a_table(best_is(is_pass)) as (on, _):
        await on.press("right", "enter")
        await on.until(lambda: len(on.acted) == 1)
        assert on.asked(AskHint) == []


def weighed(action: Action, points: int, worlds: int = 96, uncertainty: int = 20) -> WeighedAction:
    return WeighedAction(action, points, uncertainty, worlds=worlds)


@pytest.mark.parametrize(
    ("best", "chosen", "asks"),
    [
        (weighed(PASS, 300), weighed(Bid(3), 0), True),
        (weighed(PASS, 128), weighed(Bid(3), 0), False),
        (weighed(PASS, 129), weighed(Bid(3), 0), True),
        (weighed(PASS, 300, uncertainty=250), weighed(Bid(3), 0), False),
        (weighed(PASS, 300, worlds=0), weighed(Bid(3), 0), False),
        (weighed(PASS, 300), weighed(Bid(3), 0, worlds=0), False),
        (weighed(PASS, 0), weighed(Bid(3), 300), False),
    ],
)
def test_a_move_is_costly_where_it_costs_more_than_a_point_beyond_its_uncertainty(
    best: WeighedAction, chosen: WeighedAction, asks: bool
) -> None:
    assert bool(costly_words((best, chosen), chosen.action)) is asks


def test_a_move_that_nobody_weighed_is_not_asked_about() -> None:
    assert costly_words((weighed(PASS, 300), weighed(Bid(3), 0)), Bid(7)) == ()
    assert name(3) == "B4"

"""What the line mode says of each event: one thought a line, only what changed, and enough to play by."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given

from looseends_client.plain import answers
from looseends_client.plain.asking import NOTHING, asked_at_table
from looseends_client.plain.news import News
from looseends_client.plain.scores import score_lines
from looseends_client.plain.wording import CARD_STYLES, CardStyle, Wording, finished
from looseends_client.table_model import TableModel
from looseends_core.actions import DOUBLE_CROSS, PASS, Action, Bid, Cover, Play
from looseends_core.cards import CARD_NAMES, DECK_CARDS, cards_in, is_getaway, name, parse
from looseends_core.decide import deal_round, decide
from looseends_core.events import Event
from looseends_core.redact import redact
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import Deal
from looseends_core.state import State, evolve
from looseends_protocol.messages import (
    ChatLine,
    GameBegan,
    Happened,
    Push,
    ReadyChanged,
    Said,
    SeatInfo,
    SeatsChanged,
    TablePhase,
)
from tests.client.games import any_game, attending, full_game, people, pushes, until


class Table:
    """A table as seat 0 hears of it, event by event, from hands that a test names; seat 0 begins."""

    def __init__(
        self, *hands: str, variants: tuple[str, ...] = (), style: CardStyle = "letters", seat: int | None = 0
    ) -> None:
        self.dealt = tuple(tuple(parse(card) for card in hand.split()) for hand in hands)
        rules = rule_set(len(hands), variants, rounds=1, hand_size=len(self.dealt[0]))
        self.model = TableModel(lambda: 0.0)
        self.model.attend(attending(rules, seat=seat))
        self.wording = Wording(style)
        self.news = News(self.model, self.wording)
        self.state = State(rules)
        self.seat = seat

    def push(self, push: Push) -> list[str]:
        """Hear a push, and return what is said of it."""
        self.model.take(msgspec.structs.replace(push, sequence=self.model.sequence + 1))
        return self.news.lines()

    def happen(self, events: list[Event]) -> list[str]:
        for event in events:
            evolve(self.state, event)
        return self.push(Happened(0, tuple(redact(event, self.seat) for event in events)))

    def deal(self) -> list[str]:
        return self.happen(deal_round(self.state, Deal(self.dealt, 0)))

    def act(self, *steps: str) -> list[str]:
        """Take steps such as `bid R9`, `pass`, `cross`, `R9`, `cover R9`, and return what is said of the last one."""
        said: list[str] = []
        for step in steps:
            word, _, card = step.partition(" ")
            actions: dict[str, Action] = {"pass": PASS, "cross": DOUBLE_CROSS}
            if card:
                actions = {"bid": Bid(parse(card)), "cover": Cover(parse(card))}
            action = actions[word] if word in actions else Play(parse(word))
            assert self.state.turn is not None
            said = self.happen(decide(self.state, self.state.turn, action))
        return said

    @property
    def asked(self) -> str:
        return asked_at_table(self.model, self.wording).words


@pytest.fixture
def two() -> Table:
    table = Table("B12 R1 R3 G5", "Y1 Y2 Y3 R9")
    table.deal()
    return table


class TestEachEvent:
    def test_the_deal_tells_who_begins_and_the_hand(self) -> None:
        assert Table("B12 R1 R3 G5", "Y1 Y2 Y3 R9").deal() == [
            "Round 1: you begin.",
            "Your hand, four cards: B12, R1 R3, G5.",
        ]

    def test_to_somebody_who_watches_there_is_no_hand(self) -> None:
        assert Table("B12 R1", "Y1 Y2", seat=None).deal() == ["Round 1: ann begins."]

    def test_a_bid(self, two: Table) -> None:
        assert two.act("bid R1") == ["You bid R1."]
        assert two.act("bid Y1") == ["bob bids Y1."]

    def test_a_pass(self, two: Table) -> None:
        assert two.act("bid R1", "pass") == ["bob passes and snitches."]
        assert two.act("pass") == ["You pass with one bid.", "You lead the first of three tricks, for one bid."]

    def test_cards_that_are_led_and_played_and_the_trick(self, two: Table) -> None:
        two.act("bid R1", "pass", "pass")
        assert two.act("R3") == ["You lead R3."]
        assert two.act("R9") == [
            "bob plays R9.",
            "Trick 1: bob won with R9: nothing to cover, a loose end.",
            "bob's snitching has failed.",
        ]

    def test_a_trick_that_covers_by_itself(self, two: Table) -> None:
        two.act("bid R1", "pass", "pass", "B12")
        assert two.act("Y1") == ["bob plays Y1.", "Trick 1: you won with B12: nothing to cover, a loose end."]
        two.act("R3")
        assert two.act("R9")[0] == "bob plays R9."

    def test_a_choice_of_ones_own_is_asked_and_that_of_others_told(self) -> None:
        table = Table("R1 R2 R9 G1", "R3 R4 R12 G2")
        table.deal()
        table.act("bid R1", "bid R3", "bid R2", "bid R4", "pass", "pass")
        assert table.act("G2", "G1")[0] == "You play G1."
        assert table.act("R12", "R9") == ["You play R9.", "bob wins with R12 and chooses what it covers."]
        assert table.act("cover R3")[0] == "Trick 2: bob won with R12 and covered R3."

    def test_the_end_of_a_round_and_a_game(self, two: Table) -> None:
        said = two.act("bid R1", "pass", "pass", "B12", "Y1", "R3", "R9", "Y2", "G5")
        assert said[:2] == ["You play G5.", "Trick 3: bob won with Y2: nothing to cover, a loose end."]
        assert "Round 1 is over: you -2, bob -2." in said
        assert "Score: you: 3, bob: 3." in said
        assert said[-1] == "They are level in the last round too (-2)."

    def test_a_double_cross_of_ones_own_tells_the_hand_again(self) -> None:
        table = Table("B12 R1 R3", "Y1 Y2 R9", variants=("double-cross",))
        table.deal()
        assert table.act("bid R1", "bid Y1", "cross") == [
            "You double-cross and pick up one card.",
            "Your hand, three cards: B12, R1 R3.",
        ]

    def test_a_double_cross_of_others_does_not(self) -> None:
        table = Table("B12 R1 R3", "Y1 Y2 R9", variants=("double-cross",))
        table.deal()
        assert table.act("bid R1", "bid Y1", "bid R3", "cross") == ["bob double-crosses and picks up one card."]

    def test_getaway_cards_and_plan_b(self) -> None:
        table = Table("B12 R1 X1", "Y1 Y2 X2", variants=("getaway", "plan-b"))
        table.deal()
        table.act("pass", "pass")
        assert table.act("X2") == ["bob leads X."]
        assert table.act("R1") == [
            "You play R1.",
            "Trick 1: you won with R1: nothing to cover, so it becomes a bid card.",
            "Your snitching has failed.",
        ]

    def test_talk_begins_like_nothing_that_the_game_says(self, two: Table) -> None:
        assert two.push(Said(0, ChatLine("said", "Your turn:", "Round 1", 1))) == ["Said by Round 1: Your turn:"]
        assert two.push(Said(0, ChatLine("said", "hello", "ann", 0))) == ["Said by you: hello"]
        assert two.push(Said(0, ChatLine("said", "a\x1b[2J\u202eb", "c\nd", 1))) == ["Said by c d: a[2Jb"]
        assert two.push(Said(0, ChatLine("system", "bob has lost the connection.", "", None))) == [
            "bob has lost the connection."
        ]

    def test_who_is_ready(self, two: Table) -> None:
        assert two.push(ReadyChanged(0, (1,))) == ["bob is ready, 1 of 2."]
        assert two.push(ReadyChanged(0, (0, 1))) == ["You are ready, 2 of 2."]
        assert two.push(ReadyChanged(0, (0, 1))) == []

    def test_a_new_game(self, two: Table) -> None:
        assert two.push(GameBegan(0, 2, two.model.rules)) == ["A new game begins."]

    def test_what_changes_nothing_says_nothing(self, two: Table) -> None:
        model = two.model
        assert two.push(SeatsChanged(0, model.seats, model.host, "playing")) == []
        assert two.news.lines() == []


class TestWhatIsAsked:
    def test_planning(self, two: Table) -> None:
        assert two.asked == "Your turn, bid a card, or pass to snitch (+10 for no trick)"
        two.act("bid R1")
        assert two.asked == ""
        two.act("pass")
        assert two.asked == "Your turn, bid a card (2 of 3) or pass"

    def test_playing_and_covering(self) -> None:
        table = Table("R1 R2 R9 G1 Y7", "R3 R4 R8 G2 G3")
        table.deal()
        table.act("bid R1", "pass", "bid R2", "pass")
        assert table.asked == "Your turn, you lead, play any card"
        table.act("R9", "R8")
        assert table.asked == "Your turn, you won with R9, cover R1 or R2"
        table.wording.style = "words"
        assert table.asked == "Your turn, you won with red 9, cover red 1 or red 2"
        table.act("cover R1", "G1", "G3", "G2")
        assert table.asked == "Your turn, you have no Green, play any card"

    def test_following(self) -> None:
        table = Table("G1 G4 R2", "G5 Y1 Y2")
        table.deal()
        table.act("pass", "pass", "G5")
        assert table.asked == "Your turn, follow Green"

    def test_the_seconds_that_are_left(self) -> None:
        table = Table("G1 G4 R2", "G5 Y1 Y2")
        table.model.attend(msgspec.structs.replace(attending(table.model.rules), clock=29_500))
        table.deal()
        table.push(Happened(0, (), clock=29_500))
        assert table.asked.startswith("Your turn (30 seconds), bid a card")

    def test_nothing_of_those_who_watch(self) -> None:
        table = Table("G1 G4 R2", "G5 Y1 Y2", seat=None)
        table.deal()
        assert asked_at_table(table.model, table.wording) == NOTHING

    @pytest.mark.parametrize(
        ("phase", "ready", "asked"),
        [
            ("between", (), "Type ready for the next round"),
            ("between", (0,), ""),
            ("over", (1,), "Type ready to play again, or leave"),
            ("gathering", (), "Every seat is taken, type start"),
            ("dealing", (), ""),
            ("frozen", (), ""),
        ],
    )
    def test_between_games_and_rounds(self, two: Table, phase: TablePhase, ready: tuple[int, ...], asked: str) -> None:
        two.model.phase, two.model.ready = phase, ready
        assert two.asked == asked

    def test_the_host_of_a_table_with_open_seats_is_asked_nothing(self, two: Table) -> None:
        two.push(SeatsChanged(0, (two.model.seats[0], SeatInfo("open")), "ann", "gathering"))
        assert two.asked == ""


class TestAnswers:
    def test_the_table(self, two: Table) -> None:
        two.act("bid R1", "pass", "pass", "R3")
        assert answers.table_lines(two.model, two.wording) == [
            "Round 1 of 1, trick 1 of 3.",
            "Trick: you led R3; you win so far.",
            "bob plays a card.",
            "You: 5 points, no tricks won, now -2, two cards left.",
            "bob: 5 points, no tricks won, now +10, four cards left.",
        ]

    def test_bids_by_what_has_become_of_them(self) -> None:
        table = Table("R1 R9 G1 Y7", "R3 R8 G2 G3")
        table.deal()
        table.act("bid R1", "pass", "bid Y7", "pass")
        assert answers.bid_lines(table.model, table.wording) == ["You: open R1, Y7.", "bob: snitching."]
        table.act("R9", "R8")
        assert answers.bid_lines(table.model, table.wording)[0] == "You: open Y7; covered R1."
        assert answers.last_trick_lines(table.model, table.wording) == [
            "Trick 1: you led R9, bob R8.",
            "You won with R9 and covered R1.",
        ]

    def test_legal_and_why(self, two: Table) -> None:
        model, wording = two.model, two.wording
        assert answers.legal_line(model, wording) == "You may bid B12, R1 R3, G5, or pass."
        assert answers.why_pass(model, wording) == ["You may pass."]
        two.act("pass", "pass", "R9")
        assert answers.legal_line(model, wording) == "You may play R1 R3."
        assert answers.why_lines(model, wording, parse("G5")) == ["Not G5: You must follow Red."]
        assert answers.why_lines(model, wording, parse("R1")) == ["R1 cannot win this trick."]
        two.act("R1")
        assert answers.why_lines(model, wording, parse("R3")) == ["It is not your turn: bob leads."]

    def test_the_score_of_a_running_round_and_of_one_that_is_over(self, two: Table) -> None:
        assert score_lines(two.model, two.wording)[:2] == [
            "Score: you: 5, bob: 5.",
            "If the round ended now: you 0, bob 0.",
        ]
        two.act("bid R1", "pass", "pass", "B12", "Y1", "R3", "R9", "Y2", "G5")
        assert score_lines(two.model, two.wording) == [
            "Score: you: 3, bob: 3.",
            "Round 1, you: -1 for bids left open and -1 for loose tricks: -2.",
            "Round 1, bob: -2 for loose tricks: -2.",
        ]

    def test_where_each_number_comes_from(self, two: Table) -> None:
        assert score_lines(two.model, two.wording, "1") == ["Type score and one of now, total."]
        two.act("bid R1", "pass", "pass", "B12", "Y1")
        assert score_lines(two.model, two.wording, "now")[:3] == [
            "Round 1 so far, you: R1 still open, a loose end, as long as bob snitches: -2.",
            "Round 1 so far, you: trick 1 covered nothing, a loose end, as long as bob snitches: -2.",
            "Round 1 so far, you: -2 for bids left open and -2 for loose tricks: -4.",
        ]
        two.act("R3", "R9", "Y2", "G5")
        assert score_lines(two.model, two.wording, "1")[-1] == "Round 1, bob: -2 for loose tricks: -2."
        assert score_lines(two.model, two.wording, "total") == [
            "you: 5 at the start, -2 in round 1: 3.",
            "bob: 5 at the start, -2 in round 1: 3.",
        ]
        assert score_lines(two.model, two.wording, "now") == ["Type score and one of 1, total."]

    def test_the_log_is_not_needed_to_know_ones_hand(self, two: Table) -> None:
        two.act("bid R1")
        assert answers.hand_line(two.model, two.wording) == "Your hand, three cards: B12, R3, G5."


class TestComingBack:
    def test_a_few_lines_are_told_one_by_one_and_many_are_counted(self) -> None:
        rules = rule_set(3, rounds=1, hand_size=6)
        events = full_game(rules, "d")
        for held in range(2, len(events)):
            model = TableModel(lambda: 0.0)
            model.attend(attending(rules, until(events, held)))
            news = News(model, Wording())
            before = len(model.log)
            model.attend(attending(rules, events, since=held, sequence=len(events)))
            new = len(model.log) - before
            said = news.lines()
            assert len(said) <= new + 6
            assert new <= 8 or said[0] == f"{new - 8} lines went by; log {new} tells them all."
            assert news.lines() == []

    def test_a_table_that_is_sent_anew_is_not_told_from_the_start(self) -> None:
        rules = rule_set(2, rounds=1, hand_size=4)
        events = full_game(rules, "d")
        model = TableModel(lambda: 0.0)
        model.attend(attending(rules, events))
        news = News(model, Wording())
        model.attend(attending(rules, events, sequence=5))
        assert len(news.lines()) <= 9


@given(any_game())
def test_the_lines_tell_every_card_that_is_laid_once_and_in_order(game: tuple[RuleSet, list[Event]]) -> None:
    rules, events = game
    model = TableModel(lambda: 0.0)
    model.attend(attending(rules))
    news = News(model, Wording())
    told: list[str] = []
    for push in pushes(events, 0):
        model.take(push)
        told += news.lines()
    laid = [found[1] for line in told if (found := re.search(r" (?:bids?|plays?|leads?) ([BRGY]\d+|X)\.$", line))]
    kinds = ("CardBid", "CardPlayed")
    cards = [event.card for event in events if type(event).__name__ in kinds]  # type: ignore[union-attr]
    assert laid == ["X" if is_getaway(card) else name(card) for card in cards]
    assert all(line.isascii() and line == line.strip() and "\n" not in line for line in told)


@given(any_game())
def test_every_answer_is_lines_at_any_moment(game: tuple[RuleSet, list[Event]]) -> None:
    rules, events = game
    for number in range(0, len(events) + 1, 5):
        for seat in (0, None):
            model = TableModel(lambda: 0.0)
            model.attend(attending(rules, until(events, number), seat))
            wording = Wording("words")
            lines = [
                answers.hand_line(model, wording),
                answers.legal_line(model, wording),
                *answers.table_lines(model, wording),
                *answers.bid_lines(model, wording),
                *score_lines(model, wording),
                *answers.last_trick_lines(model, wording),
                *answers.place_lines(model, wording),
                *answers.why_pass(model, wording),
            ]
            for card in answers.nameable(model):
                lines += answers.why_lines(model, wording, card)
            assert all(line and line.isascii() and len(line) < 400 for line in lines)


class TestWording:
    @pytest.mark.parametrize("style", CARD_STYLES)
    def test_every_card_has_a_name_of_its_own(self, style: CardStyle) -> None:
        wording = Wording(style)
        names = {wording.card(card) for card in range(DECK_CARDS)}
        assert len(names) == 61, "four Getaway cards are one"
        assert all(each.isascii() for each in names) == (style != "shapes")

    def test_a_hand_by_suits(self) -> None:
        cards = list(cards_in(sum(1 << CARD_NAMES.index(card) for card in ["B3", "B9", "R2", "X1", "X2"])))
        assert Wording().cards(cards) == "B3 B9, R2, X X"
        assert Wording("words").cards(cards) == "blue 3 9, red 2, getaway getaway"
        assert Wording("shapes").cards(cards) == "B♦3 B♦9, R♥2, X X"
        assert Wording().cards([]) == "none"

    def test_signs_in_plain_letters_unless_shapes_are_asked_for(self) -> None:
        assert Wording().text("a − b · c…") == "a - b - c..."
        assert Wording("shapes").text("a − b") == "a − b"

    @pytest.mark.parametrize(("text", "whole"), [("a", "a."), ("a?", "a?"), ("", ""), ("a: ", "a:")])
    def test_a_line_ends_like_a_sentence(self, text: str, whole: str) -> None:
        assert finished(text) == whole


def test_seats_before_a_game() -> None:
    rules = rule_set(4)
    model = TableModel(lambda: 0.0)
    seats = (*people(4, bots=1)[:2], SeatInfo("open"), SeatInfo("bot", name="deep blue", level="steady"))
    away = msgspec.structs.replace(seats[1], connected=False)
    table = msgspec.structs.replace(attending(rules), seats=(seats[0], away, *seats[2:]), watching=("eve", "a\x1bb"))
    model.attend(table)
    assert answers.table_lines(model, Wording()) == [
        "Seat 1: you, host.",
        "Seat 2: bob, offline.",
        "Seat 3: open.",
        "Seat 4: deep blue, bot, steady.",
        "Watching: eve.",
        "Watching: ab.",
    ]

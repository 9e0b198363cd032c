"""Every number of a score sheet is told where it came from, and what is told adds up to the score."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from looseends_client.narration import plain
from looseends_client.score_words import REASONS, RoundAccount, ScoreWords, account_of
from looseends_core.events import Event, RoundScored
from looseends_core.rules import STARTING_POINTS, RuleSet, rule_set
from looseends_core.state import State, evolve
from tests.client.games import NAMES, any_game
from tests.client.scenes import FOUR, FOUR_HANDS, PLANNED, played


def accounts_of(rules: RuleSet, events: list[Event]) -> tuple[list[RoundAccount], State]:
    state = State(rules)
    accounts: list[RoundAccount] = []
    for event in events:
        evolve(state, event)
        if isinstance(event, RoundScored):
            accounts.append(account_of(state))
    return accounts, state


def last_number(text: str) -> int:
    """Return the number that a sentence ends with."""
    found = re.search(r"([+−]?\d+)$", text)
    assert found is not None, text
    return int(found[1].replace("−", "-"))


@given(any_game())
def test_the_words_of_every_round_add_up_to_its_points_and_those_to_the_score(
    game: tuple[RuleSet, list[Event]],
) -> None:
    rules, events = game
    accounts, state = accounts_of(rules, events)
    words = ScoreWords(rules.table, NAMES)
    deltas = [event.delta for event in events if isinstance(event, RoundScored)]
    assert [account.over for account in accounts] == [True] * rules.rounds
    for seat in range(rules.players):
        for account, delta in zip(accounts, deltas, strict=True):
            told = [words.on_reason(account, seat, reason) for reason in REASONS]
            assert sum(word.points for word in told) == delta[seat] == words.on_round(account, seat).points
            assert all(last_number(plain(word.sentence)) == word.points for word in told)
            assert last_number(plain(words.on_round(account, seat).sentence)) == delta[seat]
        total = words.on_total(accounts, seat)
        assert total.points == last_number(plain(total.sentence)) == state.scores[seat]
        parts = re.findall(r"([+−]?\d+) in round", plain(total.sentence))
        assert STARTING_POINTS + sum(int(part.replace("−", "-")) for part in parts) == total.points


@given(any_game(), st.data())
def test_a_round_that_runs_is_told_as_it_would_score_now(
    game: tuple[RuleSet, list[Event]], data: st.DataObject
) -> None:
    rules, events = game
    upto = data.draw(st.integers(1, len(events)))
    state = State(rules)
    for event in events[:upto]:
        evolve(state, event)
    account = account_of(state)
    words = ScoreWords(rules.table, NAMES)
    for seat, result in enumerate(account.seats):
        assert sum(words.on_reason(account, seat, reason).points for reason in REASONS) == result.result.points
        assert ("so far" in plain(words.on_round(account, seat).sentence)) == (not account.over)


def test_what_is_said_of_a_round_with_a_snitch() -> None:
    events = played(
        rule_set(2, rounds=1, hand_size=3),
        ["B12 R1 G5", "Y1 Y2 Y3"],
        [
            *("bid R1", "pass", "pass", "G5", "Y1", "B12", "Y2"),
        ],
    )
    (account,), _ = accounts_of(rule_set(2, rounds=1, hand_size=3), events)
    words = ScoreWords(FOUR.table, ["ann", "sharp"])
    assert [plain(words.on_reason(account, 0, reason).sentence) for reason in REASONS] == [
        "Round 1, ann: no bid was covered: 0",
        "Round 1, ann: R♥1 stayed open, a loose end, because sharp snitched: −2",
        "Round 1, ann: tricks 1 and 2 covered nothing, 2 loose ends at −2 each, because sharp snitched: −4",
        "Round 1, ann: did not snitch: 0",
        "Round 1, ann: no Perfect Crime, because sharp snitched: 0",
    ]
    assert plain(words.on_reason(account, 1, "snitch").sentence) == "Round 1, sharp: bid nothing and won no trick: +10"
    assert plain(words.on_reason(account, 1, "open").sentence).endswith(
        "a snitch who wins no trick scores that alone: 0"
    )
    assert plain(words.on_round(account, 0).sentence) == (
        "Round 1, ann: −2 for bids left open and −4 for loose tricks: −6"
    )
    assert plain(words.on_total([account], 0).sentence) == "ann: 5 at the start, −6 in round 1: −1"
    assert plain(words.on_start(0).sentence) == "ann: everybody begins the game with 5"


def test_what_is_said_of_a_round_that_runs() -> None:
    state = State(FOUR)
    for event in played(FOUR, FOUR_HANDS, [*PLANNED, "G15", "G2", "G6", "G11"]):
        evolve(state, event)
    words = ScoreWords(FOUR.table, NAMES)
    account = account_of(state)
    assert plain(words.on_reason(account, 0, "covered").sentence) == ("Round 1 so far, ann: covered G♣12: +2")
    assert plain(words.on_reason(account, 0, "open").sentence) == (
        "Round 1 so far, ann: R♥14 and Y♠6 still open, 2 loose ends at −2 each, as long as bob snitches: −4"
    )

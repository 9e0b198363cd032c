"""The model is the fold of what the server tells, in whatever order a connection lets it arrive."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.narration import plain
from looseends_client.table_model import Gap, TableModel
from looseends_core.cards import card_set
from looseends_core.decide import legal_actions
from looseends_core.events import Event
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import commitment_of
from looseends_core.state import fold
from looseends_protocol.messages import (
    ChatLine,
    GameBegan,
    Happened,
    ReadyChanged,
    RoundCommitted,
    RoundRevealed,
    Said,
    SeatInfo,
    SeatsChanged,
)
from tests.client.games import any_game, attending, deals_in, full_game, people, pushes, seen_by, until


def model_at(rules: RuleSet, events: Sequence[Event] = (), seat: int | None = 0, now: float = 0.0) -> TableModel:
    model = TableModel(lambda: now)
    model.attend(attending(rules, events, seat))
    return model


def log_of(model: TableModel) -> list[str]:
    return [plain(line.words) for line in model.log]


@given(any_game(), st.data())
def test_a_table_taken_over_at_any_moment_and_pushed_on_is_the_fold_of_all_events(
    game: tuple[RuleSet, list[Event]], data: st.DataObject
) -> None:
    rules, events = game
    seat = data.draw(st.sampled_from([None, *range(rules.players)]))
    begin = data.draw(st.integers(0, len(events)))
    model = model_at(rules, until(events, begin), seat)
    at = begin
    while at < len(events):
        step = data.draw(st.sampled_from(["push", "push", "push", "again", "resync", "anew"]))
        if step == "push":
            model.take(Happened(model.sequence + 1, (seen_by(events, seat)[at],)))
            at += 1
        elif step == "again":
            model.take(Happened(model.sequence, ()))
        else:
            at = data.draw(st.integers(at, min(len(events), at + 9)))
            since = model.state.number if step == "resync" else 0
            model.attend(attending(rules, until(events, at), seat, sequence=model.sequence, since=since))
        assert model.state == fold(rules, seen_by(until(events, at), seat))
        if model.my_turn:
            assert model.legal() == legal_actions(model.state)
    told = model_at(rules, events, seat)
    assert log_of(model) == log_of(told), "the log tells the same story however the events arrived"


def test_a_missing_push_is_a_gap_and_changes_nothing() -> None:
    rules = rule_set(3)
    model = model_at(rules)
    _, second, *_ = pushes(full_game(rules), 0)
    with pytest.raises(Gap):
        model.take(second)
    assert model.state.number == 0
    assert model.sequence == 0


def test_events_from_the_middle_of_another_game_are_a_gap() -> None:
    rules = rule_set(3)
    model = model_at(rules)
    with pytest.raises(Gap):
        model.attend(attending(rules, full_game(rules), 0, since=5))


def test_the_clock_counts_whole_seconds_down_from_what_the_push_said() -> None:
    now = [100.0]
    model = TableModel(lambda: now[0])
    rules = rule_set(2)
    model.attend(attending(rules))
    event = seen_by(full_game(rules), 0)[0]
    model.take(Happened(1, (event,), clock=20_000))
    assert model.seconds_left() == 20
    now[0] += 4.5
    assert model.seconds_left() == 16
    now[0] += 60
    assert model.seconds_left() == 0


def test_a_rematch_begins_at_nothing_and_keeps_the_log() -> None:
    rules = rule_set(2, rounds=1, hand_size=2)
    model = model_at(rules, full_game(rules))
    assert model.phase == "over"
    model.take(Said(1, ChatLine("said", "again?", "bob", 1)))
    model.take(GameBegan(2, 2, rules))
    assert (model.game, model.state.number, model.phase) == (2, 0, "dealing")
    assert log_of(model)[-2:] == ["bob: again?", "A new game begins."]


def test_people_who_come_and_go_change_the_seats_and_the_server_s_word_is_logged() -> None:
    rules = rule_set(3)
    model = model_at(rules, full_game(rules)[:4])
    seats = list(people(3))
    seats[1] = SeatInfo("person", name="bob", away="lost", stand_in=True)
    model.take(SeatsChanged(1, tuple(seats), "ann", "playing"))
    model.take(Said(2, ChatLine("system", "bob is away; a bot plays for bob.")))
    assert model.seats[1].stand_in
    assert (model.log[-1].kind, plain(model.log[-1].words)) == ("system", "bob is away; a bot plays for bob.")


def test_ready_seats_and_the_time_until_the_next_round() -> None:
    rules = rule_set(2, rounds=2, hand_size=2)
    model = model_at(rules)
    model.take(ReadyChanged(1, (1,), 20))
    assert model.ready == (1,)
    assert model.ready_seconds_left() == 20


def test_chat_is_stripped_of_what_steers_a_terminal_and_own_lines_differ() -> None:
    model = model_at(rule_set(2))
    model.take(Said(1, ChatLine("said", "hi\x1b[31m \u202eyou", "bob", 1)))
    model.take(Said(2, ChatLine("said", "hello", "ann", 0)))
    assert [(line.kind, plain(line.words)) for line in model.log] == [
        ("talk", "bob: hi[31m you"),
        ("own", "you: hello"),
    ]


class TestTheProofOfADeal:
    def _played(self, *, commitment: bytes | None = None, nonce: bytes | None = None, seat: int = 0) -> TableModel:
        rules = rule_set(3, rounds=1, hand_size=4)
        events = full_game(rules)
        fairness = deals_in(events)[0].fairness
        assert fairness is not None
        model = TableModel(lambda: 0.0)
        model.attend(attending(rules, (), seat))
        model.take(RoundCommitted(1, 1, commitment or commitment_of(fairness.secret)))
        if nonce is not None:
            model.gave_nonce(1, nonce)
        for push in pushes(events, seat, after=1):
            model.take(push)
        model.take(RoundRevealed(model.sequence + 1, 1, fairness.secret, fairness.nonces))
        return model

    def test_holds_where_commitment_nonce_hands_and_first_player_fit(self) -> None:
        model = self._played(nonce=bytes(16))
        assert model.proofs[1].proven
        # Bots deal with zeros in everybody's place, and zeros are what counts as none.
        assert model.proofs[1].words == "deal proven, nonces 3 of 3; you gave no nonce"

    def test_fails_where_the_secret_is_not_the_promised_one(self) -> None:
        proof = self._played(commitment=bytes(32)).proofs[1]
        assert not proof.proven
        assert "promised before the deal" in proof.words

    def test_fails_where_the_own_nonce_was_not_used(self) -> None:
        model = self._played(nonce=b"n" * 16)
        assert not model.proofs[1].proven
        assert "nonce that you gave" in model.proofs[1].words
        assert any("not proven" in line for line in log_of(model)), "a broken promise is told in the log as well"

    def test_survives_a_resync_with_the_promise_that_came_before_the_deal(self) -> None:
        rules = rule_set(3, rounds=1, hand_size=4)
        events = full_game(rules)
        fairness = deals_in(events)[0].fairness
        assert fairness is not None
        model = TableModel(lambda: 0.0)
        model.attend(attending(rules))
        model.take(RoundCommitted(1, 1, commitment_of(b"x" * 32)))
        model.attend(attending(rules, events, 0, sequence=9))
        model.take(RoundRevealed(10, 1, fairness.secret, fairness.nonces))
        assert not model.proofs[1].proven, "another secret than the promised one is seen through after a resync too"

    def test_says_when_it_rests_on_the_server_s_word_alone(self) -> None:
        rules = rule_set(3, rounds=1, hand_size=4)
        events = full_game(rules)
        fairness = deals_in(events)[0].fairness
        assert fairness is not None
        model = model_at(rules, events)
        model.take(RoundRevealed(1, 1, fairness.secret, fairness.nonces))
        assert model.proofs[1].proven
        assert "after the deal" in model.proofs[1].words

    def test_fails_where_a_hand_is_not_the_one_that_was_dealt(self) -> None:
        model = self._played()
        seen = model._rounds[1]  # pyright: ignore[reportPrivateUsage]
        seen.hand = card_set([1, 2, 3, 4])
        model.proofs.clear()
        fairness = deals_in(full_game(rule_set(3, rounds=1, hand_size=4)))[0].fairness
        assert fairness is not None
        model.take(RoundRevealed(model.sequence + 1, 1, fairness.secret, fairness.nonces))
        assert "hand that you were dealt" in model.proofs[1].words


def test_a_clock_that_was_stopped_is_not_shown_any_more() -> None:
    """Somebody whose table waits for them has no clock while they are away."""
    model = model_at(rule_set(2))
    model.take(SeatsChanged(model.sequence + 1, model.seats, model.host, "playing", clock=42_000))
    assert model.turn_until == 42
    model.take(SeatsChanged(model.sequence + 1, model.seats, model.host, "playing"))
    assert model.turn_until is None


@given(any_game(), st.data())
def test_what_was_said_stands_where_it_was_said_however_the_table_is_taken_over(
    game: tuple[RuleSet, list[Event]], data: st.DataObject
) -> None:
    rules, events = game
    said_at = data.draw(st.lists(st.integers(0, len(events)), max_size=6).map(sorted))
    chat = tuple(ChatLine("said", f"line {place}", "bob", 1, number) for place, number in enumerate(said_at))
    seen = data.draw(st.integers(0, len(events)))
    heard = data.draw(st.integers(sum(at < seen for at in said_at), sum(at <= seen for at in said_at)))
    told, lost = model_at(rules), model_at(rules)
    for model, end, lines in ((told, len(events), chat), (lost, seen, chat[:heard])):
        for at in range(end + 1):
            for line in lines:
                if line.number == at:
                    model.take(Said(model.sequence + 1, line))
            if at < end:
                model.take(Happened(model.sequence + 1, (seen_by(events, 0)[at],)))
    since = data.draw(st.sampled_from([0, seen]))
    table = attending(rules, events, 0, sequence=told.sequence, since=since)
    lost.attend(msgspec.structs.replace(table, chat=chat))
    assert log_of(lost) == log_of(told)

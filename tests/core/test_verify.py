"""Verification: every number of a record recomputed, every form of an unfinished one, every fault at its place."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from looseends_core.record import record_of, record_to_json
from looseends_core.rules import rule_set
from looseends_core.state import Phase
from looseends_core.verify import Verdict, verify_lines, verify_text
from tests.core.table import Table
from tests.strategies import PlayedGame, play_game


def verify(written: object) -> Verdict:
    return verify_text(json.dumps(written).encode())


def fault_of(written: object) -> str:
    """Return the fault of a record that is expected to have one."""
    verdict = verify(written)
    assert verdict.fault is not None, "accepted"
    return verdict.fault


GAME = play_game(rule_set(3, ("getaway", "plan-b"), rounds=3, hand_size=5, max_bid=2), 3)
ROTATING = play_game(rule_set(3, rounds=3, hand_size=4, max_bid=2, first_player="rotate"), 5)


def written(game: PlayedGame = GAME, steps: int | None = None) -> dict[str, Any]:
    """Return a game as JSON, so many deals and actions of it."""
    happened = [event for step in game.steps[:steps] for event in step]
    return copy.deepcopy(record_to_json(record_of(game.rules, ["ann", "bo", "cy"], happened)))


def steps_until(phase: Phase, round_number: int) -> int:
    """Return how many steps of GAME lead to the first moment in this phase of this round."""
    return next(at for at, state in enumerate(GAME.states()) if (state.phase, state.round) == (phase, round_number))


def test_a_whole_game_is_right_and_proven() -> None:
    assert verify(written()) == Verdict(1, None, ())
    assert verify(written(ROTATING)).fault is None


# Unfinished records


@pytest.mark.parametrize("steps", range(len(GAME.steps) + 1))
def test_a_game_is_right_wherever_it_stopped(steps: int) -> None:
    assert verify(written(steps=steps)).fault is None


def test_no_round_at_all_is_an_unfinished_game() -> None:
    record = written(steps=0)
    assert record["rounds"] == []
    assert verify(record).fault is None
    assert fault_of({**record, "scores": [5, 5, 5], "winners": [0, 1, 2]}).startswith("scores of an unfinished game")
    assert fault_of({**record, "winners": [0]}).startswith("winners of an unfinished game")


@pytest.mark.parametrize("round_number", [1, 2])
def test_fewer_rounds_each_with_its_delta_are_an_unfinished_game(round_number: int) -> None:
    record = written(steps=steps_until(Phase.DEALING, round_number))
    assert len(record["rounds"]) == round_number
    assert "delta" in record["rounds"][-1]
    last = copy.deepcopy(record["rounds"][-1])
    del record["rounds"][-1]["delta"]
    assert fault_of(record).startswith(f"round {round_number}: delta is missing")
    record["rounds"][-1] = last
    for field, value in (("scores", [5, 5, 5]), ("winners", [0])):
        assert fault_of({**record, field: value}).startswith(f"{field} of an unfinished game")


@pytest.mark.parametrize("field", ["scores", "winners"])
def test_a_finished_game_has_both_scores_and_winners(field: str) -> None:
    record = written()
    del record[field]
    assert fault_of(record).startswith(f"{field} are missing")


def test_the_last_round_stopped_halfway_has_no_delta_scores_or_winners() -> None:
    record = written(steps=len(GAME.steps) - 1)
    assert verify(record).fault is None
    assert fault_of({**record, "scores": [5, 5, 5]}).startswith("scores of an unfinished game")
    record["rounds"][-1]["delta"] = [0, 0, 0]
    assert fault_of(record).startswith("round 3: not played out, but it has a delta")


def test_a_pending_cover_is_not_over() -> None:
    table = Table("R9 R1 R5 | R2 G1 G2", first=1, max_bid=2)
    table.run("1 bid G1, 0 bid R1, 1 bid G2, 0 bid R5, 1 pass, 0 pass, 0 R9, 1 R2")
    record = record_to_json(table.record())
    record["rounds"][0]["delta"] = [1, -2]
    assert fault_of(record) == "round 1: not played out, but it has a delta: expected an action of seat 0"


@pytest.mark.parametrize("round_number", [1, 2])
@pytest.mark.parametrize("keep_delta", [True, False])
def test_only_the_last_round_may_be_unfinished(round_number: int, keep_delta: bool) -> None:
    record = written()
    played = record["rounds"][round_number - 1]
    played["actions"].pop()
    if not keep_delta:
        del played["delta"]
    assert fault_of(record).startswith(f"round {round_number}: not played out")


@pytest.mark.parametrize("round_number", [1, 2, 3])
def test_a_missing_delta_of_a_round_that_is_over_is_a_fault(round_number: int) -> None:
    record = written()
    del record["rounds"][round_number - 1]["delta"]
    assert fault_of(record).startswith(f"round {round_number}: delta is missing")


def test_more_rounds_than_the_rules_say_are_a_fault() -> None:
    record = written()
    record["rounds"].append(record["rounds"][0])
    assert fault_of(record) == "rounds: there are 4, but the rules say 3"
    record["rounds"].pop()
    record["rules"]["rounds"] = 2
    assert fault_of(record) == "rounds: there are 3, but the rules say 2"
    record["rules"]["rounds"] = 4
    assert fault_of(record).startswith("scores of an unfinished game: 3 of 4 rounds")


# Numbers


@pytest.mark.rule("S2", "E1")
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("off", [1, -1, 10**30, -(10**4000)])
def test_a_wrong_number_is_a_fault_that_says_the_right_one(seat: int, off: int) -> None:
    for round_number in (1, 2, 3):
        record = written()
        delta = record["rounds"][round_number - 1]["delta"]
        right = list(delta)
        delta[seat] += off
        fault = fault_of(record)
        assert fault.startswith(f"round {round_number}: delta [")
        assert fault.endswith(f"should be {right}")
    record = written()
    right = list(record["scores"])
    record["scores"][seat] += off
    fault = fault_of(record)
    assert fault.startswith("scores [")
    assert fault.endswith(f"should be {right}")


@pytest.mark.rule("E1", "E2")
def test_wrong_winners_are_a_fault() -> None:
    right = written()["winners"]
    for winners in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2], [*right, right[0]]):
        if winners != right:
            assert fault_of({**written(), "winners": winners}).startswith("winners")


@pytest.mark.rule("E2")
def test_winners_stand_in_ascending_order() -> None:
    table = Table("B10 B11 B12 | R1 R2 R3 | G1 G2 G3", max_bid=2)
    table.run("0 bid B10, 1 pass, 2 pass, 0 pass, 0 B12, 1 R1, 2 G1, 0 B11, 1 R2, 2 G2")
    record = record_to_json(table.record())
    assert record["winners"] == [1, 2]
    assert fault_of({**record, "winners": [2, 1]}) == "winners [2, 1] should be [1, 2]"


# Deals and their proofs


@pytest.mark.rule("F1")
def test_a_deal_without_proof_may_be_right_but_is_named() -> None:
    record = written()
    del record["rounds"][1]["fairness"]
    assert verify(record) == Verdict(1, None, (2,))
    for played in record["rounds"]:
        played.pop("fairness", None)
    assert verify(record) == Verdict(1, None, (1, 2, 3))


@pytest.mark.rule("F1")
def test_a_proof_of_another_deal_is_a_fault() -> None:
    record = written()
    secret = record["rounds"][1]["fairness"]["secret"]
    record["rounds"][1]["fairness"]["secret"] = "00" + secret[2:]
    del record["rounds"][1]["fairness"]["commitment"]
    assert fault_of(record).startswith("round 2: hands are not the deal of its secret and nonces")
    record = written()
    record["rounds"][2]["fairness"]["nonces"].reverse()
    assert fault_of(record).startswith("round 3: hands are not the deal of its secret and nonces")
    record = written()
    record["rounds"][0]["fairness"], record["rounds"][1]["fairness"] = (
        record["rounds"][1]["fairness"],
        record["rounds"][0]["fairness"],
    )
    assert fault_of(record).startswith("round 1: hands are not the deal of its secret and nonces")


@pytest.mark.rule("F1")
def test_a_commitment_is_that_of_the_secret() -> None:
    record = written()
    record["rounds"][0]["fairness"]["commitment"] = "00" * 32
    assert fault_of(record) == "round 1: fairness: the commitment is not the SHA-256 of the secret"
    del record["rounds"][0]["fairness"]["commitment"]
    assert verify(record).fault is None


HEX = "ab" * 32
NONCES = ["00" * 16] * 3
NO_NONCES: list[Any] = [None, {}, [], NONCES[:2], [*NONCES, "00" * 16], "00" * 16]
NO_NONCE: list[Any] = [None, 0, "", "00" * 15, "00" * 17, "0" * 31, " " + "0" * 31, "0x" + "0" * 30, [], "\ud800" * 32]
NO_SECRET: list[Any] = [
    *(None, 5, "", [], HEX[:-1], HEX[:-2], HEX + "00", HEX[:-2] + "g0", HEX[:-2] + "  ", HEX[:-1] + "\n"),
    *(HEX + "\n", "0x" + HEX[2:], "ab " * 21 + "a", "١" * 64, "\ud800" * 64),
]
FAIRNESS: list[Any] = [
    *(None, True, 1, [], "", "proof", {}, {"secret": HEX}, {"nonces": NONCES}),
    *[{"secret": HEX, "nonces": nonces} for nonces in NO_NONCES],
    *[{"secret": HEX, "nonces": [*NONCES[:2], nonce]} for nonce in NO_NONCE],
    *[{"secret": secret, "nonces": NONCES} for secret in NO_SECRET],
    *[{"secret": HEX, "nonces": NONCES, "commitment": commitment} for commitment in NO_SECRET],
]


@pytest.mark.rule("F1")
@pytest.mark.parametrize("fairness", FAIRNESS, ids=lambda value: ascii(value)[:40])
def test_a_proof_of_another_shape_is_a_fault(fairness: object) -> None:
    record = written()
    record["rounds"][1]["fairness"] = fairness
    assert fault_of(record).startswith("round 2: fairness")


@pytest.mark.rule("F1", "R7")
def test_a_first_player_who_was_not_drawn_is_a_fault() -> None:
    record = written(steps=1)
    record["rounds"][0]["first"] = (record["rounds"][0]["first"] + 1) % 3
    drawn = GAME.deals[0].first
    assert fault_of(record).startswith(f"round 1: first player {(drawn + 1) % 3} is not the draw")
    assert fault_of(record).endswith(f"expected {drawn}")


@pytest.mark.rule("R7", "F1")
def test_with_rotate_only_the_first_round_is_drawn_and_the_rest_follow() -> None:
    record = written(ROTATING, steps=1)
    record["rounds"][0]["first"] = (record["rounds"][0]["first"] + 1) % 3
    assert fault_of(record).startswith("round 1: first player")
    record = written(ROTATING)
    first = record["rounds"][1]["first"]
    record["rounds"][1]["first"] = (first + 1) % 3
    assert fault_of(record).startswith(f"round 2: first {(first + 1) % 3} does not rotate: expected seat {first}")


@pytest.mark.rule("R3", "R5")
def test_hands_that_cannot_be_are_a_fault() -> None:
    a, b, c = written()["rounds"][1]["hands"]
    for hands in (
        [a[1:], b, c],
        [[*a, "B1"], b, c],
        [[a[1], *a[1:]], b, c],
        [[b[0], *a[1:]], b, c],
        [["Y13", *a[1:]], b, c],
        [a, b],
        [a, b, c, a],
        [c, b, a],
    ):
        record = written()
        record["rounds"][1]["hands"] = hands
        assert fault_of(record).startswith("round 2: hands")


@pytest.mark.rule("R5")
def test_the_order_of_cards_within_a_hand_means_nothing() -> None:
    record = written()
    for played in record["rounds"]:
        for hand in played["hands"]:
            hand.sort()
    assert verify(record).fault is None


# Actions


def test_an_action_out_of_turn_names_whose_turn_it_is() -> None:
    record = written()
    record["rounds"][1]["actions"][0][0] = (GAME.deals[1].first + 1) % 3
    assert fault_of(record).startswith("round 2 action 0: seat ")
    assert f"expected seat {GAME.deals[1].first}, whose turn it is" in fault_of(record)


def test_an_action_after_the_end_of_a_round_is_a_fault() -> None:
    for round_number in (1, 2, 3):
        record = written()
        actions = record["rounds"][round_number - 1]["actions"]
        actions.append([0, "pass"])
        fault = fault_of(record)
        assert fault.startswith(f"round {round_number} action {len(actions) - 1}: seat 0 may not pass")
        assert "the round is over" in fault


@pytest.mark.rule("C2")
def test_an_automatic_cover_that_is_written_down_is_a_fault() -> None:
    table = Table("R9 R8 R1 | R2 R3 G1", first=1, max_bid=1)
    table.run("1 bid G1, 0 bid R1, 1 pass, 0 pass, 0 R9, 1 R2")
    record = record_to_json(table.record())
    record["rounds"][0]["actions"].append([0, "cover", "R1"])
    assert fault_of(record).startswith("round 1 action 6: seat 0 may not cover R1: ")


@pytest.mark.rule("V8")
def test_getaway_cards_are_not_each_other_in_a_record() -> None:
    table = Table("X1 R5 R6 | X2 G1 G2", variants="getaway", max_bid=1)
    table.run("0 bid R5, 1 bid G1, 0 pass, 1 pass, 1 X2, 0 X1")
    record = record_to_json(table.record())
    record["rounds"][0]["actions"][4][2] = "X1"
    assert fault_of(record).startswith("round 1 action 4: seat 1 may not play X1: That card is not in your hand.")


# Lines of a file


def test_blank_lines_are_skipped_and_lines_are_counted_from_one() -> None:
    right = json.dumps(written()).encode()
    lines = [right + b"\n", b"\n", b"  \t \r\n", b"{}\r\n", right]
    verdicts = list(verify_lines(lines))
    assert [(verdict.line, verdict.fault is None) for verdict in verdicts] == [(1, True), (4, False), (5, True)]
    assert list(verify_lines([])) == []


def test_a_record_spread_over_lines_is_one_record() -> None:
    assert verify_text(json.dumps(written(), indent=2).replace("\n", "\r\n").encode()).fault is None

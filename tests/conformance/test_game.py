"""Whole games by random legal actions: every push counted, every legal list right, every deal proven.

What a client checks in every message it hears (see `client`) holds in all tests; here are whole games of it.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from tests.conformance.client import Client, take_all
from tests.conformance.fold import Fold
from tests.conformance.people import RULES, People, start
from tests.conformance.playing import act, actions_of, client_round, is_due, is_over, on_turn, play_on

VARIANTS: tuple[list[str], ...] = (
    [],
    ["double-cross"],
    ["getaway"],
    ["plan-b"],
    ["double-cross", "getaway"],
    ["double-cross", "plan-b"],
    ["getaway", "plan-b"],
    ["double-cross", "getaway", "plan-b"],
)


def rules_for(players: int, variants: list[str], **changed: Any) -> dict[str, Any]:
    hand, bids = {2: (16, 6), 3: (16, 5), 4: (15, 4), 5: (12, 3)}[players]
    return {**RULES, "players": players, "variants": variants, "hand_size": hand, "max_bid": bids, **changed}


def folds(clients: list[Client]) -> list[Fold]:
    return [client.fold for client in clients if client.fold is not None]


def reached(clients: list[Client], number: int) -> bool:
    return all(fold.number >= number for fold in folds(clients))


def seen_by_all(fold: Fold) -> list[list[Any]]:
    return [event[:3] if event[0] == "dealt" else event for event in fold.events]


@pytest.mark.parametrize("variants", VARIANTS, ids=lambda variants: " ".join(variants) or "none")
def test_two_people_and_bots_play_a_whole_game_and_a_spectator_sees_it(people: People, variants: list[str]) -> None:
    players = 2 + VARIANTS.index(variants) % 4
    host = people.host("ann", rules_for(players, variants, rounds=2))
    guest = people.guest("cy", host)
    everybody = [host, guest, people.watcher("eve", host)]
    start(host)

    play_on(everybody, lambda: all(is_over(client) and (1, 2) in client.proven for client in everybody))

    first, *others = folds(everybody)
    assert all(seen_by_all(fold) == seen_by_all(first) for fold in others)
    assert [event[0] for event in first.events].count("scored") == 2
    assert all(client.proven == {(1, 1), (1, 2)} for client in everybody)


def test_the_first_player_rotates_where_the_rules_say_so(people: People) -> None:
    host, guest = people.two(rules_for(2, [], rounds=3, hand_size=4, max_bid=1, first_player="rotate"))
    start(host)

    play_on([host, guest], lambda: is_over(host) and (1, 3) in host.proven)

    firsts = [event[2] for event in folds([host])[0].events if event[0] == "dealt"]
    assert firsts[1:] == [1 - firsts[0], firsts[0]]


def test_an_action_sent_twice_counts_once(people: People) -> None:
    host, guest = people.two()
    start(host)
    due = on_turn([host, guest])
    number = folds([due])[0].number
    action = actions_of(due)[-1]

    first, second = act(due, action), due.post("act", g=due.game, n=number, a=action)

    due.until(lambda: first in due.answers and second in due.answers)
    assert due.answers[first]["t"] == "done"
    assert due.answers[second]["er"] == "action/stale"


def test_an_action_for_an_earlier_state_or_another_game_is_stale_and_changes_nothing(people: People) -> None:
    host, guest = people.two()
    start(host)
    due = on_turn([host, guest])
    number = folds([due])[0].number

    for game, state in ((1, 0), (1, number - 1), (1, number + 1), (0, number), (2, number)):
        assert due.refusal("act", g=game, n=state, a=["pass"]) == "action/stale"

    assert folds([due])[0].number == number
    play_on([host, guest], lambda: is_over(host) and is_over(guest))


def test_a_hint_weighs_every_legal_action_once_and_may_be_played(people: People) -> None:
    host, guest = people.two()
    start(host)
    for _ in range(3):
        due = on_turn([host, guest])
        number = folds([due])[0].number
        legal = actions_of(due)
        hint = due.expect("hinted", "hint", g=due.game, n=number)
        assert sorted(one["a"] for one in hint["w"]) == sorted(legal)
        act(due, hint["w"][0]["a"])
        take_all([host, guest], partial(reached, [host, guest], number + 1))


def test_the_record_of_a_game_says_what_everybody_saw(people: People) -> None:
    host, guest = people.two(rules_for(2, ["getaway"], rounds=2, hand_size=6, max_bid=2))
    start(host)
    play_on([host, guest], lambda: is_over(host) and (1, 2) in host.proven)
    fold = folds([host])[0]

    record = json.loads(host.expect("record-text", "record")["rc"])

    assert (record["format"], record["version"]) == ("no-loose-ends/record", 1)
    assert record["rules"] == fold.rules
    assert record["players"] == [people.name("ann"), people.name("cy")]
    assert (record["scores"], record["winners"]) == (fold.scores, fold.winners)
    events = iter(fold.events)
    letters = "BRGYX"
    for played in record["rounds"]:
        dealt = next(event for event in events if event[0] == "dealt")
        hand = [f"{letters[card // 15]}{card % 15 + 1}" if card < 60 else f"X{card - 59}" for card in dealt[3][0]]
        assert played["first"] == dealt[2]
        assert played["hands"][0] == hand
        assert played["delta"] == next(event[1] for event in events if event[0] == "scored")
    actions = [action[:2] for played in record["rounds"] for action in played["actions"] if action[1] != "cover"]
    verbs = {"bid": "bid", "passed": "pass", "double-crossed": "double-cross", "played": "play"}
    assert actions == [[event[1], verbs[event[0]]] for event in fold.events if event[0] in verbs]


def test_the_record_of_a_running_game_holds_the_rounds_that_are_over(people: People) -> None:
    host, guest = people.two({**RULES, "rounds": 2})
    start(host)
    play_on([host, guest], lambda: client_round(host) == 2 and (is_due(host) or is_due(guest)))

    record = json.loads(guest.expect("record-text", "record")["rc"])

    assert len(record["rounds"]) == 1
    assert "scores" not in record


def test_a_rematch_begins_when_every_person_wants_one(people: People) -> None:
    host, guest = people.two()
    start(host)
    play_on([host, guest], lambda: is_over(host) and is_over(guest))

    host.expect("done", "ready", r=1)
    host.expect("done", "ready", r=1)
    guest.until(lambda: guest.pushes("readies")[-1:] and guest.pushes("readies")[-1]["rd"] == [0])
    guest.expect("done", "ready", r=1)

    play_on([host, guest], lambda: host.game == guest.game == 2 and is_over(host) and is_over(guest))
    assert (2, 1) in host.proven


def test_the_host_may_start_the_next_game_without_waiting(people: People) -> None:
    host, guest = people.two()
    start(host)
    play_on([host, guest], lambda: is_over(host) and is_over(guest))

    host.expect("done", "start")

    take_all([host, guest], lambda: host.game == 2 and guest.game == 2)


def test_a_turn_with_a_clock_says_how_long_it_has(people: People) -> None:
    host, guest = people.two(cs=60)
    start(host)

    play_on([host, guest], lambda: is_due(host) or is_due(guest))

    assert 0 < host.pushes("ev")[-1]["ck"] <= 60_000


def test_who_gives_no_nonce_is_waited_for_5_seconds_at_the_most_and_has_zeros(people: People) -> None:
    host = people.host("ann")
    silent = people.connect("cy", gives_nonces=False)
    silent.expect("attending", "join", c=host.table["c"])
    host.until(lambda: host.table["ss"][1]["k"] == "person")
    start(host)

    play_on([host, silent], lambda: is_over(host) and (1, 1) in host.proven)

    assert host.pushes("reveal")[0]["ns"][1] == bytes(16)

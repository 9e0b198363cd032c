"""Resync and coming back: a snapshot and the pushes behind it fit together, whatever the client says it holds."""

from __future__ import annotations

import pytest

from tests.conformance.client import Client
from tests.conformance.people import RULES, People, start
from tests.conformance.playing import is_due, is_over, play_on


def number_of(client: Client) -> int:
    assert client.fold is not None
    return client.fold.number


def in_the_middle(people: People) -> tuple[Client, Client]:
    """Return two people in a round in which some actions were taken."""
    host, guest = people.two({**RULES, "hand_size": 12, "max_bid": 3})
    start(host)
    play_on([host, guest], lambda: number_of(host) > 12 and number_of(guest) > 12 and (is_due(host) or is_due(guest)))
    return host, guest


@pytest.mark.parametrize("held", ["all", "half", "none", "too many", "another game"])
def test_a_resync_brings_the_events_that_the_client_does_not_hold(people: People, held: str) -> None:
    host, guest = in_the_middle(people)
    number = number_of(guest)
    game, since = {
        "all": (1, number),
        "half": (1, number // 2),
        "none": (0, 0),
        "too many": (1, number + 1000),
        "another game": (9, number),
    }[held]

    attending = guest.expect("attending", "resync", g=game, si=since)

    assert attending.get("fn", 0) == (since if held in ("all", "half") else 0)
    assert number_of(guest) == number
    play_on([host, guest], lambda: is_over(host) and is_over(guest))


@pytest.mark.parametrize("with_since", [True, False])
def test_who_lost_the_connection_comes_back_to_the_same_hand_and_turn(people: People, with_since: bool) -> None:
    host, guest = in_the_middle(people)
    assert guest.fold is not None
    hand, number, legal, events = guest.fold.hand, number_of(guest), guest.legal, guest.fold
    guest.close()
    host.until(lambda: host.table["ss"][1].get("aw") == "lost")

    again = people.connect("cy")
    again.fold = events if with_since else None
    since = {"g": 1, "si": number} if with_since else {}
    attending = again.expect("attending", "join", c=host.table["c"], **since)

    assert attending["st"] == 1
    assert again.fold is not None
    assert (again.fold.hand, again.fold.number, again.legal) == (hand, number, legal)
    play_on([host, again], lambda: is_over(host) and is_over(again))


def test_a_snapshot_says_the_commitment_of_a_running_round_and_proves_those_that_are_over(people: People) -> None:
    host, guest = people.two({**RULES, "rounds": 2})
    start(host)
    play_on([host, guest], lambda: host.fold is not None and host.fold.round == 2 and (is_due(host) or is_due(guest)))

    proofs = host.expect("attending", "resync")["pr"]

    assert [proof["r"] for proof in proofs] == [1, 2]
    assert (len(proofs[0]["sc"]), len(proofs[0]["ns"])) == (32, 2)
    assert "sc" not in proofs[1]
    assert "ns" not in proofs[1]


def test_the_seat_of_somebody_who_is_away_is_theirs_even_when_the_table_gathers(people: People) -> None:
    host, guest = people.two()
    guest.close()
    host.until(lambda: host.table["ss"][1].get("aw") == "lost")

    assert people.connect("eve").refusal("join", c=host.table["c"]) == "table/full"

    assert people.connect("cy").expect("attending", "join", c=host.table["c"])["st"] == 1

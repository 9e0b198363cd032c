"""How fast a client may be: what comes too fast is refused by name, and the connection lives on."""

from __future__ import annotations

from tests.conformance.client import Client
from tests.conformance.people import People, start
from tests.conformance.playing import is_over, play_on

MANY = 30
MOST = 1000
"""So many messages in a row that no server takes them all."""


def is_answered(client: Client, number: int) -> bool:
    """Wait for the answer to a request; return false where the server says something else for its last word."""
    client.until(lambda: number in client.answers or "re" not in client.heard[-1])
    return number in client.answers


def test_messages_that_come_too_fast_are_refused_with_a_wait_after_which_they_are_taken(people: People) -> None:
    ann = people.connect("ann")

    numbers = [ann.post("ping") for _ in range(MANY)]

    ann.until(lambda: all(number in ann.answers for number in numbers))
    kinds = [ann.answers[number]["t"] for number in numbers]
    assert set(kinds) == {"pong", "refused"}
    refused = [ann.answers[number] for number in numbers if ann.answers[number]["t"] == "refused"]
    assert {answer["er"] for answer in refused} == {"session/too_fast"}
    assert all(answer["ra"] > 0 for answer in refused)
    ann.expect("pong", "ping")


def test_who_never_stops_is_dropped(people: People) -> None:
    ann = people.connect("ann")

    for _ in range(MOST):
        number = ann.post("ping")
        # One by one, because what a server has not read when it closes can cost a client the last word.
        if not is_answered(ann, number):
            break

    last = ann.until_closed()
    assert (last["er"], last.get("re")) == ("session/too_fast", None)


def test_accepted_actions_on_ones_own_turn_cost_nothing(people: People) -> None:
    host, guest = people.two()
    start(host)

    play_on([host, guest], lambda: is_over(host) and is_over(guest))

    refused = [message for client in (host, guest) for message in client.pushes("refused")]
    assert refused == []


def test_lines_of_talk_that_come_too_fast_are_refused_with_a_wait(people: People) -> None:
    host = people.host("dee")

    answers = [host.ask("say", tx=f"line {number}") for number in range(6)]

    assert [answer["t"] for answer in answers[:5]] == ["done"] * 5
    assert (answers[5]["er"], answers[5]["ra"] > 0) == ("chat/too_fast", True)

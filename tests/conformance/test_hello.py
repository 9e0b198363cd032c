"""Hello: versions, names, tokens, taking over, and silence."""

from __future__ import annotations

import pytest

from tests.conformance.people import People, start


def test_somebody_new_is_welcomed_with_a_name_and_a_token_of_32_bytes(people: People) -> None:
    token = people.token("newcomer")

    again = people.connect("newcomer").welcome

    assert len(token) == 32
    assert again["nm"] == people.name("newcomer")
    assert "tk" not in again, "the token is shown once"


def test_the_welcome_tells_the_version_and_the_levels_of_bots(people: People) -> None:
    welcome = people.connect("ann").welcome

    assert welcome["v"] == 1
    assert all(len(level) == 2 for level in welcome["ls"])


@pytest.mark.parametrize("major", [0, 2, 1000])
def test_another_major_version_is_refused_and_hello_may_be_said_again(people: People, major: int) -> None:
    stranger = people.stranger()

    assert stranger.refusal("hello", v=major, nm="x") == "hello/version"

    stranger.expect("welcome", "hello", v=1, tk=people.token("ann"))


def test_a_later_minor_version_and_abilities_that_it_does_not_know_are_welcome(people: People) -> None:
    stranger = people.stranger()

    stranger.expect("welcome", "hello", v=1, m=99, cn=["flying"], cl="conformance", tk=people.token("ann"))


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 21, "bell\x07", "left\u202e", "nil\u200bwidth", "bot:steady", "BOT:x", "a\u0301\u0301\u0301"],
)
def test_a_name_that_cannot_be_is_refused_and_another_may_be_tried(people: People, name: str) -> None:
    stranger = people.stranger()

    assert stranger.refusal("hello", v=1, nm=name) == "name/invalid"

    stranger.expect("welcome", "hello", v=1, tk=people.token("ann"))


def test_a_name_of_somebody_else_is_refused_with_one_that_is_free(people: People) -> None:
    people.token("ann")
    stranger = people.stranger()

    refused = stranger.expect("refused", "hello", v=1, nm=people.name("ann").upper(), pw=people.server.password)

    assert refused["er"] == "name/taken"
    assert 1 <= len(refused["sg"]) <= 20
    assert stranger.expect("welcome", "hello", v=1, nm=refused["sg"], pw=people.server.password)["nm"] == refused["sg"]


def test_a_token_that_nobody_has_is_refused(people: People) -> None:
    stranger = people.stranger()

    assert stranger.refusal("hello", v=1, tk=bytes(32)) == "hello/token"

    stranger.expect("welcome", "hello", v=1, tk=people.token("ann"))


def test_a_code_that_nobody_has_is_refused(people: People) -> None:
    stranger = people.stranger()

    assert stranger.refusal("hello", v=1, wb="7GK3M0QX9T7GK3M0") == "hello/code"

    stranger.expect("welcome", "hello", v=1, tk=people.token("ann"))


def test_who_is_no_door_cannot_say_whose_key_it_is(people: People) -> None:
    stranger = people.stranger()

    assert stranger.refusal("hello", v=1, nm="ann", dr=bytes(32), fp=bytes(32)) == "hello/door"
    assert stranger.refusal("hello", v=1, nm="ann", fp=bytes(32)) == "hello/door"


def test_nothing_but_a_hello_is_taken_first(people: People) -> None:
    stranger = people.stranger()

    assert stranger.refusal("list") == "hello/first"
    assert stranger.refusal("ping") == "hello/first"

    stranger.expect("welcome", "hello", v=1, tk=people.token("ann"))


def test_hello_is_said_once(people: People) -> None:
    ann = people.connect("ann")

    assert ann.refusal("hello", v=1, nm="somebody") == "hello/again"

    ann.expect("pong", "ping")


def test_a_new_connection_takes_over_at_once_and_the_older_one_is_told_and_closed(people: People) -> None:
    older = people.connect("ann")

    newer = people.connect("ann")

    last = older.until_closed()
    assert (last["t"], last["er"], last.get("re")) == ("refused", "session/taken_over", None)
    newer.expect("pong", "ping")


def test_whoever_takes_over_is_told_their_seats_and_comes_back_to_them(people: People) -> None:
    host, guest = people.two()
    code = host.table["c"]
    start(host)

    newer = people.connect("ann")

    held = next(seat for seat in newer.welcome["ss"] if seat["c"] == code)
    assert (held["st"], held["ph"]) in ((0, "dealing"), (0, "playing"))
    assert newer.expect("attending", "join", c=code)["st"] == 0
    guest.expect("pong", "ping")


def test_a_client_that_is_silent_is_asked_whether_it_lives(people: People) -> None:
    ann = people.connect("ann")

    ann.until(lambda: ann.pushes("ping"))

    ann.expect("pong", "ping")


def test_a_connection_that_never_says_hello_is_closed(people: People) -> None:
    last = people.stranger().until_closed()

    assert (last["t"], last["er"], last.get("re")) == ("refused", "hello/late", None)

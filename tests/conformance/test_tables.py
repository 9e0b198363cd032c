"""The lobby, and coming to a table and going from it."""

from __future__ import annotations

import pytest

from tests.conformance.people import QUICK, RULES, People, start
from tests.conformance.playing import is_due, play_on


def test_every_request_is_answered_once_with_its_own_id_whatever_the_id(people: People) -> None:
    ann = people.connect("ann")
    first = ann.post("ping")
    ann.send({"t": "ping", "id": 2**31 - 1})
    ann.send({"t": "list", "id": 0})
    last = ann.post("ping")

    ann.until(lambda: last in ann.answers)

    assert ann.answers[first]["t"] == "pong"
    answered = [message["re"] for message in ann.heard if "re" in message]
    assert sorted(answered[1:]) == sorted([first, 2**31 - 1, 0, last])


def test_a_new_table_seats_its_host_on_seat_0_under_a_code_of_10_letters(people: People) -> None:
    host = people.host("ann", ti="after dinner")

    assert host.table["st"] == 0
    assert host.table["h"] == people.name("ann")
    assert host.table["ph"] == "gathering"
    assert host.table["ti"] == "after dinner"
    assert len(host.table["c"]) == 10
    assert set(host.table["c"]) <= set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    assert [seat["k"] for seat in host.table["ss"]] == ["person", "open"]


def test_the_lobby_lists_a_public_table_and_leaves_a_private_one_out(people: People) -> None:
    public, private = people.host("ann", pv=False), people.host("dee", pv=True)

    page = people.connect("eve").expect("tables", "list")

    codes = [line["c"] for line in page["ts"]]
    assert public.table["c"] in codes
    assert private.table["c"] not in codes
    line = next(line for line in page["ts"] if line["c"] == public.table["c"])
    assert (line["os"], line["nn"], line.get("np", False)) == (1, [people.name("ann")], False)


def test_a_page_that_there_is_not_is_the_last_one(people: People) -> None:
    page = people.connect("ann").expect("tables", "list", p=1000)

    assert page.get("p", 0) == page.get("ps", 1) - 1


def test_who_subscribes_to_the_lobby_is_told_of_a_new_table_until_they_have_enough(people: People) -> None:
    eve = people.connect("eve")
    eve.expect("tables", "list", su=True)

    code = people.host("ann", pv=False).table["c"]

    eve.until(lambda: any(line["c"] == code for push in eve.pushes("lobby") for line in push["ts"]))
    eve.expect("tables", "list")
    told = len(eve.pushes("lobby"))
    witness = people.connect("cy")
    witness.expect("tables", "list", su=True)
    other = people.host("dee", pv=False).table["c"]
    witness.until(lambda: any(line["c"] == other for push in witness.pushes("lobby") for line in push["ts"]))
    eve.expect("pong", "ping")
    assert len(eve.pushes("lobby")) == told


@pytest.mark.parametrize("way", ["plain", "small", "dashed", "misread"])
def test_a_code_is_read_in_any_of_the_ways_it_may_be_typed(people: People, way: str) -> None:
    host = people.host("ann")
    code: str = host.table["c"]
    typed = {
        "plain": code,
        "small": code.lower(),
        "dashed": f"{code[:5]}-{code[5:]}",
        "misread": code.replace("0", "o").replace("1", "L"),
    }[way]

    assert people.connect("cy").expect("attending", "join", c=typed)["c"] == code


def test_a_guest_sits_down_and_everybody_is_told(people: People) -> None:
    host, guest = people.two()

    assert guest.table["st"] == 1
    assert [seat["nm"] for seat in host.table["ss"]] == [people.name("ann"), people.name("cy")]
    assert all(seat["on"] for seat in host.table["ss"])


def test_a_guest_may_choose_an_open_seat(people: People) -> None:
    host = people.host("ann", {**RULES, "players": 3})

    assert people.guest("cy", host, st=2).table["st"] == 2


def test_who_leaves_before_the_game_leaves_an_open_seat(people: People) -> None:
    host, guest = people.two()

    guest.expect("done", "leave")

    host.until(lambda: host.table["ss"][1]["k"] == "open")


def test_who_steps_away_keeps_the_seat_and_comes_back_to_it(people: People) -> None:
    host, guest = people.two()

    guest.expect("done", "away")

    host.until(lambda: host.table["ss"][1].get("aw") == "lost")
    assert guest.expect("attending", "join", c=host.table["c"])["st"] == 1
    host.until(lambda: host.table["ss"][1].get("on"))


def test_who_makes_another_table_keeps_the_seat_at_the_first(people: People) -> None:
    host, guest = people.two()

    other = guest.expect("attending", "create", ru=RULES, o=QUICK)

    host.until(lambda: host.table["ss"][1].get("aw") == "lost")
    assert other["st"] == 0
    guest.expect("done", "leave")
    assert guest.expect("attending", "join", c=host.table["c"])["st"] == 1


def test_the_host_takes_a_guest_off_their_seat_and_the_guest_is_told(people: People) -> None:
    host, guest = people.two()

    host.expect("done", "unseat", st=1)

    assert guest.until(lambda: guest.pushes("detached"))[0]["er"] == "table/removed"
    assert host.table["ss"][1]["k"] == "open"
    assert guest.refusal("resync") == "table/not_here"


def test_the_host_seats_a_bot_and_takes_it_off_again(people: People) -> None:
    host = people.host("ann")
    level = host.welcome["ls"][0][0]

    host.expect("done", "seat-bot", st=1, lv=level)
    host.until(lambda: host.table["ss"][1]["k"] == "bot")
    assert host.table["ss"][1]["lv"] == level
    host.expect("done", "unseat", st=1)
    host.until(lambda: host.table["ss"][1]["k"] == "open")


def test_the_rights_of_a_host_who_leaves_pass_on(people: People) -> None:
    host, guest = people.two()

    host.expect("done", "leave")

    guest.until(lambda: guest.table["h"] == people.name("cy"))
    guest.expect("done", "seat-bot", st=0, lv=guest.welcome["ls"][0][0])


def test_a_bot_plays_for_who_leaves_a_running_game_and_they_may_come_back(people: People) -> None:
    host, guest = people.two({**RULES, "rounds": 3})
    start(host)
    play_on([host, guest], lambda: is_due(host) or is_due(guest))

    guest.expect("done", "leave")

    host.until(lambda: host.table["ss"][1].get("aw") == "left")
    assert host.table["ss"][1]["sb"]
    guest.fold = None
    assert guest.expect("attending", "join", c=host.table["c"])["st"] == 1
    host.until(lambda: not host.table["ss"][1].get("aw"))


def test_a_spectator_is_named_to_everybody_and_sees_no_hand(people: People) -> None:
    host, guest = people.two()
    watcher = people.watcher("eve", host)
    host.until(lambda: people.name("eve") in host.table.get("wa", []))
    assert "st" not in watcher.table

    start(host)
    play_on([host, guest, watcher], lambda: watcher.fold is not None and watcher.fold.round == 1)

    assert watcher.legal is None
    watcher.expect("done", "leave")
    host.until(lambda: host.table.get("wa", []) == [])


def test_a_line_is_shown_to_everybody_without_what_cannot_be_seen(people: People) -> None:
    host, guest = people.two()

    guest.expect("done", "say", tx="nicely\x1b[31m\ndone\u202e [red]you[/red]")

    said = host.until(lambda: [push["ln"] for push in host.pushes("said") if push["ln"]["k"] == "said"])[-1]
    assert said["tx"] == "nicely[31m done [red]you[/red]"
    assert (said["nm"], said["st"]) == (people.name("cy"), 1)
    assert host.expect("attending", "resync")["ch"][-1]["tx"] == said["tx"]


def test_a_line_of_300_characters_of_four_bytes_is_shown_whole(people: People) -> None:
    host = people.host("ann")

    host.expect("done", "say", tx="😀" * 300)

    assert host.until(lambda: host.pushes("said"))[-1]["ln"]["tx"] == "😀" * 300

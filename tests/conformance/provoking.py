"""How a client brings about each refusal that it can: one function for each code, which returns the code it met."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.conformance.client import Client, take_all
from tests.conformance.fold import Fold, suit_of
from tests.conformance.people import QUICK, RULES, People, start
from tests.conformance.playing import act, actions_of, is_due, is_over, on_turn, play_on

ELSEWHERE = {
    "frame/invalid",
    "frame/too_long",
    "frame/unknown",
    "frame/unreadable",
    "hello/again",
    "hello/code",
    "hello/door",
    "hello/first",
    "hello/late",
    "hello/token",
    "hello/version",
    "name/invalid",
    "name/taken",
    "session/taken_over",
    "session/too_fast",
    "table/removed",
}
"""Codes that the other modules bring about."""
MOST_TABLES = 100
"""More tables than any server lets one person have."""
GAMES = 40
"""So many games are played at most until something comes up in one of them."""


def _running(people: People, **rules: Any) -> tuple[Client, Client]:
    """Return two people in a game, first the one who is on turn."""
    host, guest = people.two({**RULES, **rules})
    start(host)
    due = on_turn([host, guest])
    return (host, guest) if due is host else (guest, host)


def _fold(client: Client) -> Fold:
    assert client.fold is not None
    return client.fold


def _refused(client: Client, action: list[Any]) -> str:
    return client.refusal("act", g=client.game, n=_fold(client).number, a=action)


def _take(client: Client, other: Client, action: list[Any]) -> Client:
    """Take an action, wait until it counted, and return who is on turn then."""
    number = _fold(client).number
    act(client, action)
    take_all([client, other], lambda: _fold(client).number > number)
    return on_turn([client, other])


def _hint_at_a_table_without(people: People) -> str:
    host = people.host("ann", hi=False)
    people.guest("cy", host)
    start(host)
    host.until(lambda: host.fold is not None and host.fold.number > 0)
    return host.refusal("hint", g=host.game, n=_fold(host).number)


def _hint_out_of_turn(people: People) -> str:
    _, other = _running(people)
    return other.refusal("hint", g=other.game, n=_fold(other).number)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _full(people: People) -> str:
    host, _ = people.two()
    return people.connect("eve").refusal("join", c=host.table["c"])


def _password(people: People) -> str:
    host = people.connect("ann")
    code = host.expect("attending", "create", ru=RULES, o=QUICK, pw="carrot")["c"]
    guest = people.connect("cy")
    assert guest.expect("refused", "watch", c=code)["er"] == "table/password"
    refused = guest.refusal("join", c=code, pw="turnip")
    guest.expect("attending", "join", c=code, pw="carrot")
    return refused


def _too_many(people: People) -> str:
    host = people.connect("dee")
    made: list[str] = []
    answer = host.ask("create", ru=RULES, o=QUICK)
    while answer["t"] == "attending" and len(made) < MOST_TABLES:
        made.append(answer["c"])
        answer = host.ask("create", ru=RULES, o=QUICK)
    for code in made[-2::-1]:
        host.expect("done", "leave")
        host.expect("attending", "join", c=code)
    return str(answer.get("er"))


def _started(people: People) -> str:
    due, _ = _running(people)
    return people.connect("eve").refusal("join", c=due.table["c"])


def _no_spectators(people: People) -> str:
    host = people.host("ann", sp=False)
    return people.connect("eve").refusal("watch", c=host.table["c"])


def _own_seat_watched(people: People) -> str:
    host = people.host("ann")
    assert host.refusal("watch", c=host.table["c"]) == "table/seat_taken"
    return people.connect("cy").refusal("join", c=host.table["c"], st=0)


def _bad_rules(people: People) -> str:
    ann = people.connect("ann")
    refused = {ann.refusal("create", ru={**RULES, "hand_size": size}) for size in (1, 17)}
    return refused.pop() if len(refused) == 1 else str(refused)


def _spectator_acts(people: People) -> str:
    due, _ = _running(people)
    watcher = people.watcher("eve", due)
    return _refused(watcher, ["pass"])


def _spectator_talks(people: People) -> str:
    return people.watcher("eve", people.host("ann", sk=False)).refusal("say", tx="hello")


def _too_much_talk(people: People) -> str:
    host = people.host("eve")
    return str([host.ask("say", tx="again") for _ in range(6)][-1].get("er"))


def _not_host(people: People) -> str:
    _, guest = people.two()
    refused = {guest.refusal("start"), guest.refusal("unseat", st=0), guest.refusal("seat-bot", st=0, lv="x")}
    return refused.pop() if len(refused) == 1 else str(refused)


def _stale(people: People) -> str:
    due, _ = _running(people)
    return due.refusal("act", g=due.game, n=_fold(due).number + 1, a=["pass"])


# ── the rules ────────────────────────────────────────────────────────────────────────────────────────────────────


def _not_your_turn(people: People) -> str:
    _, other = _running(people)
    return _refused(other, ["pass"])


def _wrong_phase(people: People) -> str:
    due, _ = _running(people)
    return _refused(due, ["play", min(_fold(due).hand)])


def _not_in_hand(people: People) -> str:
    due, _ = _running(people)
    missing = next(card for card in range(64) if card not in _fold(due).hand)
    return _refused(due, ["bid", missing])


def _max_bid(people: People) -> str:
    first, second = _running(people, max_bid=1)
    assert _take(first, second, ["bid", min(_fold(first).hand)]) is second
    assert _take(second, first, ["pass"]) is first
    return _refused(first, ["bid", min(_fold(first).hand)])


def _game_over(people: People) -> str:
    due, other = _running(people)
    play_on([due, other], lambda: is_over(due) and is_over(other))
    return _refused(due, ["pass"])


def _no_round(people: People) -> str:
    due, other = _running(people, rounds=2)
    _until_scored(due, other)
    return _refused(due, ["pass"])


def _until_scored(due: Client, other: Client) -> None:
    """Play to the end of the round and not beyond it: nobody says to be ready."""
    play_on([due, other], lambda: _fold(due).phase == "none" and _fold(other).phase == "none")


def _getaway_bid(people: People) -> str:
    for _ in range(GAMES):
        due, _ = _running(people, variants=["getaway"], hand_size=16)
        getaway = next((card for card in _fold(due).hand if card >= 60), None)
        if getaway is not None:
            return _refused(due, ["bid", getaway])
        people.go_home()
    return "never"


def _must_bid(people: People) -> str:
    first, second = _running(people, variants=["double-cross"])
    return _refused(_take(first, second, ["pass"]), ["pass"])


def _no_double_cross(people: People) -> str:
    due, _ = _running(people)
    return _refused(due, ["double-cross"])


def _double_cross_empty(people: People) -> str:
    due, _ = _running(people, variants=["double-cross"])
    return _refused(due, ["double-cross"])


def _double_cross_late(people: People) -> str:
    first, second = _running(people, variants=["double-cross"])
    assert _take(first, second, ["bid", min(_fold(first).hand)]) is second
    assert _take(second, first, ["bid", min(_fold(second).hand)]) is first
    assert _take(first, second, ["pass"]) is second
    return _refused(second, ["double-cross"])


def _comes_up(people: People, meets: Callable[[Client], list[Any] | None], **rules: Any) -> str:
    """Play games until an action that is not allowed comes up on somebody's turn, and try it."""
    for _ in range(GAMES):
        host, guest = people.two({**RULES, **rules})
        start(host)
        found = _first_found(meets, host, guest)
        if found is not _NOTHING:
            return _refused(*found)
        people.go_home()
    return "never"


def _first_found(meets: Callable[[Client], list[Any] | None], host: Client, guest: Client) -> tuple[Any, ...]:
    return play_on([host, guest], lambda: _found(meets, host, guest), _bid_first)


_NOTHING: tuple[Any, ...] = ("the game is over",)


def _found(meets: Callable[[Client], list[Any] | None], host: Client, guest: Client) -> tuple[Any, ...]:
    """Return who is on turn with the action that they meet; nothing for now, or _NOTHING once the game is over."""
    for client in (host, guest):
        if is_due(client) and (action := meets(client)) is not None:
            return client, action
    return _NOTHING if is_over(host) and is_over(guest) else ()


def _bid_first(_: Client, actions: list[Any]) -> Any:
    """Choose a bid as long as one is allowed, so that there is something to cover."""
    return actions[0]


def _must_follow(people: People) -> str:
    def meets(client: Client) -> list[Any] | None:
        fold = _fold(client)
        if fold.phase != "playing" or fold.lead() is None:
            return None
        allowed = {card for _, card in actions_of(client)}
        other = [card for card in fold.hand if card not in allowed and suit_of(card) != fold.lead()]
        return ["play", other[0]] if other else None

    return _comes_up(people, meets, hand_size=12)


def _cannot_cover(people: People) -> str:
    def meets(client: Client) -> list[Any] | None:
        fold = _fold(client)
        return ["cover", min(set(range(60)) - fold.coverable())] if fold.phase == "covering" else None

    return _comes_up(people, meets, hand_size=16, max_bid=6)


PROVOKED: dict[str, Callable[[People], str]] = {
    "action/cannot_cover": _cannot_cover,
    "action/double_cross_empty": _double_cross_empty,
    "action/double_cross_late": _double_cross_late,
    "action/game_over": _game_over,
    "action/getaway_bid": _getaway_bid,
    "action/max_bid": _max_bid,
    "action/must_bid": _must_bid,
    "action/must_follow": _must_follow,
    "action/no_double_cross": _no_double_cross,
    "action/no_round": _no_round,
    "action/not_in_hand": _not_in_hand,
    "action/not_your_turn": _not_your_turn,
    "action/stale": _stale,
    "action/wrong_phase": _wrong_phase,
    "chat/empty": lambda people: people.host("ann").refusal("say", tx=" \u200b\x07 "),
    "chat/off": _spectator_talks,
    "chat/too_fast": _too_much_talk,
    "contest/closed": lambda people: people.connect("ann").refusal("contest", ct="duplicate of nothing"),
    "replay/none": lambda people: people.host("ann").refusal("look-at", n=0),
    "game/unknown": lambda people: people.connect("ann").refusal("game", g=2**31 - 1),
    "hint/not_asked": _hint_out_of_turn,
    "hint/off": _hint_at_a_table_without,
    "nonce/not_asked": lambda people: people.host("ann").refusal("nonce", r=1, nc=bytes(16)),
    "ready/not_asked": lambda people: people.host("ann").refusal("ready", r=1),
    "record/none": lambda people: people.host("ann").refusal("record"),
    "table/full": _full,
    "table/no_level": lambda people: people.host("ann").refusal("seat-bot", st=1, lv="no such level"),
    "table/no_spectators": _no_spectators,
    "table/no_such_seat": lambda people: people.host("ann").refusal("seat-bot", st=2, lv="rookie"),
    "table/nobody_there": lambda people: people.host("ann").refusal("unseat", st=1),
    "table/not_here": lambda people: people.connect("ann").refusal("leave"),
    "table/not_host": _not_host,
    "table/not_seated": _spectator_acts,
    "table/not_started": lambda people: people.host("ann").refusal("act", g=1, n=1, a=["pass"]),
    "table/password": _password,
    "table/rules": _bad_rules,
    "table/seat_taken": _own_seat_watched,
    "table/seats_open": lambda people: people.host("ann").refusal("start"),
    "table/started": _started,
    "table/too_many": _too_many,
    "table/unknown": lambda people: people.connect("ann").refusal("join", c="0000000000"),
}

"""A replay is the game as it was: every view of it, the words of its log, and where a key leads from each moment."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.history.replay import NOTHING_PROVES, Replay, only_person
from looseends_client.history.replay_words import allowed_words, next_words, proof_words
from looseends_client.narration import plain
from looseends_client.table_model import TableModel
from looseends_core.actions import DOUBLE_CROSS, PASS, Bid, Play
from looseends_core.cards import parse
from looseends_core.decide import legal_actions
from looseends_core.record import GameRecord, record_from_json, record_of
from looseends_core.rules import rule_set
from looseends_core.state import State
from looseends_protocol.messages import CreateTable, Games, GetGame, ListGames, RecordText, TableOptions
from tests.client.at_house import Guest
from tests.client.games import NAMES, any_game
from tests.client.on_screen import opened
from tests.server.kept_games import record
from tests.server.peers import settled

GAME = record("ann", "bot:rookie", "bob", seed=7, variants=("plan-b", "double-cross"))


class Watched:
    """What a guest saw: the view and the story of it after every push, by state number."""

    def __init__(self, guest: Guest) -> None:
        self.views: dict[int, State] = {}
        self.stories: dict[int, list[str]] = {}
        self._guest = guest
        take = guest.client.on_push

        def taken(pushed: msgspec.Struct) -> None:
            take(pushed)
            if guest.attendance is not None:
                self.look(guest.at.model)

        guest.client.on_push = taken

    def look(self, model: TableModel) -> None:
        if model.game:
            self.views[model.state.number] = model.state.copy()
            self.stories[model.state.number] = story(model)


def story(model: TableModel) -> list[str]:
    return [plain(line.words) for line in model.log if line.kind == "story"]


async def test_a_replay_at_every_step_is_what_each_seat_saw_live() -> None:
    rules = rule_set(4, ["plan-b", "double-cross", "getaway"], rounds=2, hand_size=7)
    async with opened(3) as (house, clock):
        ann, bob, eve = (Guest(house, name, clock) for name in ("ann", "bob", "eve"))
        for guest in (ann, bob, eve):
            await guest.client.connect()
        await ann.go(CreateTable(0, rules, TableOptions(bots=0)))
        await bob.join(ann.at.model.code)
        await eve.watch(ann.at.model.code)
        seen = [Watched(guest) for guest in (ann, bob, eve)]
        for seat in (2, 3):
            await ann.at.seat_bot(seat, "rookie")
        await ann.at.start()

        while ann.at.model.phase != "over":
            await settled(5)
            for guest in (ann, bob):
                model = guest.at.model
                if model.my_turn:
                    await guest.at.act(guest.rng.choice(model.legal()))
                elif model.phase == "between" and model.seat not in model.ready:
                    await guest.at.be_ready()
            await clock.advance(0.05)
        await clock.advance(1)
        places: tuple[int | None, ...] = (0, 1, None)
        for guest, watched, place in zip((ann, bob, eve), seen, places, strict=True):
            page = await guest.client.request(ListGames(0, own=False), Games)
            (line,) = page.games
            assert line.seat == place
            text = await guest.client.request(GetGame(0, line.game), RecordText)
            replay = Replay(record_from_json(msgspec.json.decode(text.record)), line.seat, game=line.game)
            assert len(watched.views) > 30
            for number, view in watched.views.items():
                assert replay.view(number, place) == view
                assert story(replay.model(number, place)) == watched.stories[number]
            stops = {stop.number for stop in replay.stops}
            assert stops <= watched.views.keys()
        for guest in (ann, bob, eve):
            await guest.client.close()


@given(any_game(), st.data())
def test_any_moment_of_any_game_says_who_was_due_what_was_allowed_and_what_was_done(
    game: tuple[object, ...], data: st.DataObject
) -> None:
    rules, events = game
    replay = Replay(record_of(rules, NAMES[: rules.players], events))  # type: ignore[attr-defined,arg-type]
    assert replay.events == tuple(events)  # type: ignore[arg-type]
    at = data.draw(st.integers(0, len(replay.stops) - 1))
    stop = replay.stops[at]
    whole = replay.whole(stop.number)
    assert whole.turn == stop.turn
    assert list(stop.legal) == (legal_actions(whole) if whole.turn is not None else [])
    assert (stop.taken in stop.legal) == (stop.turn is not None)
    if stop.turn is not None:
        view = replay.view(stop.number, stop.turn)
        assert legal_actions(view) == list(stop.legal)
        model = replay.model(stop.number, stop.turn)
        assert model.state == view
        assert model.legal() == list(stop.legal)


@given(any_game(), st.data())
def test_every_way_forwards_has_a_way_back_and_all_end_at_the_ends(
    game: tuple[object, ...], data: st.DataObject
) -> None:
    rules, events = game
    replay = Replay(record_of(rules, NAMES[: rules.players], events))  # type: ignore[attr-defined,arg-type]
    last = len(replay.stops) - 1
    at = data.draw(st.integers(0, last))
    for go in (replay.step, replay.trick, replay.round):
        ahead, back = go(at, 1), go(at, -1)
        assert ahead > at or at == last
        assert back < at or at == 0
        reached = 0
        while reached != last:
            assert go(reached, 1) > reached
            reached = go(reached, 1)
    assert replay.step(replay.step(at, 1), -1) in (at, last - 1)
    assert replay.stops[replay.round(at, 1)].round in (replay.stops[at].round, replay.stops[at].round + 1)
    seat = data.draw(st.integers(0, replay.rules.players - 1))
    mine = [n for n, stop in enumerate(replay.stops) if stop.turn == seat and len(stop.legal) > 1]
    assert replay.decision(at, 1, seat) == next((n for n in mine if n > at), at)
    assert replay.decision(at, -1, seat) == next((n for n in reversed(mine) if n < at), at)
    assert replay.at_number(replay.stops[at].number) == at


def test_tricks_begin_behind_planning_and_a_round_behind_its_last_trick() -> None:
    replay = Replay(GAME)
    first = replay.trick(0, 1)
    assert replay.stops[first].trick == 1
    assert replay.whole(replay.stops[first].number).trick == []
    assert replay.trick(first + 1, -1) == first
    assert replay.trick(first, -1) == 0
    end = replay.stops[-1]
    assert end.turn is None
    assert end.taken is None
    assert next_words(end, ("a", "b", "c"), told_all=True) == ()


def test_deals_are_proven_or_said_not_to_be() -> None:
    proven = Replay(GAME, 0)
    model = proven.model(proven.stops[-1].number, 0)
    assert model.proofs[1].proven
    assert model.proofs[1].words == "deal proven, nonces 3 of 3"
    assert proof_words(proven) == "deals proven"
    bare = Replay(record("ann", "bob", seed=3, proven=False), 0)
    assert bare.model(bare.stops[-1].number, 0).proofs[1].words == NOTHING_PROVES
    assert bare.model(0, 0).proofs == {}
    assert proof_words(bare) == "deals not proven"
    one = msgspec.structs.replace(GAME.rounds[0], fairness=None)
    half: GameRecord = msgspec.structs.replace(GAME, rounds=(*GAME.rounds, one))
    assert proof_words(_named(half)) == "deal of round 2 not proven"


def _named(of: GameRecord) -> Replay:
    """Return a replay that holds a record which it could not be made of."""
    replay = Replay(GAME)
    replay.record = of
    return replay


def test_names_stay_the_same_through_whichever_seat_one_looks() -> None:
    mine = Replay(GAME, 2)
    assert mine.model(5, 0).names == mine.model(5, 2).names == ["ann", "rookie", "you"]
    assert Replay(GAME).model(5, 1).names == ["ann", "rookie", "bob"]


def test_the_one_person_among_bots_is_the_reader() -> None:
    assert only_person(record("bot:fox", "ann", seed=2)) == 1
    assert only_person(GAME) is None
    assert only_person(record("bot:fox", "bot:fox", seed=2)) is None


@pytest.mark.parametrize(
    ("legal", "words"),
    [
        ((PASS,), "Nothing else was allowed."),
        ((Bid(parse("G5")), Bid(parse("R2")), PASS), "Allowed: G♣5 or R♥2, or to pass."),
        ((Play(parse("G5")), Play(parse("R2"))), "Allowed: G♣5 or R♥2."),
        ((PASS, DOUBLE_CROSS), "Allowed: to pass or to double-cross."),
        (tuple(Play(card) for card in range(6)), "Allowed: any of 6 cards."),
    ],
)
def test_what_was_allowed_is_told_in_a_sentence(legal: tuple[object, ...], words: str) -> None:
    assert plain(allowed_words(legal)) == words  # type: ignore[arg-type]


def test_what_comes_next_is_told_with_the_verb_of_whoever_does_it() -> None:
    stop = Replay(GAME).stops[0]
    assert stop.turn is not None
    names = ["you"] * 3
    card = parse("G5")
    for action, mine, theirs in (
        (Bid(card), "Next you bid G♣5.", "Next ann bids G♣5."),
        (Play(card), "Next you play G♣5.", "Next ann plays G♣5."),
        (PASS, "Next you pass.", "Next ann passes."),
        (DOUBLE_CROSS, "Next you double-cross.", "Next ann double-crosses."),
    ):
        moment = msgspec.structs.replace(stop, taken=action)
        assert plain(next_words(moment, names, told_all=False)) == mine
        assert plain(next_words(moment, ["ann"] * 3, told_all=False)) == theirs
        assert "Allowed" in plain(next_words(moment, names, told_all=True))


def test_a_record_that_is_not_finished_ends_where_it_was_left() -> None:
    (played,) = GAME.rounds
    left = msgspec.structs.replace(played, actions=played.actions[:9], delta=None)
    replay = Replay(msgspec.structs.replace(GAME, rounds=(left,), scores=None, winners=None), 0)
    last = replay.stops[-1]
    assert last.turn is not None
    assert last.taken is None
    assert next_words(last, NAMES, told_all=True) == ()
    assert replay.model(last.number, 0).phase == "playing"

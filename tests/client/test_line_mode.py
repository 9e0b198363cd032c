"""The line mode from the lobby to a table and back, alone and with others, through losses and ends of every kind."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from looseends_client.starting import StartAlone, StartLobby
from looseends_core.actions import PASS
from looseends_core.rules import rule_set
from looseends_protocol.legal import actions_of
from looseends_protocol.messages import (
    Act,
    BeReady,
    JoinTable,
    LeaveTable,
    Notice,
    Say,
    StartGame,
    TableOptions,
    Unseat,
)
from looseends_server.house import House
from tests.client.at_house import CutLine
from tests.client.on_lines import OnLines, on_lines
from tests.client.on_screen import opened, wish
from tests.client.scripted_server import ClientClock
from tests.client.test_hint_and_coach import PlantedMinds, best_is, is_pass, plant
from tests.server.peers import FAST, Peer, arrive, seated_table

Place = tuple[House, ClientClock]


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with opened() as (house, clock):
        yield house, clock


def code_of(peer: Peer) -> str:
    assert peer.table is not None
    return peer.table.code


def hand_in(lines: list[str]) -> list[str]:
    told = next(line for line in reversed(lines) if line.startswith("Your hand"))
    return re.findall(r"[BRGY]\d+", told)


class TestTheLobby:
    async def test_is_told_with_what_to_do_where_no_table_is_open(self, place: Place) -> None:
        async with on_lines(*place, StartLobby(word="You begin anew.")) as on:
            told = await on.heard()
            assert told[0] == "No Loose Ends. Type help for the commands."
            assert told[1].startswith("You are ann at ")
            assert told[2:] == ["You begin anew.", "No table is open: type new to open one.", "Lobby:"]

    async def test_lists_tables_by_numbers_that_join_and_watch_them(self, place: Place) -> None:
        ann, _ = await seated_table(place[0], ["ann", "bob"], rule_set(3), TableOptions(title="Friday"))
        code = code_of(ann)
        async with on_lines(*place, name="cy") as on:
            assert "1: Friday, 2 of 3 seats taken, 3 players, no variants, ann and bob." in await on.heard()
            assert await on.type("join 9") == ["Type join and the number or the code of a table; list tells them."]
            told = await on.type("JOIN 1")
            assert told[0] == "You are at Friday."
            assert "Seat 3: you." in told
            assert f"{code[:5]}-{code[5:]} is the table's code." in told
            await on.type("leave")
            assert (await on.type(f"w {code.lower()}"))[0] == "You watch Friday."
            assert await on.type("start") == ["Only the host of the table may do that."]

    async def test_tells_what_changes_and_keeps_its_numbers(self, place: Place) -> None:
        house, clock = place
        async with on_lines(house, clock, name="cy") as on:
            await on.heard()
            (ann,) = await seated_table(house, ["ann"], rule_set(2), TableOptions(title="One"))
            assert "1 of 2 seats taken" in await on.says("1: One")
            (dee,) = await seated_table(house, ["dee"], rule_set(2), TableOptions(title="Two"))
            assert "1 of 2 seats taken" in await on.says("2: Two")
            bob, _ = await arrive(house, "bob")
            bob.post(JoinTable(0, code_of(ann)))
            assert "2 of 2 seats taken" in await on.says("1: One")
            ann.post(StartGame(0))
            assert "plays" in await on.says("1: One")
            assert (await on.type("join 2"))[0] == "You are at Two."
            assert code_of(dee) in house.tables

    async def test_a_table_that_goes_is_told_by_its_number(self, place: Place) -> None:
        house, clock = place
        (ann,) = await seated_table(house, ["ann"], rule_set(2), TableOptions(title="One"))
        async with on_lines(house, clock, name="cy") as on:
            await on.heard()
            await ann.ask(LeaveTable(0))
            assert await on.says("1: ") == "1: not there any more."

    async def test_a_new_table_by_its_options(self, place: Place) -> None:
        async with on_lines(*place) as on:
            told = await on.type("new 3 Plan B, getaway rounds 2 clock 60 wait private title Rainy  Day")
            assert told[:3] == [
                "You are at Rainy Day.",
                "Rules: 3 players, Getaway, Plan B, 2 rounds.",
                "Table: 60 seconds a turn, waits for who is away, private.",
            ]

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ("7", "players"),
            ("chess", "chess is no option of a table. Type help new for all of them."),
            ("rounds many", "rounds takes a whole number."),
            ("rounds", "rounds takes a whole number."),
            ("rounds 99", "rounds"),
            ("clock 99999", "clock is from 0 to 3600 seconds, pace from 0 to 5000 milliseconds."),
            ("bots oracle", "bots takes levels: "),
            ("9" * 300, "players"),
        ],
    )
    async def test_options_that_make_no_table(self, place: Place, options: str, said: str) -> None:
        async with on_lines(*place) as on:
            (line,) = await on.type(f"new {options}")
            assert said in line
            assert (await on.type("help new"))[0] == "new, then any of these in any order:"

    async def test_with_bots_a_new_table_begins_at_once(self, place: Place) -> None:
        async with on_lines(*place) as on:
            await on.type_until("new 2 bots rookie simplified", "Your hand, 16 cards: ")
            assert "simplified" in " ".join(await on.type("rules at this"))

    async def test_rules_and_their_parts(self, place: Place) -> None:
        async with on_lines(*place) as on:
            assert len(await on.type("rules")) > 30
            assert (await on.type("rules scoring"))[0] == "Scoring a round:"
            assert (await on.type("rules chess"))[0].startswith("Parts of the rules: In a nutshell, Cards")

    async def test_more_tables_than_a_page_holds(self, place: Place) -> None:
        house, clock = place
        for number in range(51):
            await seated_table(house, [f"host{number}"], rule_set(2), TableOptions(title=f"No. {number}"))
        async with on_lines(house, clock) as on:
            told = await on.heard()
            assert told[-2:] == ["Page 1 of 2.", "Lobby:"]
            assert told[-3].startswith("50: ")
            told = await on.type("page")
            assert told[0].startswith("1: ")
            assert told[1:] == ["Page 2 of 2."]
            assert (await on.type("page 1"))[-1] == "Page 1 of 2."


class TestPasswords:
    async def test_that_of_a_table_is_asked_once_and_not_shown(self, place: Place) -> None:
        async with (
            on_lines(*place, interactive=True) as host,
            on_lines(*place, name="bob", interactive=True) as on,
        ):
            assert (await host.type("new 2 password title Secret"))[-1] == "The password of your new table: "
            await host.type_until("tru st", "You are at Secret.")
            assert "Secret, 1 of 2 seats taken, password" in (await on.type("list"))[0]
            assert (await on.type("join 1"))[-1] == "The table's password: "
            await on.type_until("wrong", "Lobby: ")
            assert (await on.type("join 1"))[-1] == "The table's password: "
            await on.type_until("tru st", "You are at Secret.")
            assert host.channel.typing_shown == [False, True]
            assert on.channel.typing_shown == [False, True] * 2
            assert "tru st" not in on.channel.written + host.channel.written

    async def test_none_typed_is_never_mind(self, place: Place) -> None:
        async with on_lines(*place) as on:
            assert await on.type("new password") == ["The password of your new table:"]
            assert await on.type("") == ["No table was opened."]
            assert not place[0].tables


class TestBeforeAGame:
    async def test_the_host_seats_bots_frees_seats_and_starts(self, place: Place) -> None:
        async with on_lines(*place) as on:
            await on.type("new 3")
            assert "Levels of bots: " in (await on.type("bot 2 oracle"))[0]
            assert await on.type("bot 9") == ["That seat is not open."]
            assert len(await on.type("bot 3 rookie")) == 1
            assert "Seat 3: rookie, bot, rookie." in await on.type("table")
            assert await on.type("remove 2") == ["Nobody sits there."]
            assert await on.type("remove 1") == ["That is your own seat: leave gives it up."]
            assert await on.type("remove x") == ["Type remove and a seat, 1 to 3."]
            assert len(await on.type("remove 3")) == 1
            assert "Seat 3: open." in await on.type("table")
            await on.type("bot")
            assert (await on.type("bot"))[-1] == "Every seat is taken, type start:"
            assert await on.type("bot") == ["Every seat is taken."]
            assert await on.type("legal") == ["legal does nothing here. Type help for what does."]
            await on.type_until("start", "Your hand, 16 cards: ")

    async def test_a_guest_is_told_that_only_the_host_may(self, place: Place) -> None:
        (bob,) = await seated_table(place[0], ["bob"], rule_set(3))
        async with on_lines(*place, StartLobby(code_of(bob))) as on:
            for command in ("start", "bot", "remove 1"):
                assert await on.type(command) == ["Only the host of the table may do that."]


class TestAlone:
    async def test_a_game_begins_at_once_and_can_be_left_and_gone_on_with(self, place: Place) -> None:
        async with on_lines(*place, StartAlone(wish())) as on:
            hand = await on.says("Your hand, six cards: ")
            assert on.channel.lines[1] == "You are at Friday."
            assert await on.type("say hello") == ["There is nobody to talk to: the others are bots."]
            assert (await on.type("away"))[0].startswith("1: Friday, your ")
            told = await on.type("go")
            assert told[0] == "You are at Friday."
            assert hand in told

    async def test_a_script_that_knows_of_no_turns_is_read_as_the_game_gets_there(self, place: Place) -> None:
        async with on_lines(*place, StartAlone(wish(rule_set(3, rounds=1, hand_size=4)))) as on:
            on.channel.type("hand", "pass", "x9", "hand")
            await on.says("You pass")
            told = on.channel.lines
            dealt = next(at for at, line in enumerate(told) if line.startswith("Your hand, four cards: "))
            assert not [line for line in told[:dealt] if "card" in line], "nothing is answered before the deal is there"
            card = hand_in(told)[0]
            on.channel.type(card)
            await on.says(card)
            assert not [line for line in on.channel.lines if "not your turn" in line]

    async def test_a_script_asks_a_table_of_people_at_any_time(self, place: Place) -> None:
        async with with_bob(place) as pair:
            await pair.turn()
            await pair.on.type("pass")
            assert await pair.on.type("pass") == ["It is not your turn: bob bids or passes."]

    async def test_an_unfinished_game_is_offered_first(self, place: Place) -> None:
        async with on_lines(*place, StartAlone(wish())) as on:
            await on.says("Your hand")
            on.channel.end()
            assert await on.ends() == 0
            assert on.channel.lines[-2] == "Your seat is kept."
        async with on_lines(*place, StartAlone(wish()), token=on.token) as again:
            told = await again.heard()
            assert told[1] == "You have a game that is not finished: type go to go on with it, or new for another."
            assert (await again.type("new"))[0] == "You are at Friday."
            await again.type("away")
            assert [line[:9] for line in await again.type("list")] == ["1: Friday", "2: Friday"]
            assert await again.type("go 7") == ["Type go and the number or the code of a table; list tells them."]

    async def test_a_game_given_up_is_gone(self, place: Place) -> None:
        async with on_lines(*place, StartAlone(wish())) as on:
            await on.says("Your hand")
            asked = ["That gives the game up; away keeps it.", "Type leave again to do it, anything else not to."]
            assert await on.type("leave") == asked
            await on.type("hand")
            assert await on.type("leave") == asked
            assert "No game is open: type new to begin one." in await on.type("leave")
            assert (await on.type("new 2 bots rookie"))[0] == "You are at Practice."


class Pair:
    """Somebody at the line mode, and bob, who made the table, bids `bids` cards and then does the first legal thing."""

    def __init__(self, on: OnLines, bob: Peer, *, bids: int) -> None:
        self.on = on
        self.bob = bob
        self._bids = bids
        self.hand: list[str] = []

    def _bob_acts(self) -> None:
        view, legal = self.bob.view, self.bob.legal
        if view is None or legal is None:
            return
        self.bob.legal = None
        choices = actions_of(legal, view.phase)
        if PASS in choices and len(view.bids[0]) >= self._bids:
            choices = [PASS]
        self.bob.post(Act(0, self.bob.game, view.number, choices[0]))

    @property
    def asked(self) -> str:
        """What is asked and not answered, empty while nothing is."""
        for line in reversed(self.on.channel.lines):
            if line.startswith(("Your turn", "Type ready")):
                return line
            if line.startswith(("You bid", "You pass", "You play", "You lead", "You double", "You are ready")):
                break
        return ""

    async def turn(self) -> str:
        """Let bob play until something is asked, and return it."""
        for _ in range(100):
            await self.on.heard()
            if self.asked:
                return self.asked
            self._bob_acts()
            await self.on.clock.advance(0.1)
        raise AssertionError(self.on.channel.written)

    async def plays(self) -> list[str]:
        """Answer what is asked with the first card that fits, and return what comes back."""
        asked = await self.turn()
        hand = hand_in(self.on.channel.lines)
        laid = re.findall(r"\nYou (?:bid|play|lead) ([BRGY]\d+)\.", self.on.channel.written)
        self.hand = [card for card in hand if card not in laid[-len(hand) :]]
        cover, follow = re.search(r"cover ([BRGY]\d+)", asked), re.search(r"follow ([BRGY])", asked)
        if cover is not None:
            return await self.on.type(cover[1])
        if "bid" in asked and "must bid" not in asked:
            return await self.on.type("pass")
        return await self.on.type(next(c for c in self.hand if follow is None or c.startswith(follow[1])))


@asynccontextmanager
async def with_bob(
    place: Place, *, interactive: bool = False, options: TableOptions = FAST, bids: int = 1
) -> AsyncIterator[Pair]:
    """Seat somebody at the line mode beside bob, at a table for two that has started."""
    house, clock = place
    (bob,) = await seated_table(house, ["bob"], rule_set(2, ["double-cross"], rounds=2, hand_size=4), options)
    async with on_lines(house, clock, StartLobby(code_of(bob)), interactive=interactive) as on:
        await on.heard()
        bob.post(StartGame(0))
        await on.says("Your hand")
        yield Pair(on, bob, bids=bids)


class TestPlaying:
    async def test_what_cannot_be_done_is_refused_with_the_reason(self, place: Place) -> None:
        async with with_bob(place) as pair:
            on = pair.on
            await pair.turn()
            hand = hand_in(on.channel.lines)
            other = next(f"{suit}{rank}" for suit in "BRGY" for rank in range(1, 13) if f"{suit}{rank}" not in hand)
            assert await on.type("double") == ["You have no bid card to take back: pass to snitch."]
            assert await on.type(other) == [f"{other} is not among your cards."]
            assert await on.type("play") == ["Which card? Type its name, as in r9 or red 9."]
            assert await on.type("play x") == ["You have no Getaway card there."]
            assert f"You bid {hand[0]}." in await on.type(f"play {hand[0].lower()}")
            assert await on.type(hand[1]) == ["It is not your turn: bob bids or passes."]
            assert await on.type("legal", "why pass", "double") == ["It is not your turn: bob bids or passes."] * 3

    async def test_a_double_cross_is_asked_again_and_anything_else_calls_it_off(self, place: Place) -> None:
        async with with_bob(place, bids=2) as pair:
            on = pair.on
            await pair.turn()
            await on.type(hand_in(on.channel.lines)[0])
            await pair.turn()
            asked = [
                "Double-cross: take back your bid card and snitch? It cannot be undone.",
                "Type double again to do it, anything else not to.",
            ]
            assert await on.type("d") == asked
            await on.type("bids")
            assert await on.type("DC") == asked
            told = await on.type("double")
            assert told[0] == "You double-cross and pick up one card."
            assert told[1].startswith("Your hand, four cards: ")
            assert any(line.startswith("You: snitching") for line in await on.type("bids"))

    async def test_a_double_cross_that_is_too_late(self, place: Place) -> None:
        async with with_bob(place, bids=0) as pair:
            await pair.turn()
            told = await pair.on.type("double", hand_in(pair.on.channel.lines)[0])
            await pair.turn()
            assert told[0] in (
                "You have no bid card to take back: pass to snitch.",
                "Only the first player to pass may double-cross.",
            )
            assert await pair.on.type("double") == ["Only the first player to pass may double-cross."]

    async def test_talk_goes_both_ways(self, place: Place) -> None:
        async with with_bob(place) as pair:
            assert await pair.on.type("'hello bob") == ["Said by you: hello bob"]
            pair.bob.post(Say(0, "hello \x1b[31mann"))
            assert await pair.on.heard() == ["Said by bob: hello [31mann"]
            assert await pair.on.type("say") == ["Type say and what you want to say."]

    async def test_somebody_who_is_muted_is_left_out_until_they_are_not(self, place: Place) -> None:
        async with with_bob(place) as pair:
            on = pair.on
            asked = ["Type mute and the name of a person at the table; people tells them."]
            assert await on.type("mute") == await on.type("mute ann") == await on.type("mute zoe") == asked
            assert await on.type("mute BOB") == ["What bob says is left out from now on."]
            assert await on.type("people") == ["Seat 1: bob, host, muted by you.", "Seat 2: you."]
            pair.bob.post(Say(0, "one"))
            assert await on.heard() == []
            assert await on.type("unmute b") == ["What bob says is told again."]
            pair.bob.post(Say(0, "two"))
            assert await on.heard() == ["Said by bob: two"]

    async def test_ready_where_nobody_waits(self, place: Place) -> None:
        async with with_bob(place) as pair:
            assert await pair.on.type("ready") == ["Nobody waits for you to be ready."]

    async def test_why(self, place: Place) -> None:
        async with with_bob(place) as pair:
            await pair.turn()
            card = hand_in(pair.on.channel.lines)[0]
            assert await pair.on.type("why") == ["Type why and a card, as in why r9."]
            assert await pair.on.type("why x") == ["You have no Getaway card there."]
            assert await pair.on.type("why pass") == ["You may pass."]
            assert (await pair.on.type(f"why {card}"))[0].startswith(f"{card} is covered when you win with ")

    async def test_cards_in_words(self, place: Place) -> None:
        async with with_bob(place) as pair:
            assert await pair.on.type("cards w") == ["Cards are written like red 9."]
            assert re.match(r"Your hand, four cards: (blue|red|green|yellow) \d", (await pair.on.type("h"))[0])
            assert await pair.on.type("cards") == ["Type cards and one of letters, words, shapes."]

    async def test_what_was_said_is_said_again(self, place: Place) -> None:
        async with with_bob(place) as pair:
            told = await pair.on.type("hand")
            assert await pair.on.type(".") == told
            assert await pair.on.type("repeat") == told

    async def test_the_log_by_so_many_lines(self, place: Place) -> None:
        async with with_bob(place) as pair:
            await pair.plays()
            assert await pair.on.type("log 1") == (await pair.on.type("log"))[-1:]
            assert await pair.on.type("log 0") == ["Nothing has happened yet."]

    async def test_a_round_ends_in_ready_and_the_next_is_dealt(self, place: Place) -> None:
        async with with_bob(place) as pair:
            on = pair.on
            while (await pair.turn()) != "Type ready for the next round:":
                await pair.plays()
            assert await on.type("ready") == ["You are ready, 1 of 2."]
            assert await on.type("next") == ["You have said so; the others have not yet."]
            assert any(line.startswith("Round 1: deal proven") for line in await on.type("score"))
            pair.bob.post(BeReady(0, 1))
            await on.says("Round 2 of ")
            assert (await pair.turn()).startswith("Your turn, ")


class TestAHint:
    async def test_says_what_to_do_and_why(self, place: Place) -> None:
        plant(place[0], PlantedMinds(best_is(is_pass)))
        async with with_bob(place) as pair:
            await pair.turn()
            (hint,) = await pair.on.type("hint")
            assert hint.startswith("Pass")
            assert hint.isascii()

    async def test_is_for_ones_own_turn(self, place: Place) -> None:
        plant(place[0], PlantedMinds(best_is(is_pass)))
        async with with_bob(place) as pair:
            await pair.turn()
            await pair.on.type(hand_in(pair.on.channel.lines)[0])
            assert await pair.on.type("hint") == ["It is not your turn: bob bids or passes."]

    async def test_that_nobody_thinks_of_is_refused_in_words(self, place: Place) -> None:
        plant(place[0], PlantedMinds(lambda question: None))
        async with with_bob(place) as pair:
            await pair.turn()
            (said,) = await pair.on.type("hint")
            assert said.endswith(".")
            assert "hint" in said

    async def test_where_the_table_gives_none(self, place: Place) -> None:
        async with with_bob(place, options=TableOptions(bots=0, hint=False)) as pair:
            await pair.turn()
            assert await pair.on.type("hi") == ["This table gives no hints."]


class TestThePrompt:
    async def test_of_a_person_stands_open_and_comes_again_after_what_others_do(self, place: Place) -> None:
        async with with_bob(place, interactive=True) as pair:
            on = pair.on
            asked = await pair.turn()
            assert re.fullmatch(r"Your turn, .*: ", asked)
            assert on.channel.written.endswith(f"\n{asked}"), "the line stays open"
            pair.bob.post(Say(0, "hello"))
            assert await on.heard() == ["", "Said by bob: hello", asked]
            assert await on.type("") == [asked]
            assert (await on.type("hnd"))[-1] == asked

    async def test_where_nothing_is_asked(self, place: Place) -> None:
        async with with_bob(place, interactive=True) as pair:
            await pair.turn()
            assert (await pair.on.type("pass"))[-1] == "> "

    async def test_of_the_lobby(self, place: Place) -> None:
        async with on_lines(*place, interactive=True) as on:
            assert (await on.heard())[-1] == "Lobby: "
            assert await on.type("") == ["Lobby: "]

    async def test_warns_ten_seconds_before_a_turn_runs_out(self, place: Place) -> None:
        async with with_bob(place, options=TableOptions(clock_seconds=30, bots=0)) as pair:
            assert re.match(r"Your turn \((29|30) seconds\), ", await pair.turn())
            await pair.on.clock.advance(15)
            assert await pair.on.heard() == []
            await pair.on.clock.advance(5.5)
            assert await pair.on.heard() == ["10 seconds left for your turn."]


class TestGoing:
    async def test_the_end_of_input_steps_away_and_keeps_the_seat(self, place: Place) -> None:
        house, clock = place
        async with with_bob(place) as pair:
            hand = hand_in(pair.on.channel.lines)
            pair.on.channel.end()
            assert await pair.on.ends() == 0
            assert pair.on.channel.lines[-2:] == ["Your seat is kept.", ""]
        async with on_lines(house, clock, token=pair.on.token) as again:
            assert hand_in(await again.heard()) == hand

    async def test_quit_does_the_same_and_says_how_to_come_back(self, place: Place) -> None:
        (bob,) = await seated_table(place[0], ["bob"], rule_set(3))
        way = "looseends join games.example --name ann --plain"
        async with on_lines(*place, StartLobby(code_of(bob), come_back=way)) as on:
            await on.type("quit")
            assert await on.ends() == 0
            assert on.channel.lines[-2] == f"Your seat is kept. To come back: {way}"

    async def test_quitting_the_lobby_without_a_seat_says_nothing_more(self, place: Place) -> None:
        async with on_lines(*place) as on:
            await on.type("q")
            assert await on.ends() == 0
            assert on.channel.lines[-2] == "Lobby:"

    async def test_nobody_reading_any_more_is_an_error_of_the_channel(self, place: Place) -> None:
        async with with_bob(place) as pair:
            pair.on.channel.closed = True
            pair.bob.post(Say(0, "hello"))
            with pytest.raises(BrokenPipeError):
                await pair.on.ends()

    async def test_a_seat_given_up_in_a_running_game_is_asked_about(self, place: Place) -> None:
        async with with_bob(place) as pair:
            assert await pair.on.type("leave") == [
                "That gives your seat up, and a bot plays on for you; away keeps it.",
                "Type leave again to do it, anything else not to.",
            ]
            told = await pair.on.type("leave")
            assert told[-1] == "Lobby:"
            assert not any("your seat is kept" in line or "your turn" in line for line in told)

    async def test_a_seat_that_is_kept_is_listed_first_and_led_back_to(self, place: Place) -> None:
        async with with_bob(place) as pair:
            told = await pair.on.type("away")
            assert re.match(r"1: .*, your (turn|seat is kept)\.", told[0])
            assert (await pair.on.type("join 1"))[0].startswith("You are at ")


class TestTheConnection:
    async def test_lost_and_back(self, place: Place) -> None:
        house, clock = place
        line = CutLine(house)
        (bob,) = await seated_table(house, ["bob"], rule_set(2, rounds=1, hand_size=4))
        async with on_lines(line.connect, clock, StartLobby(code_of(bob))) as on:
            await on.heard()
            bob.post(StartGame(0))
            await on.says("Your hand")
            line.cut()
            assert "The connection is lost: trying again until it is back." in await on.heard()
            assert await on.type("say hello") == ["There is no connection to the server at the moment."]
            assert (await on.type("hand"))[0].startswith("Your hand, four cards: ")
            await on.says("Connected again.")
            assert "Said by you: hello" in await on.type("say hello")
            line.cut()
            await on.heard()
            told = await on.type("leave", "leave")
            assert "There is no connection, so the server does not know that you gave up your seat." in told

    async def test_lost_in_the_lobby(self, place: Place) -> None:
        line = CutLine(place[0])
        async with on_lines(line.connect, place[1]) as on:
            await on.heard()
            line.cut()
            assert await on.heard() == ["The connection is lost: trying again until it is back."]
            assert await on.type("list") == ["There is no connection to the server at the moment."]
            await on.says("No table is open")
            assert "Connected again." in on.channel.lines

    async def test_taken_over_ends_it_with_the_reason(self, place: Place) -> None:
        async with with_bob(place) as pair, on_lines(*place, token=pair.on.token) as other:
            assert await pair.on.ends() == 1
            assert "You connected from somewhere else; that connection goes on." in pair.on.channel.lines
            assert any(line.startswith("You are at") for line in await other.heard())

    async def test_removed_by_the_host_is_back_in_the_lobby(self, place: Place) -> None:
        (bob,) = await seated_table(place[0], ["bob"], rule_set(3))
        async with on_lines(*place, StartLobby(code_of(bob))) as on:
            await on.heard()
            bob.post(Unseat(0, 1))
            told = await on.heard()
            assert told[0] == "The host of the table took you off your seat."
            assert "Lobby:" in told
            assert (await on.type("join 1"))[0].startswith("You are at")

    async def test_a_word_of_the_server(self, place: Place) -> None:
        async with on_lines(*place) as on:
            await on.heard()
            on.client.on_push(Notice("Back at \x1b[2Jnoon."))
            assert await on.heard() == ["The server says: Back at [2Jnoon."]

    async def test_a_table_that_is_not_there(self, place: Place) -> None:
        async with on_lines(*place, StartLobby("AAAAABBBBB")) as on:
            told = await on.heard()
            assert told[2] == "There is no such table."
            assert told[-1] == "Lobby:"

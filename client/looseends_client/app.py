"""The app: it owns the connection and the table one is at, and puts the right screen on top. It draws nothing."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, MutableSet, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen

from looseends_client.attendance import Attendance
from looseends_client.game_client import (
    NO_ID,
    Connected,
    ConnectionClosed,
    ConnectionEvent,
    ConnectionWasLost,
    GameClient,
    NotConnected,
    RequestRefused,
)
from looseends_client.messages import (
    ConnectionChanged,
    ContestWanted,
    DailyWanted,
    ServerSpoke,
    TableChanged,
    TableLost,
)
from looseends_client.personal_app import PersonalApp
from looseends_client.screens.at_a_table import AtATable
from looseends_client.screens.gathering import GatheringScreen
from looseends_client.screens.joining import join_a_server
from looseends_client.screens.lobby import GamesWanted, LobbyLeft, LobbyScreen, PageWanted, TableChosen, TableWished
from looseends_client.screens.menu import MenuChosen, MenuScreen
from looseends_client.screens.new_table import NewTable
from looseends_client.screens.page import Ask, Choice
from looseends_client.screens.people_here import PeopleHere
from looseends_client.screens.rules_page import RulesPage
from looseends_client.screens.score_sheet import LookBackWanted, ScoreSheet
from looseends_client.screens.table import TableScreen
from looseends_client.screens.unfinished import UnfinishedPage
from looseends_client.screens.whole_log import WholeLog
from looseends_client.seats_held import NOT_TOLD, after_leaving, all_unfinished, seat_to_go_back_to
from looseends_client.starting import AppSettings, Dial, School, StartAlone, StartLobby
from looseends_client.table_model import Misfit
from looseends_client.unproven_deals import KeepUnproven
from looseends_client.visits import TableWish, Visits
from looseends_protocol.limits import PASSWORD_LENGTH
from looseends_protocol.messages import (
    JoinTable,
    ListTables,
    LobbyChanged,
    Notice,
    Reviewed,
    SeatHeld,
    Tables,
    WatchTable,
)
from looseends_protocol.people_text import visible

if TYPE_CHECKING:
    from looseends_client.screens.games import ReplayWanted, TakeIn
    from looseends_client.screens.looking_back import LookingBack
    from looseends_client.screens.replay import ReviewWanted, ShareWanted, WhatIfWanted


class LooseEndsApp(PersonalApp):
    """The user interface of one person. `client` is connected already; `dial` makes another for `Join a server`."""

    CSS_PATH = Path(__file__).parent / "styles" / "looseends.tcss"
    TITLE = "No Loose Ends"
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        client: GameClient,
        start: StartAlone | StartLobby,
        *,
        settings: AppSettings | None = None,
        dial: Dial | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        keep_unproven: KeepUnproven | None = None,
        muted: MutableSet[str] | None = None,
        school: School | None = None,
        take_in: TakeIn | None = None,
    ) -> None:
        super().__init__(settings)
        self.client = client
        self._home = client
        """The client that this app was begun with: local where it was begun alone."""
        self._start = start
        self._dial = dial
        self._keep_unproven = keep_unproven
        self._school = school
        self._coached = isinstance(start, StartAlone) and start.wish is not None and start.wish.coach
        self.visits = Visits(
            entropy,
            on_change=lambda: self._post(TableChanged()),
            on_lost=lambda text: self._post(TableLost(text)),
            muted=muted,
        )
        self._take_in = take_in
        self._looking_back: LookingBack | None = None
        self._listen_to(client)

    def _post(self, message: Message) -> None:
        self.post_message(message)

    @property
    def attendance(self) -> Attendance | None:
        """The table that the person is at."""
        return self.visits.attendance

    @property
    def alone(self) -> bool:
        """Whether the table in front of us is one of this very program's server."""
        return self.plays_at_home

    @property
    def plays_at_home(self) -> bool:
        """Whether the server is one of this very program's."""
        return isinstance(self._start, StartAlone) and self.client is self._home

    def _listen_to(self, client: GameClient) -> None:
        client.on_push = lambda pushed: self._pushed(client, pushed)
        client.on_event = lambda event: self._happened(client, event)

    def _pushed(self, client: GameClient, pushed: msgspec.Struct) -> None:
        if client is not self.client:
            return
        self.visits.take(pushed)
        if isinstance(pushed, LobbyChanged | Notice | Reviewed):
            self.post_message(ServerSpoke(pushed))

    def _happened(self, client: GameClient, event: ConnectionEvent) -> None:
        if client is self.client:
            self.post_message(ConnectionChanged(event))

    # ── the beginning ───────────────────────────────────────────────────────────────────────────────────────────

    async def on_mount(self) -> None:
        """Put up the first screen."""
        start = self._start
        if isinstance(start, StartLobby):
            await self._open_lobby(start)
            if self.fault_words:
                self._say(self.fault_words)
            code = start.code or seat_to_go_back_to(self.client.welcome)
            if code:
                request = WatchTable if start.watch else JoinTable
                self.run_worker(self._go_to(request(NO_ID, code)))
            return
        menu = MenuScreen(
            self.faces,
            can_join=self._dial is not None,
            can_learn=self._school is not None,
            newcomer=start.newcomer,
        )
        await self.push_screen(menu)
        games = all_unfinished(self._home.welcome)
        self._show_unfinished()
        self._say(self.fault_words)
        if start.lesson:
            self.run_worker(self._learn(start.lesson))
        elif start.newcomer and not games and self._school is not None:
            self._offer_lessons(start.wish)
        elif games and start.wish is not None:
            self._offer(games, start.wish)
        elif start.wish is not None:
            self.run_worker(self._new_game(start.wish))

    def _show_unfinished(self) -> None:
        menu = self._menu
        if menu is not None:
            games = all_unfinished(self._home.welcome)
            about = f"{len(games)} of them" if len(games) > 1 else ""
            about = about or "".join(visible(game.title) or visible(game.code) for game in games)
            menu.show_unfinished(f"({about})" if about else "")

    def _offer(self, games: Sequence[SeatHeld], wish: TableWish) -> None:
        """Offer the unfinished games before a new one."""

        def chosen(way: str | None) -> None:
            if way == "Enter":
                self._go_on(games)
            elif way == "n":
                self.run_worker(self._new_game(wish))

        if len(games) == 1:
            title = "You have a game that is not finished."
            ways = {"Enter": "go on with it", "n": "begin a new game; that one is kept", "Esc": "the menu"}
        else:
            title = f"You have {len(games)} games that are not finished."
            ways = {"Enter": "choose one to go on with", "n": "begin a new game; those are kept", "Esc": "the menu"}
        self.push_screen(Choice(title, "", ways), chosen)

    def _go_on(self, games: Sequence[SeatHeld]) -> None:
        """Go on with the one unfinished game, or with the one that is chosen of several."""

        def chosen(code: str | None) -> None:
            if code is not None:
                self.run_worker(self._go_to(JoinTable(NO_ID, code)))

        if len(games) == 1:
            chosen(games[0].code)
        elif games:
            self.push_screen(UnfinishedPage(games, self.faces), chosen)

    async def _open_lobby(self, start: StartLobby) -> None:
        welcome = self.client.welcome
        assert welcome is not None, "the client is connected before the app begins"
        lobby = LobbyScreen(self.faces, welcome, come_back=start.come_back)
        await self.push_screen(lobby)
        lobby.show_answer(start.word)
        self.run_worker(self._list_tables())

    async def _list_tables(self) -> None:
        try:
            page = self._lobby.page if self._lobby is not None else 0
            tables = await self.client.request(ListTables(NO_ID, page, subscribe=True), Tables)
        except (RequestRefused, NotConnected) as error:
            self._say(str(error))
            return
        if self._lobby is not None:
            self._lobby.show_tables(tables.tables, tables.page, tables.pages)

    @property
    def _menu(self) -> MenuScreen | None:
        return next((screen for screen in reversed(self.screen_stack) if isinstance(screen, MenuScreen)), None)

    @property
    def _lobby(self) -> LobbyScreen | None:
        return next((screen for screen in reversed(self.screen_stack) if isinstance(screen, LobbyScreen)), None)

    def say_aside(self, text: str) -> None:
        """Show a sentence about the program where it covers nothing."""
        self._say(text)

    def _say(self, text: str) -> None:
        """Show a sentence where the person looks: on the lobby, on the menu, or in the table's log."""
        text = visible(text)
        if self.attendance is not None:
            self.attendance.model.tell(text)
            self.post_message(TableChanged())
        elif self._lobby is not None:
            self._lobby.show_answer(text)
        elif self._menu is not None:
            self._menu.show_answer(text)

    # ── going to a table ────────────────────────────────────────────────────────────────────────────────────────

    async def _new_game(self, wish: TableWish) -> None:
        """Make a table and sit down at it."""
        if self.visits.busy:
            return
        self._coached = wish.coach
        try:
            await self.visits.make(self.client, wish)
        except (RequestRefused, NotConnected, Misfit) as error:
            self._say(str(error))
        self.show_table()

    async def _go_to(self, request: JoinTable | WatchTable) -> None:
        """Take a seat at a table, or look at it; ask for its password where it has one."""
        while not self.visits.busy:
            try:
                await self.visits.go(self.client, request)
            except RequestRefused as error:
                if error.refusal.error != "table/password":
                    self._say(str(error))
                    return
                ask = Ask("The table's password", str(error), max_length=PASSWORD_LENGTH, secret=True)
                password = await self.push_screen_wait(ask)
                if not password:
                    return
                request = msgspec.structs.replace(request, password=password)
            except (NotConnected, Misfit) as error:
                self._say(str(error))
                return
            else:
                self.show_table()
                return

    def show_table(self) -> None:
        """Put up the screen that the table's phase asks for."""
        attendance = self.attendance
        if attendance is None:
            return
        if words := self.fault_words_once():
            attendance.model.tell(words)
        if attendance.model.options.replay:
            self.run_worker(self.looking_back.show_shared())
            return
        if attendance.model.phase == "gathering" and attendance.model.game == 0:
            welcome = self.client.welcome
            screen: Screen[str] = GatheringScreen(attendance, self.faces, welcome.levels if welcome else ())
        else:
            screen = TableScreen(
                attendance,
                self.faces,
                trick_pause=self.settings.own.trick_pause,
                alone=self.alone,
                coached=self.alone and self._coached,
            )
        self.push_screen(screen, lambda way: self.leave_table(attendance, way))

    def leave_table(self, attendance: Attendance, way: str | None) -> None:
        """Go back to where tables are chosen; the seat is kept where the person is only away."""
        if way is None or attendance is not self.attendance:
            return
        self.visits.end()
        self.run_worker(self._say_goodbye(attendance, keep_seat=way == "away"))

    async def _say_goodbye(self, attendance: Attendance, *, keep_seat: bool) -> None:
        word = ""
        try:
            await attendance.leave(keep_seat=keep_seat)
        except RequestRefused:
            pass  # we were not there any more
        except NotConnected:
            if not keep_seat and attendance.model.seat is not None:
                keep_seat, word = True, NOT_TOLD
        self._back_to_base(attendance, keep_seat=keep_seat)
        if word:
            self._say(word)

    def _back_to_base(self, attendance: Attendance | None, *, keep_seat: bool) -> None:
        """Bring lobby or menu up to date after a table was left."""
        if attendance is not None and self.client.welcome is not None:
            self.client.welcome = after_leaving(self.client.welcome, attendance.model, keep_seat=keep_seat)
        if self._lobby is not None and self.client.welcome is not None:
            self._lobby.show_seats(self.client.welcome.seats)
            if self.client.online:
                self.run_worker(self._list_tables())
        else:
            self._show_unfinished()

    def action_help_quit(self) -> None:
        """Ctrl-C: leave what is in front, as q would, with whatever that screen asks first."""
        leave = getattr(self.screen, "action_leave", None)
        if leave is not None:
            leave()
        elif isinstance(self.screen, MenuScreen):
            self.exit()

    @property
    def can_learn(self) -> bool:
        """Whether there are lessons here."""
        return self._school is not None

    def action_learn(self) -> None:
        """Go to the lessons, from where no table is left alone by it."""
        if self.can_learn and not self.visits.busy:
            self.run_worker(self._learn())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say that there are no lessons where there is no school."""
        return self.can_learn if action == "learn" else super().check_action(action, parameters)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield what the command palette offers: what can be done on the screen in front, then Textual's own."""
        from looseends_client.screens.commands_here import commands_here

        yield from commands_here(self, screen)
        yield from super().get_system_commands(screen)

    async def leave_finished_table(self) -> None:
        """Go from a table whose game is over to where tables are chosen; among people the seat stays theirs."""
        attendance = self.visits.end()
        self._pop_to_base()
        if attendance is not None:
            await self._say_goodbye(attendance, keep_seat=len(attendance.model.persons) > 1)

    # ── looking back ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def looking_back(self) -> LookingBack:
        """What there is to do with games that are over. It is made when it is first wanted: no start waits for it."""
        if self._looking_back is None:
            from looseends_client.screens.looking_back import LookingBack

            self._looking_back = LookingBack(self, self._take_in)
        return self._looking_back

    def action_games(self) -> None:
        """Show the games that are over."""
        self.looking_back.show_games()

    def on_games_wanted(self, message: GamesWanted) -> None:
        """Show the games that are over."""
        self.action_games()

    def on_replay_wanted(self, message: ReplayWanted) -> None:
        """Look back at a listed game."""
        self.run_worker(self.looking_back.look_back(message.line, review=message.review))

    def on_look_back_wanted(self, message: LookBackWanted) -> None:
        """Look back at the game that just ended."""
        self.run_worker(
            self.looking_back.look_back_at_table(
                message.origin, message.scores, review=message.review, played=message.played
            )
        )

    def on_review_wanted(self, message: ReviewWanted) -> None:
        """Show the review of the game that is replayed."""
        self.run_worker(self.looking_back.review(message.replay))

    def on_share_wanted(self, message: ShareWanted) -> None:
        """Look at a game together with others."""
        self.run_worker(self.looking_back.share(message.replay, message.at))

    def on_what_if_wanted(self, message: WhatIfWanted) -> None:
        """Play on from a decision."""
        self.run_worker(self.looking_back.what_if(message.replay, message.at, message.level))

    # ── contests ────────────────────────────────────────────────────────────────────────────────────────────────

    def on_daily_wanted(self, message: DailyWanted) -> None:
        """Play the deal of the day, or see how it went."""
        from looseends_client.screens.contests import play_daily

        self.run_worker(play_daily(self))

    def on_contest_wanted(self, message: ContestWanted) -> None:
        """Show how a contest went."""
        from looseends_client.screens.contests import show_contest

        self.run_worker(show_contest(self, message.contest))

    # ── what screens and connection tell ────────────────────────────────────────────────────────────────────────

    def on_table_changed(self, message: TableChanged) -> None:
        """Let the screens of the table follow, and change from gathering to playing when the game starts."""
        attendance = self.attendance
        if attendance is None:
            return
        self.alert_about(attendance.model, alone=self.alone)
        while attendance.model.unproven:
            entry = attendance.model.unproven.pop(0)
            if self._keep_unproven is not None:
                self._keep_unproven(entry)
        for screen in list(self.screen_stack):
            if isinstance(screen, GatheringScreen) and attendance.model.phase != "gathering":
                self._game_started(screen)
                return
            if isinstance(screen, AtATable | ScoreSheet | PeopleHere | WholeLog):
                screen.table_changed()

    def _game_started(self, gathering: GatheringScreen) -> None:
        while self.screen is not gathering:
            self.pop_screen()
        self.pop_screen()
        self.show_table()

    async def on_table_lost(self, message: TableLost) -> None:
        """Leave the table's screens: the server says that we are not there any more."""
        attendance = self.visits.end()
        self._pop_to_base()
        self._back_to_base(attendance, keep_seat=False)
        self._say(message.text)

    def _pop_to_base(self) -> None:
        while not isinstance(self.screen, LobbyScreen | MenuScreen) and len(self.screen_stack) > 1:
            self.pop_screen()

    async def on_connection_changed(self, message: ConnectionChanged) -> None:
        """Show what happened to the connection; come back to the table when it is there again."""
        match message.event:
            case Connected(again=True):
                self._show_online("")
                if self._looking_back is not None:
                    self._looking_back.connection_came_back()
                if self.attendance is not None:
                    self.run_worker(self.attendance.come_back())
                elif self._lobby is not None and self.client.welcome is not None:
                    self._lobby.show_answer("")
                    self._lobby.show_seats(self.client.welcome.seats)
                    self.run_worker(self._list_tables())
            case ConnectionWasLost(wait=wait):
                self._show_online(f"connection lost, trying again in {max(1, round(wait))} s")
            case ConnectionClosed(text=text):
                await self._connection_closed(text.strip() or "The server ended the connection.")
            case _:
                pass

    def _show_online(self, text: str) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen):
                screen.scene.online = text
                screen.scene.answer = ()  # a word about the line is out of date with every news of it
                screen.draw()
            elif isinstance(screen, AtATable | LobbyScreen):
                screen.show_answer(text)

    async def _connection_closed(self, text: str) -> None:
        """The connection will not come back: say why, and go back to the menu or out."""
        self.visits.end()
        self._pop_to_base()
        if self.client is not self._home or self._menu is not None:
            await self._leave_server()
            self._say(text)
        else:
            self.push_screen(
                Choice("The connection has ended.", visible(text), {"Enter": "quit", "Esc": "quit too"}),
                lambda _: self.exit(),
            )

    def on_server_spoke(self, message: ServerSpoke) -> None:
        """Show news of the lobby, and words of the server to everybody."""
        if isinstance(message.pushed, LobbyChanged):
            if self._lobby is not None:
                self._lobby.show_tables(message.pushed.tables, message.pushed.page, message.pushed.pages)
        elif isinstance(message.pushed, Reviewed):
            self.looking_back.take(message.pushed)
        elif isinstance(message.pushed, Notice):
            self._say(message.pushed.text)

    # ── the menu ────────────────────────────────────────────────────────────────────────────────────────────────

    def on_menu_chosen(self, message: MenuChosen) -> None:
        """Do what was chosen from the menu."""
        match message.key:
            case "g":
                self._go_on(all_unfinished(self._home.welcome))
            case "p":
                welcome = self.client.welcome
                form = NewTable(self.faces, welcome.levels if welcome else (), alone=True, usual=self.own.bots)
                self.push_screen(form, self._wished)
            case "h":
                self.action_games()
            case "d":
                self.post_message(DailyWanted())
            case "l":
                self.action_learn()
            case "j":
                self.run_worker(self._join_a_server())
            case "s":
                self.action_settings()
            case "i":
                self.push_screen(RulesPage())
            case _:
                self.exit()

    def _offer_lessons(self, wish: TableWish | None) -> None:
        """Offer the lessons to somebody who has never played here, before a game."""

        def chosen(way: str | None) -> None:
            if way == "Enter":
                self.run_worker(self._learn())
            elif way == "n":
                self._wished(wish)

        ways = {"Enter": "learn to play, in three minutes", "n": "begin a game at once", "Esc": "the menu"}
        self.push_screen(Choice("Is this your first game?", "", ways), chosen)

    async def _learn(self, first: int = 1) -> None:
        """Go through the lessons, and on to a game where that is wanted."""
        from looseends_client.screens.learning import learn

        wish = self._start.wish if isinstance(self._start, StartAlone) else None
        if self._school is not None and await learn(self, self._school, self.faces, first, may_play=wish is not None):
            self._wished(wish)

    def _wished(self, wish: TableWish | None) -> None:
        if wish is not None:
            self.run_worker(self._new_game(wish))

    async def _join_a_server(self) -> None:
        """Ask for address and name, and open that server's lobby."""
        if self._dial is None:
            return
        joined = await join_a_server(self, self._dial, self._home.name, self._listen_to, self._say)
        if joined is None:
            return
        self.client = joined.client
        self.visits.muted = joined.muted
        await self._open_lobby(joined.start)
        if joined.start.code:
            await self._go_to(JoinTable(NO_ID, joined.start.code))

    # ── the lobby ───────────────────────────────────────────────────────────────────────────────────────────────

    def on_table_chosen(self, message: TableChosen) -> None:
        """Go to a table of the lobby."""
        request = WatchTable if message.watch else JoinTable
        self.run_worker(self._go_to(request(NO_ID, message.code)))

    def on_page_wanted(self, message: PageWanted) -> None:
        """Show another page of the lobby, and hear of changes of that one from now on."""
        if self._lobby is not None:
            self._lobby.page = message.page
            self.run_worker(self._list_tables())

    def on_table_wished(self, message: TableWished) -> None:
        """Make a table."""
        self.run_worker(self._new_game(message.wish))

    async def on_lobby_left(self, message: LobbyLeft) -> None:
        """Leave the server: back to the menu where one is below, out otherwise."""
        await self._leave_server()

    async def _leave_server(self) -> None:
        if self._menu is None:
            self.exit()
            return
        client, self.client = self.client, self._home
        if client is not self._home:
            await client.close()
        if isinstance(self.screen, LobbyScreen):
            self.pop_screen()
        self._show_unfinished()

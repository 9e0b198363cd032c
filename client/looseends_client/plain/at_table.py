"""The commands at a table: what was typed becomes a question that is answered, or a request.

What the lines say is in `answers`; what the table tells by itself is in `news`.
"""

from __future__ import annotations

import enum

from looseends_client.attendance import Attendance
from looseends_client.company import company_of
from looseends_client.game_client import NotConnected, RequestRefused
from looseends_client.plain import answers
from looseends_client.plain.contests import contest_lines
from looseends_client.plain.conversation import Conversation
from looseends_client.plain.news import log_text
from looseends_client.plain.scores import score_lines
from looseends_client.plain.typed import Command, NoCard, NotUnderstood, card_in, command_in
from looseends_client.plain.vocabulary import EVERY_COMMAND, GATHERING, TABLE
from looseends_client.plain.wording import Wording
from looseends_client.table_offers import double_cross_question
from looseends_client.table_words import code_text
from looseends_core.actions import DOUBLE_CROSS, PASS, Action
from looseends_core.decide import why_not

ACTIONS = ("play", "pass", "double")
"""The commands that take one's turn."""
LOG_LINES = 10
"""Lines of the log that are told unless another number is asked for."""


class Way(enum.Enum):
    """How somebody goes from a table."""

    AWAY = "away"
    LEFT = "left"


class AtTable:
    """One person at one table. `alone` says that all others are bots of this very program."""

    def __init__(
        self,
        talk: Conversation,
        attendance: Attendance,
        wording: Wording,
        levels: tuple[str, ...],
        *,
        alone: bool,
    ) -> None:
        self._talk = talk
        self._attendance = attendance
        self._wording = wording
        self._levels = levels
        self._alone = alone
        self._to_confirm: tuple[str, int] | None = None
        """A command that was typed once and acts when it is typed again, and the state number it was typed at."""

    @property
    def gathers(self) -> bool:
        """Whether the table waits for its players."""
        model = self._attendance.model
        return model.phase == "gathering" and model.game == 0

    @property
    def commands(self) -> tuple[Command, ...]:
        """What can be typed now."""
        return GATHERING if self.gathers else TABLE

    def understood(self, line: str) -> tuple[Command, str]:
        """Return the command that a line means here; a card's name alone means to play it.

        Raises NotUnderstood with a sentence.
        """
        if not self.gathers and self._attendance.model.seat is not None:
            try:
                if card_in(line, self._cards()) is not None:
                    return TABLE[0], line
            except NoCard as error:
                raise NotUnderstood(str(error)) from error
        return command_in(line, self.commands, EVERY_COMMAND)

    def comes_too_early(self, line: str) -> bool:
        """Return whether a line of a script, at a table of bots, waits for the deal, or an action for its turn.

        A person sees what is asked of them, and people at a table may be talked to at any time.
        """
        model = self._attendance.model
        if self._talk.interactive or not self._alone or model.seat is None or self.gathers:
            return False
        if model.phase != "playing" or model.my_turn:
            return model.phase == "dealing"
        try:
            return self.understood(line)[0].word in ACTIONS
        except NotUnderstood as error:
            return isinstance(error.__cause__, NoCard)  # on its turn it may be the only card of that suit

    def _cards(self) -> list[int]:
        return answers.nameable(self._attendance.model)

    async def do(self, word: str, rest: str) -> Way | None:
        """Carry out a command; return how the person goes from the table, None while they stay."""
        confirmed, self._to_confirm = self._to_confirm == (word, self._number), None
        try:
            match word:
                case "away":
                    return Way.AWAY
                case "leave":
                    return self._leave(confirmed=confirmed)
                case "double":
                    await self._double_cross(confirmed=confirmed)
                case _:
                    await self._ask(word, rest)
        except RequestRefused as error:
            self._talk.say(str(error))
        except NotConnected as error:
            self._talk.say(str(error))
        return None

    @property
    def _number(self) -> int:
        return self._attendance.model.state.number

    async def _ask(self, word: str, rest: str) -> None:
        attendance, model = self._attendance, self._attendance.model
        match word:
            case "play":
                await self._play(rest)
            case "pass":
                await self._act(PASS)
            case "ready":
                await self._ready()
            case "say":
                await self._say(rest)
            case "contest":
                await self._contest()
            case "start":
                await attendance.start()
            case "bot":
                await self._seat_bot(rest)
            case "remove":
                await self._remove(rest)
            case "log":
                number = int(rest[:4]) if rest.isascii() and rest.isdigit() else LOG_LINES
                lines = [log_text(line, self._wording) for line in model.log[-number:]] if number else []
                self._talk.say(*(lines or ["Nothing has happened yet."]))
            case "code":
                self._talk.say(f"{code_text(model.code)} is the table's code.")
            case "why":
                self._why(rest)
            case "people":
                self._talk.say(*answers.people_lines(model))
            case "mute" | "unmute":
                self._mute(rest, silent=word == "mute")
            case "hint":
                await self._hint()
            case "score":
                self._talk.say(*score_lines(model, self._wording, rest.casefold()))
            case _:
                self._talk.say(*self._answer(word))

    def _answer(self, word: str) -> list[str]:
        model, wording = self._attendance.model, self._wording
        match word:
            case "hand":
                return [answers.hand_line(model, wording)]
            case "legal":
                return [answers.legal_line(model, wording)]
            case "bids":
                return answers.bid_lines(model, wording)
            case "last":
                return answers.last_trick_lines(model, wording)
            case _:
                return answers.table_lines(model, wording)

    # ── the game ────────────────────────────────────────────────────────────────────────────────────────────────

    async def _play(self, named: str) -> None:
        model = self._attendance.model
        try:
            card = card_in(named, self._cards())
        except NoCard as error:
            self._talk.say(str(error))
            return
        if card is None:
            self._talk.say("Which card? Type its name, as in r9 or red 9.")
            return
        await self._act(answers.action_with(model, card))

    async def _act(self, action: Action) -> None:
        model = self._attendance.model
        if not model.my_turn or model.seat is None:
            self._talk.say(answers.not_on_turn(model, self._wording))
            return
        refusal = why_not(model.state, model.seat, action)
        if refusal is not None:
            self._talk.say(refusal.sentence)
            return
        await self._attendance.act(action)

    async def _double_cross(self, *, confirmed: bool) -> None:
        model = self._attendance.model
        refusal = why_not(model.state, model.seat, DOUBLE_CROSS) if model.my_turn and model.seat is not None else None
        if not model.my_turn or refusal is not None or confirmed:
            await self._act(DOUBLE_CROSS)
            return
        self._to_confirm = ("double", self._number)
        self._talk.say(double_cross_question(model), "Type double again to do it, anything else not to.")

    def _why(self, rest: str) -> None:
        model, wording = self._attendance.model, self._wording
        if rest.casefold() in ("p", "pass"):
            self._talk.say(*answers.why_pass(model, wording))
            return
        try:
            card = card_in(rest, self._cards())
        except NoCard as error:
            self._talk.say(str(error))
            return
        self._talk.say(
            *(["Type why and a card, as in why r9."] if card is None else answers.why_lines(model, wording, card))
        )

    async def _hint(self) -> None:
        model = self._attendance.model
        if not model.options.hint:
            self._talk.say("This table gives no hints.")
            return
        if not model.my_turn:
            self._talk.say(answers.not_on_turn(model, self._wording))
            return
        asked_at = (model.game, self._number)
        hint = await self._attendance.hint()
        if asked_at == (model.game, self._number):
            self._talk.say(answers.hint_line(model, self._wording, hint))

    async def _ready(self) -> None:
        model = self._attendance.model
        if model.phase == "over" and not model.has_rematch:
            self._talk.say(answers.not_on_turn(model, self._wording))
        elif model.seat is None or model.phase not in ("between", "over"):
            self._talk.say("Nobody waits for you to be ready.")
        elif model.seat in model.ready:
            self._talk.say("You have said so; the others have not yet.")
        else:
            await self._attendance.be_ready()

    async def _contest(self) -> None:
        if not self._attendance.model.options.contest:
            self._talk.say("The cards of this table are dealt nowhere else.")
        else:
            self._talk.say(*contest_lines(await self._attendance.contest(), self._wording))

    async def _say(self, text: str) -> None:
        if not text:
            self._talk.say("Type say and what you want to say.")
        elif self._alone:
            self._talk.say("There is nobody to talk to: the others are bots.")
        else:
            await self._attendance.say(text)

    def _leave(self, *, confirmed: bool) -> Way | None:
        model = self._attendance.model
        if confirmed or model.seat is None or model.phase in ("over", "gathering"):
            return Way.LEFT
        self._to_confirm = ("leave", self._number)
        what = "gives the game up" if self._alone else "gives your seat up, and a bot plays on for you"
        self._talk.say(f"That {what}; away keeps it.", "Type leave again to do it, anything else not to.")
        return None

    def _mute(self, name: str, *, silent: bool) -> None:
        model = self._attendance.model
        said = name.casefold()
        found = [who for who in company_of(model) if who.name_sent and said and who.shown.casefold().startswith(said)]
        if len(found) != 1:
            word = "mute" if silent else "unmute"
            self._talk.say(f"Type {word} and the name of a person at the table; people tells them.")
            return
        model.mute(found[0].name_sent, silent)
        self._talk.say(f"What {found[0].shown} says {'is left out from now on' if silent else 'is told again'}.")

    # ── the host ────────────────────────────────────────────────────────────────────────────────────────────────

    async def _seat_bot(self, rest: str) -> None:
        model = self._attendance.model
        opened = [seat for seat, info in enumerate(model.seats) if info.kind == "open"]
        words = rest.casefold().replace(",", " ").split()
        numbers = [int(word[:4]) - 1 for word in words if word.isascii() and word.isdigit()]
        levels = [word for word in words if not word.isdigit()]
        if not self._levels:
            self._talk.say("This server has no bots.")
        elif not opened:
            self._talk.say("Every seat is taken.")
        elif numbers and numbers[0] not in opened:
            self._talk.say("That seat is not open.")
        elif levels and levels[0] not in self._levels:
            self._talk.say(f"Levels of bots: {', '.join(self._levels)}.")
        else:
            seat = numbers[0] if numbers else opened[0]
            await self._attendance.seat_bot(seat, levels[0] if levels else self._levels[0])

    async def _remove(self, rest: str) -> None:
        model = self._attendance.model
        seat = int(rest[:4]) - 1 if rest.isascii() and rest.isdigit() else -1
        if not 0 <= seat < len(model.seats):
            self._talk.say(f"Type remove and a seat, 1 to {len(model.seats)}.")
        elif seat == model.seat:
            self._talk.say("That is your own seat: leave gives it up.")
        elif model.seats[seat].kind == "open":
            self._talk.say("Nobody sits there.")
        else:
            await self._attendance.unseat(seat)

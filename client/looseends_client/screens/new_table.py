"""A form for a new table, or a new game against bots: every option with its value, changed with the arrows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from looseends_client.cards_text import Faces
from looseends_client.drawing.rows import Row, Span, filled, wrapped
from looseends_client.screens.page import Ask, Page
from looseends_client.settings import DEFAULT_BOTS
from looseends_client.visits import PRACTICE, TableWish
from looseends_client.widgets.lines import Lines
from looseends_core.rules import RulesError, rule_set
from looseends_protocol.limits import PASSWORD_LENGTH
from looseends_protocol.messages import TableOptions
from looseends_protocol.people_text import visible


class Option(msgspec.Struct):
    """One line of the form: what it is called, its values in words, and which of them is taken."""

    name: str
    values: list[tuple[str, object]]
    about: str
    at: int = 0
    abouts: tuple[str, ...] = ()
    """A sentence for each value, where one is not enough for all of them."""

    @property
    def sentence(self) -> str:
        """What there is to say about the option as it is set."""
        return self.abouts[self.at] if self.abouts else self.about

    @property
    def value(self) -> object:
        """The value that is taken."""
        return self.values[self.at][1]


def _yes_no(name: str, about: str, yes: bool) -> Option:
    return Option(name, [("no", False), ("yes", True)], about, int(yes))


_PACES: tuple[tuple[str, object], ...] = (("at once", 0), ("quick", 300), ("normal", 600), ("slow", 1500))
"""How long a bot waits before it acts, in milliseconds."""


COACH = 'Asks "are you sure?", at most once a trick, before a move that costs more than a point on average.'
USUAL_BOTS = "The others, from your left on; in a larger game the first come again. Settings say which these are."


class Form(Lines):
    """The options, one a line, and a sentence about the chosen one."""

    DEFAULT_CSS = "Form { height: 1fr; }"

    def __init__(self, options: list[Option], faces: Faces) -> None:
        super().__init__(id="form")
        self.options = options
        self.faces = faces
        self.chosen = 0
        self.answer = ""

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the form; where there are fewer rows than options, those around the chosen one."""
        faces = self.faces
        room = max(1, height - 5)
        first = max(0, min(self.chosen - room // 2, len(self.options) - room))
        rows: list[Row] = [[]]
        for number, option in enumerate(self.options[first : first + room], first):
            chosen = number == self.chosen
            value = option.values[option.at][0]
            rows.append(
                [
                    Span(f" {faces.turn if chosen else ' '} ", "turn"),
                    *filled([Span(option.name, "strong" if chosen else "")], 18, faces),
                    Span("< " if chosen else "  ", "turn"),
                    Span(value, "strong"),
                    Span(" >" if chosen else "", "turn"),
                ]
            )
        rows.append([])
        about = self.answer or self.options[self.chosen].sentence
        rows += [[Span(" "), *row] for row in wrapped([Span(about, "bad" if self.answer else "dim")], width - 2, faces)]
        blank = filled([], width, faces)
        return [filled(row, width, faces) for row in rows[:height]] + [blank] * (height - len(rows))


class NewTable(Page[TableWish | None]):
    """The form. Enter gives what is wished for, q nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", show=False),
        Binding("up,shift+tab", "choose(-1)", show=False),
        Binding("right,space", "change(1)", show=False),
        Binding("left", "change(-1)", show=False),
        Binding("enter", "done", show=False),
        Binding("q,escape", "give_up", show=False),
    ]

    def __init__(
        self, faces: Faces, levels: tuple[tuple[str, str], ...], *, alone: bool, usual: Sequence[str] = DEFAULT_BOTS
    ) -> None:
        """`usual` is the line-up that is offered first to somebody who is alone, as far as the server has it."""
        super().__init__()
        self._alone = alone
        self._characters = dict(levels)
        self._levels = [name for name, _ in levels]
        self._usual = tuple(name for name in usual if name in self._levels) or tuple(self._levels[:1])
        self.heading = "No Loose Ends    a game against bots" if alone else "No Loose Ends    a new table"
        self.keys = "↑↓ option   ← → change   Enter go   q back"
        self._form = Form(self._options(), faces)

    def _options(self) -> list[Option]:
        options = [
            Option("players", [(str(n), n) for n in range(2, 6)], "How many sit at the table, you among them.", 2),
            _yes_no("Double-Cross", "The first to pass may take all bids back and snitch; one snitch a round.", False),
            _yes_no("Getaway cards", "Four black cards that follow no suit and win nothing.", False),
            _yes_no("Plan B", "A trick that covers nothing becomes a new bid instead of a loose end.", False),
            Option("scoring", [("standard", "standard"), ("simplified", "simplified")], "How a round counts."),
            Option("rounds", [(str(n), n) for n in range(1, 11)], "Rounds of the game.", 2),
            Option(
                "first player",
                [("drawn", "random"), ("goes round", "rotate")],
                "Who begins a round: drawn anew each time, or the next seat after the round before.",
            ),
        ]
        if self._levels:
            if self._alone:
                options.append(self._bots())
            options.append(Option("bots' pace", list(_PACES), "How long a bot waits, so that you can follow.", 2))
        if self._alone and self._levels:
            options.append(_yes_no("coach", COACH, False))
        if not self._alone:
            clock: list[tuple[str, object]] = [("none", 0), ("30 s", 30), ("60 s", 60), ("90 s", 90), ("3 min", 180)]
            away: list[tuple[str, object]] = [
                ("a bot plays", "bot"),
                ("the table waits", "wait"),
                ("the clock runs", "clock"),
            ]
            options += [
                Option("clock", clock, "Time for each turn.", 2),
                Option("who is away", away, "What happens to the turns of somebody who is not there."),
                _yes_no("private", "Not listed: people come by the invite code alone.", False),
                _yes_no("password", "People need a password to sit down or watch: you are asked for it next.", False),
                _yes_no("spectators", "People may watch; they see no hand.", True),
                _yes_no("hints", "People may ask what a strong bot would do in their place.", True),
            ]
        return options

    def _bots(self) -> Option:
        """Return the choice of the others: the usual line-up, or all of one level."""
        line_ups = [self._usual, *((name,) for name in self._levels if (name,) != self._usual)]
        words: list[tuple[str, object]] = [(visible(", ".join(names)), names) for names in line_ups]
        about = [
            f"{visible(names[0])}: {visible(self._characters[names[0]])}" if len(names) == 1 else USUAL_BOTS
            for names in line_ups
        ]
        return Option("bots", words, about[0], abouts=tuple(about))

    def middle(self) -> ComposeResult:
        """Yield the form."""
        yield self._form

    def on_mount(self) -> None:
        """Draw."""
        self._form.redraw()

    def _value(self, name: str, default: object) -> object:
        return next((option.value for option in self._form.options if option.name == name), default)

    def wish(self) -> TableWish:
        """Return what the form says. Raises RulesError where the rules do not fit together."""
        value: Callable[[str, object], object] = self._value
        players = int(str(value("players", 4)))
        chosen = {"double-cross": "Double-Cross", "getaway": "Getaway cards", "plan-b": "Plan B"}
        rules = rule_set(
            players,
            [variant for variant, name in chosen.items() if value(name, False)],
            scoring=str(value("scoring", "standard")),
            rounds=int(str(value("rounds", 3))),
            first_player=str(value("first player", "random")),
        )
        if self._alone:
            alone = TableOptions(title=PRACTICE, private=True, bots=int(str(value("bots' pace", 600))))
            names = next((option.value for option in self._form.options if option.name == "bots"), ())
            line_up = names if isinstance(names, tuple) else ()
            bots = tuple(line_up[seat % len(line_up)] for seat in range(players - 1)) if line_up else ()
            return TableWish(rules, alone, bots, coach=bool(value("coach", False)))
        absence = value("who is away", "bot")
        options = TableOptions(
            clock_seconds=int(str(value("clock", 0))),
            absence="wait" if absence == "wait" else "clock" if absence == "clock" else "bot",
            private=bool(value("private", False)),
            bots=int(str(value("bots' pace", 600))),
            spectators=bool(value("spectators", True)),
            hint=bool(value("hints", True)),
        )
        return TableWish(rules, options)

    def action_choose(self, step: int) -> None:
        """Choose another option."""
        self._form.chosen = (self._form.chosen + step) % len(self._form.options)
        self._form.redraw()

    def action_change(self, step: int) -> None:
        """Change the chosen option."""
        option = self._form.options[self._form.chosen]
        option.at = (option.at + step) % len(option.values)
        self._form.answer = ""
        self._form.redraw()

    def action_done(self) -> None:
        """Give what is wished for, once its password is typed where it has one."""
        try:
            wish = self.wish()
        except RulesError as error:
            self._form.answer = str(error)
            self._form.redraw()
            return
        if not self._value("password", False):
            self.dismiss(wish)
            return

        def typed(password: str | None) -> None:
            if password:
                self.dismiss(msgspec.structs.replace(wish, password=password))

        self.app.push_screen(Ask("The password of your new table", max_length=PASSWORD_LENGTH, secret=True), typed)

    def action_give_up(self) -> None:
        """Give nothing."""
        self.dismiss(None)

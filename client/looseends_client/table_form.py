"""The options of a new table, each with its values in words, and the wish that they come to. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from looseends_client.visits import PRACTICE, TableWish
from looseends_core.rules import RulesError, rule_set
from looseends_core.scoring import ScoringTable
from looseends_protocol.limits import TITLE_LENGTH_SENT
from looseends_protocol.messages import TableOptions
from looseends_protocol.people_text import visible

COACH = 'Asks "are you sure?", at most once a trick, before a move that costs more than a point on average.'
USUAL_BOTS = "The others, from your left on; in a larger game the first come again. Settings say which these are."
OWN_POINTS = "a covered bid, a loose end, a loose end beside a snitch, a Perfect Crime, a successful snitch"
MOST_TABLES = 8
"""Tables at which a host may have the same cards dealt."""
_OWN = "own"
_PACES: tuple[tuple[str, object], ...] = (("at once", 0), ("quick", 300), ("normal", 600), ("slow", 1500))
"""How long a bot waits before it acts, in milliseconds."""
_VARIANT_OF = {"Double-Cross": "double-cross", "Getaway cards": "getaway", "Plan B": "plan-b"}


class Option(msgspec.Struct):
    """One line of the form: what it is called, its values in words, and which of them is taken.

    `asks` is the question that a line of text answers, empty where there are values to choose from; then the one value
    is that text, of at most `longest` characters. `only_with` names an option and the value of it without which this
    one says nothing.
    """

    name: str
    values: list[tuple[str, object]]
    about: str
    at: int = 0
    abouts: tuple[str, ...] = ()
    """A sentence for each value, where one is not enough for all of them."""
    asks: str = ""
    longest: int = 40
    only_with: tuple[str, object] | None = None

    @property
    def sentence(self) -> str:
        """What there is to say about the option as it is set."""
        return self.abouts[self.at] if self.abouts else self.about

    @property
    def value(self) -> object:
        """The value that is taken."""
        return self.values[self.at][1]

    def write(self, text: str) -> None:
        """Take a text as the value."""
        self.values = [(visible(text), text)]


def shown_options(options: Sequence[Option]) -> list[Option]:
    """Return the options that say something as the others are set."""
    values = {option.name: option.value for option in options}
    return [
        option for option in options if option.only_with is None or values[option.only_with[0]] == option.only_with[1]
    ]


def _yes_no(name: str, about: str, yes: bool) -> Option:
    return Option(name, [("no", False), ("yes", True)], about, int(yes))


def _numbers(first: int, last: int, *, usual: bool = False) -> list[tuple[str, object]]:
    numbers: list[tuple[str, object]] = [(str(number), number) for number in range(first, last + 1)]
    return [("as usual", None), *numbers] if usual else numbers


def options_of_a_table(levels: Sequence[tuple[str, str]], usual: Sequence[str], *, alone: bool) -> list[Option]:
    """Return every option of a table at a server with these bots, or of a game `alone` against them.

    `usual` is the line-up that is offered first, as far as the server has it.
    """
    options = [
        Option("players", _numbers(2, 5), "How many sit at the table, you among them.", 2),
        _yes_no("Double-Cross", "The first to pass may take all bids back and snitch; one snitch a round.", False),
        _yes_no("Getaway cards", "Four black cards that follow no suit and win nothing.", False),
        _yes_no("Plan B", "A trick that covers nothing becomes a new bid instead of a loose end.", False),
        Option(
            "scoring",
            [("standard", "standard"), ("simplified", "simplified"), ("own numbers", _OWN)],
            "How a round counts.",
        ),
        Option(
            "own numbers",
            [("2, -1, -2, 5, 10", "2, -1, -2, 5, 10")],
            f"Points for {OWN_POINTS}: five whole numbers, -100 to 100.",
            asks="Five whole numbers with commas",
            only_with=("scoring", _OWN),
        ),
        Option("rounds", _numbers(1, 20), "Rounds of the game.", 2),
        Option(
            "first player",
            [("drawn", "random"), ("goes round", "rotate")],
            "Who begins a round: drawn anew each time, or the next seat after the round before.",
        ),
        Option(
            "cards each",
            _numbers(2, 16, usual=True),
            "Cards that everybody is dealt; as usual 16 for two and three, 15 for four, 12 for five.",
        ),
        Option("most bids", _numbers(0, 15, usual=True), "Bid cards each at most; as usual 8 less the players."),
    ]
    if levels:
        if alone:
            options.append(_bots(levels, usual))
        options.append(Option("bots' pace", list(_PACES), "How long a bot waits, so that you can follow.", 2))
    if alone and levels:
        options.append(_yes_no("coach", COACH, False))
    return options if alone else [*options, *_options_among_people()]


def _options_among_people() -> list[Option]:
    clock: list[tuple[str, object]] = [
        ("none", 0),
        ("15 s", 15),
        ("30 s", 30),
        ("60 s", 60),
        ("90 s", 90),
        ("3 min", 180),
        ("10 min", 600),
    ]
    away: list[tuple[str, object]] = [("a bot plays", "bot"), ("the table waits", "wait"), ("the clock runs", "clock")]
    return [
        Option(
            "title",
            [("your name's", "")],
            "What the table is called; yours by your name where you write nothing.",
            asks="What is the table called?",
            longest=TITLE_LENGTH_SENT,
        ),
        Option("clock", clock, "Time for each turn.", 3),
        Option("who is away", away, "What happens to the turns of somebody who is not there."),
        _yes_no("private", "Not listed: people come by the invite code alone.", False),
        _yes_no("password", "People need a password to sit down or watch: you are asked for it next.", False),
        _yes_no("spectators", "People may watch; they see no hand.", True),
        msgspec.structs.replace(
            _yes_no("they may talk", "Whether those who watch may talk to the table.", True),
            only_with=("spectators", True),
        ),
        _yes_no("hints", "People may ask what a strong bot would do in their place.", True),
        Option(
            "same cards at",
            [("this table", 1), *((f"{count} tables", count) for count in range(2, MOST_TABLES + 1))],
            "Deals the same cards at so many tables; yours tells the others' codes. Sides move on a seat at each.",
        ),
    ]


def _bots(levels: Sequence[tuple[str, str]], usual: Sequence[str]) -> Option:
    """Return the choice of the others: the usual line-up, or all of one level."""
    characters = dict(levels)
    first = tuple(name for name in usual if name in characters) or tuple(characters)[:1]
    line_ups = [first, *((name,) for name in characters if (name,) != first)]
    words: list[tuple[str, object]] = [(visible(", ".join(names)), names) for names in line_ups]
    about = [
        f"{visible(names[0])}: {visible(characters[names[0]])}" if len(names) == 1 else USUAL_BOTS for names in line_ups
    ]
    return Option("bots", words, about[0], abouts=tuple(about))


def own_scoring(written: str) -> ScoringTable:
    """Return the scoring of five whole numbers with commas between them. Raises RulesError where it is none."""
    parts = [part.strip() for part in written.replace("−", "-").split(",")]
    if len(parts) != len(ScoringTable.__struct_fields__) or not all(_is_whole(part) for part in parts):
        raise RulesError("own numbers", f"must be five whole numbers with commas between them: points for {OWN_POINTS}")
    return ScoringTable(*map(int, parts))


def _is_whole(text: str) -> bool:
    digits = text.removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdigit() and len(digits) <= 4


def wish_of(options: Sequence[Option], *, alone: bool) -> TableWish:
    """Return what the options come to. Raises RulesError where the rules do not fit together."""
    value = {option.name: option.value for option in options}
    players = _number(value["players"])
    scoring = str(value["scoring"])
    rules = rule_set(
        players,
        [variant for name, variant in _VARIANT_OF.items() if value[name]],
        scoring=own_scoring(str(value["own numbers"])) if scoring == _OWN else scoring,
        rounds=_number(value["rounds"]),
        hand_size=None if value["cards each"] is None else _number(value["cards each"]),
        max_bid=None if value["most bids"] is None else _number(value["most bids"]),
        first_player=str(value["first player"]),
    )
    pace = _number(value.get("bots' pace", 600))
    if alone:
        names = value.get("bots", ())
        line_up = names if isinstance(names, tuple) else ()
        bots = tuple(line_up[seat % len(line_up)] for seat in range(players - 1)) if line_up else ()
        table = TableOptions(title=PRACTICE, private=True, bots=pace)
        return TableWish(rules, table, bots, coach=bool(value.get("coach", False)))
    absence = value["who is away"]
    table = TableOptions(
        title=str(value["title"]),
        clock_seconds=_number(value["clock"]),
        absence="wait" if absence == "wait" else "clock" if absence == "clock" else "bot",
        private=bool(value["private"]),
        bots=pace,
        spectators=bool(value["spectators"]),
        spectators_talk=bool(value["they may talk"]),
        hint=bool(value["hints"]),
    )
    return TableWish(rules, table, copies=_number(value["same cards at"]))


def _number(value: object) -> int:
    assert isinstance(value, int), value
    return value

"""The options that say which game is played, as `play` and `simulate` share them: text in, rules and bots out."""

from __future__ import annotations

from looseends_client.commands import CommandFailed
from looseends_core.bots import LEVELS, Level
from looseends_core.rules import DEFAULT_ROUNDS, RANDOM_FIRST, RulesError, RuleSet, rule_set
from looseends_core.scoring import ScoringTable

_OPTION_OF_FIELD = {"variants": "variant"}
"""Options whose name is not that of the rule set's field."""


def rules_of_options(
    players: int,
    variants: tuple[str, ...],
    scoring: str,
    *,
    rounds: int = DEFAULT_ROUNDS,
    hand_size: int | None = None,
    max_bid: int | None = None,
    first_player: str = RANDOM_FIRST,
) -> RuleSet:
    """Return the rule set that the options ask for. Raises CommandFailed, naming the option that does not fit."""
    try:
        return rule_set(
            players,
            variants,
            scoring=_scoring(scoring),
            rounds=rounds,
            hand_size=hand_size,
            max_bid=max_bid,
            first_player=first_player,
        )
    except RulesError as error:
        field, _, part = error.field.partition(": ")
        option = _OPTION_OF_FIELD.get(field, field).replace("_", "-")
        raise CommandFailed(f"--{option}: {part} {error.expected}.".replace(":  ", " ")) from error


def _scoring(written: str) -> str | ScoringTable:
    """Return the name of a scoring, or the table of five numbers with commas between them."""
    if "," not in written:
        return written
    fields = ScoringTable.__struct_fields__
    parts = written.split(",")
    try:
        numbers = [int(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) != len(fields):
        raise CommandFailed(
            f"--scoring must be standard, simplified or five whole numbers ({', '.join(fields)}) like 2,-1,-2,5,10, "
            f"not {written}."
        )
    return ScoringTable(*numbers)


def line_up_of_option(written: str, seats: int) -> list[Level]:
    """Return the levels of so many seats: those named, with commas, repeated in order. Raises CommandFailed."""
    names = [name.strip() for name in written.split(",")]
    for name in names:
        if name not in LEVELS:
            raise CommandFailed(f"--bots must be among {', '.join(LEVELS)}, with commas between them, not {name!r}.")
    if len(names) > seats:
        room = "one seat" if seats == 1 else f"{seats} seats"
        raise CommandFailed(f"--bots names {len(names)} bots for {room}: leave some out or raise --players.")
    return [LEVELS[names[seat % len(names)]] for seat in range(seats)]

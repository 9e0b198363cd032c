"""The rule set of a game: its seven options, their limits, and how a record writes them.

Every limit of the options has its one home here. How a rule works in play does not live here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from looseends_core.cards import GETAWAY_CARDS, LOW_DECK_RANKS, RANKS, SUITS
from looseends_core.scoring import NAMED_TABLES, SCORING_LIMIT, ScoringTable

DOUBLE_CROSS = "double-cross"
GETAWAY_VARIANT = "getaway"
PLAN_B = "plan-b"
VARIANTS = (DOUBLE_CROSS, GETAWAY_VARIANT, PLAN_B)

RANDOM_FIRST = "random"
ROTATE_FIRST = "rotate"
FIRST_PLAYER = (RANDOM_FIRST, ROTATE_FIRST)

MIN_PLAYERS, MAX_PLAYERS = 2, 5
MAX_ROUNDS = 20
DEFAULT_ROUNDS = 3
MIN_HAND, MAX_HAND = 2, 16
STARTING_POINTS = 5
"""Points everyone starts the game with, once ([R4])."""
DEFAULT_HAND = {2: 16, 3: 16, 4: 15, 5: 12}
"""Cards dealt to each player, by number of players ([R5])."""


def default_max_bid(players: int) -> int:
    """Return 8 minus the number of players ([R6])."""
    return 8 - players


class RulesError(ValueError):
    """A rule set outside its limits. `field` names the option, the message says what was expected."""

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field} {expected}")
        self.field = field
        self.expected = expected


class RuleSet(msgspec.Struct, frozen=True):
    """The seven options of a game, as every record carries them.

    players 2..5; variants a tuple of names out of VARIANTS, each once, in any order; scoring `standard`, `simplified`
    or the five numbers; rounds 1..20; hand_size 2..16 cards; max_bid 0..hand_size−1 cards; first_player `random` or
    `rotate`. Made directly it is not checked: use `rule_set`, `rules_from_json` or `check_rules`.
    """

    players: int
    variants: tuple[str, ...]
    scoring: str | ScoringTable
    rounds: int
    hand_size: int
    max_bid: int
    first_player: str

    @property
    def table(self) -> ScoringTable:
        """The five numbers that scoring stands for ([S2], [S7], [S8])."""
        return NAMED_TABLES[self.scoring] if isinstance(self.scoring, str) else self.scoring

    @property
    def double_cross(self) -> bool:
        """Whether [V1]–[V4] are played."""
        return DOUBLE_CROSS in self.variants

    @property
    def getaway(self) -> bool:
        """Whether [V5]–[V9] are played."""
        return GETAWAY_VARIANT in self.variants

    @property
    def plan_b(self) -> bool:
        """Whether [V10]–[V13] are played."""
        return PLAN_B in self.variants

    @property
    def deck_size(self) -> int:
        """Cards in play, Getaway cards counted ([R3])."""
        ranks = LOW_DECK_RANKS if self.players <= 3 else RANKS
        return ranks * len(SUITS) + (GETAWAY_CARDS if self.getaway else 0)


def rule_set(
    players: int,
    variants: tuple[str, ...] | list[str] = (),
    *,
    scoring: str | ScoringTable = "standard",
    rounds: int = DEFAULT_ROUNDS,
    hand_size: int | None = None,
    max_bid: int | None = None,
    first_player: str = RANDOM_FIRST,
) -> RuleSet:
    """Return a checked rule set, with the defaults of [R5] and [R6] where none is given.

    Where max_bid is not given and the default does not fit a small hand, it is hand_size − 1.
    Raises RulesError.
    """
    if players not in DEFAULT_HAND:
        raise RulesError(
            "players", f"must be a whole number from {MIN_PLAYERS} to {MAX_PLAYERS}, not {_shown(players)}"
        )
    size = DEFAULT_HAND[players] if hand_size is None else hand_size
    rules = RuleSet(
        players=players,
        variants=tuple(variants),
        scoring=scoring,
        rounds=rounds,
        hand_size=size,
        max_bid=max(0, min(default_max_bid(players), size - 1)) if max_bid is None else max_bid,
        first_player=first_player,
    )
    check_rules(rules)
    return rules


def check_rules(rules: RuleSet) -> None:
    """Raise RulesError for the first option that is outside its limits; return None when all are inside.

    Types are checked too: `true` and `4.0` are not whole numbers.
    """
    _check_whole("players", rules.players, MIN_PLAYERS, MAX_PLAYERS)
    _check_variants(rules.variants)
    _check_scoring(rules.scoring)
    _check_whole("rounds", rules.rounds, 1, MAX_ROUNDS)
    _check_whole("hand_size", rules.hand_size, MIN_HAND, MAX_HAND)
    if rules.hand_size * rules.players > rules.deck_size:
        raise RulesError(
            "hand_size",
            f"must leave every player a hand: {rules.players} hands of {rules.hand_size} are more than the "
            f"{rules.deck_size} cards in play, so at most {rules.deck_size // rules.players}",
        )
    _check_whole("max_bid", rules.max_bid, 0, rules.hand_size - 1)
    if rules.first_player not in FIRST_PLAYER:
        raise RulesError("first_player", f'must be "random" or "rotate", not {_shown(rules.first_player)}')


def _check_whole(field: str, number: object, low: int, high: int) -> None:
    if type(number) is not int or not low <= number <= high:
        raise RulesError(field, f"must be a whole number from {low} to {high}, not {_shown(number)}")


def _check_variants(variants: object) -> None:
    if not isinstance(variants, list | tuple):
        raise RulesError("variants", f"must be a list of names, not {_shown(variants)}")
    for position, variant in enumerate(variants):
        if not isinstance(variant, str) or variant not in VARIANTS:
            raise RulesError("variants", f"must be among {', '.join(VARIANTS)}, not {_shown(variant)}")
        if variant in variants[:position]:
            raise RulesError("variants", f"must name each variant once: {variant} is there twice")


def _check_scoring(scoring: object) -> None:
    if isinstance(scoring, ScoringTable):
        for field in ScoringTable.__struct_fields__:
            _check_whole(f"scoring: {field}", getattr(scoring, field), -SCORING_LIMIT, SCORING_LIMIT)
    elif not isinstance(scoring, str) or scoring not in NAMED_TABLES:
        raise RulesError(
            "scoring",
            f'must be "standard", "simplified" or the five numbers {", ".join(ScoringTable.__struct_fields__)}, '
            f"not {_shown(scoring)}",
        )


def rules_from_json(written: object) -> RuleSet:
    """Return the checked rule set of a record's `rules` object. Raises RulesError, whatever is given."""
    if not isinstance(written, dict):
        raise RulesError(
            "rules", f"must be an object with {', '.join(RuleSet.__struct_fields__)}, not {_shown(written)}"
        )
    for key in written:
        if key not in RuleSet.__struct_fields__:
            raise RulesError(ascii(str(key)[:40]), f"is no option: expected {', '.join(RuleSet.__struct_fields__)}")
    for field in RuleSet.__struct_fields__:
        if field not in written:
            raise RulesError(field, "is missing")
    options = {**written, "scoring": _scoring_from_json(written["scoring"])}
    _check_variants(options["variants"])
    options["variants"] = tuple(options["variants"])
    rules = RuleSet(**options)
    check_rules(rules)
    return rules


def _scoring_from_json(written: object) -> Any:
    if isinstance(written, dict):
        fields = ScoringTable.__struct_fields__
        if set(written) != set(fields):
            raise RulesError("scoring", f"must have exactly the five numbers {', '.join(fields)}")
        return ScoringTable(**written)
    return written


def rules_to_json(rules: RuleSet) -> dict[str, Any]:
    """Return the rule set as a record writes it."""
    written: dict[str, Any] = msgspec.to_builtins(rules)
    written["variants"] = list(rules.variants)
    return written


def _shown(value: object) -> str:
    """Return a value as a short, escaped text, so that a hostile or huge one is harmless in a message."""
    if type(value) is int and value.bit_length() > 256:
        return "a number of more than 77 digits"
    if isinstance(value, list | tuple | dict):
        return f"a {'map' if isinstance(value, dict) else 'list'} of {len(value)}"
    shown = ascii(value)
    return shown if len(shown) <= 40 else shown[:40] + "…"

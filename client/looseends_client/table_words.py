"""A table in words, for lists and headings: its rules, its options, its code in groups that can be read aloud."""

from __future__ import annotations

from looseends_client.contest_words import contest_words
from looseends_core.rules import DEFAULT_HAND, DEFAULT_ROUNDS, ROTATE_FIRST, VARIANTS, RuleSet, default_max_bid
from looseends_protocol.messages import TableOptions
from looseends_protocol.people_text import visible

VARIANT_NAMES = {"double-cross": "Double-Cross", "getaway": "Getaway", "plan-b": "Plan B"}


def variant_words(rules: RuleSet, joint: str = " · ") -> str:
    """Return the variants of a rule set by name, in one order; empty where none is played."""
    return joint.join(VARIANT_NAMES[variant] for variant in VARIANTS if variant in rules.variants)


def code_text(code: str) -> str:
    """Return a table's code in groups of five letters, as it may also be typed: `KITE2-345AB`."""
    safe = visible(code)
    return "-".join(safe[at : at + 5] for at in range(0, len(safe), 5))


def rules_words(rules: RuleSet) -> str:
    """Return the rules in one line: players, variants, and whatever is not as usual."""
    words = [f"{rules.players} players", variant_words(rules, ", ") or "no variants"]
    if rules.scoring != "standard":
        words.append(f"{rules.scoring} scoring" if isinstance(rules.scoring, str) else "own scoring")
    if rules.rounds != DEFAULT_ROUNDS:
        words.append(f"{rules.rounds} round{'' if rules.rounds == 1 else 's'}")
    if rules.hand_size != DEFAULT_HAND[rules.players]:
        words.append(f"{rules.hand_size} cards each")
    if rules.max_bid != default_max_bid(rules.players):
        words.append(f"at most {rules.max_bid} bid{'' if rules.max_bid == 1 else 's'}")
    if rules.first_player == ROTATE_FIRST:
        words.append("first player goes round")
    return " · ".join(words)


def options_words(options: TableOptions) -> str:
    """Return what the host set besides the rules, in one line."""
    clock = f"{options.clock_seconds} seconds a turn" if options.clock_seconds else "no clock"
    away = {
        "bot": "a bot plays for who is away",
        "wait": "waits for who is away",
        "clock": "who is away runs out of time",
    }
    words = [clock, away[options.absence]]
    if options.private:
        words.append("private")
    if not options.spectators:
        words.append("no spectators")
    elif not options.spectators_talk:
        words.append("spectators only watch")
    if not options.hint:
        words.append("no hints")
    if options.contest:
        words.append(contest_words(options.contest))
    return " · ".join(words)

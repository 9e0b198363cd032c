"""The rules as the program tells them, in its own words: what is special at this table first.

Numbers come from the rule set, so a table with its own hand size or scoring reads its own numbers. A line that begins
with `# ` is a heading; every other line is a paragraph.
"""

from __future__ import annotations

from looseends_client.cards_text import points_text
from looseends_client.narration import listed
from looseends_core.rules import ROTATE_FIRST, STARTING_POINTS, VARIANTS, RuleSet, rule_set

VARIANT_TITLES = {"double-cross": "Double-Cross", "getaway": "Getaway cards", "plan-b": "Plan B"}
_VARIANT_TEXTS = {
    "double-cross": (
        "Whoever passes first in a round may take all their bid cards back in that moment and snitch instead (d), even "
        "at the maximum. There is only one snitch a round: once somebody snitches, you must bid at least one card "
        "before you pass."
    ),
    "getaway": (
        "Four black cards, X, have neither suit nor rank and cannot be bid. You may play one at any time, even if you "
        "could follow suit. Led, it sets no suit: the next card with a suit does. It never wins, unless the whole "
        "trick is made of them; then the first one wins, and that is a loose end."
    ),
    "plan-b": (
        "A trick that covers none of your bids is no loose end: the card you won it with becomes a new bid card, and a "
        "later trick can cover it. It does not count against the maximum, but a Perfect Crime needs it covered too."
    ),
}


def rules_text(rules: RuleSet | None = None) -> str:
    """Return the rules of a table, or of the usual game for four where None is given."""
    told = rules or rule_set(4)
    parts = ["# In a nutshell", _NUTSHELL, ""]
    if rules is not None:
        parts += ["# At this table", _this_table(rules), ""]
        parts += _variants([variant for variant in VARIANTS if variant in rules.variants])
    parts += _the_game(told, usual=rules is None)
    if rules is None:
        parts += ["", "# Variants", "A table plays any of these.", "", *_variants(list(VARIANTS))]
    return "\n".join(parts).rstrip()


_NUTSHELL = (
    "Lay cards from your hand as bids, then win exactly the tricks that cover them. What stays open, or is won for "
    "nothing, is a loose end and costs points."
)


def _variants(variants: list[str]) -> list[str]:
    return [line for variant in variants for line in (f"# {VARIANT_TITLES[variant]}", _VARIANT_TEXTS[variant], "")]


def _this_table(rules: RuleSet) -> str:
    variants = [VARIANT_TITLES[variant] for variant in VARIANTS if variant in rules.variants]
    played = f"with {listed(variants)}" if variants else "without variants"
    scoring = f"{rules.scoring} scoring" if isinstance(rules.scoring, str) else "a scoring of its own"
    first = "goes round" if rules.first_player == ROTATE_FIRST else "is drawn for each round"
    return (
        f"{rules.players} players, {rules.rounds} rounds, {rules.hand_size} cards each, {played}, {scoring}. "
        f"The first player {first}."
    )


def _the_game(rules: RuleSet, *, usual: bool) -> list[str]:
    table = rules.table
    most = f"up to {rules.max_bid} {'with four players' if usual else 'at this table'}"
    worth = [
        f"  {points_text(table.covered):>3}  for each bid covered",
        f"  {points_text(table.loose_end):>3}  for each loose end: a bid left open, or a trick that covered nothing",
        f"  {points_text(table.loose_end_with_snitch):>3}  for each loose end in a round in which a snitch succeeds",
        f"  {points_text(table.snitch):>3}  for a snitch who wins no trick",
    ]
    if table.perfect_crime:
        worth.append(f"  {points_text(table.perfect_crime):>3}  for a Perfect Crime: all bids covered, nothing loose")
    return [
        "# Cards",
        "Blue (B), Red (R), Green (G) and Yellow (Y) have the ranks 1 to 15, 15 highest; with two or three players 13 "
        "to 15 are left out. Blue is always trump.",
        "",
        "# Planning",
        f"In turn, bid one card from your hand face up ({most}), or pass and be done. A bid card is out of your hand. "
        "Whoever passes last leads the first trick. There are as many tricks as the shortest hand has cards left.",
        "",
        "# Tricks",
        "Follow the suit that is led if you can; otherwise play anything. The highest Blue card wins, or else the "
        "highest card of the suit led. The winner leads the next trick.",
        "",
        "# Covering",
        "A trick you win covers one of your bids: one of the winning card's suit, of its rank, or of the suit led. If "
        "several fit, you choose. If none does, the trick is a loose end.",
        "",
        "# Snitching",
        "Pass without a bid and you snitch: win no trick, and that is your round. If it works, loose ends cost the "
        "others more, and nobody gets a Perfect Crime. If you win a trick after all, you score like everybody else.",
        "",
        "# Scoring a round",
        *worth,
        "",
        "# The end",
        f"Everybody begins with {STARTING_POINTS} points. Most points after {rules.rounds} rounds win; in a tie the "
        "last round decides, and if that is level too, the win is shared.",
        "",
        "# A fair deal",
        "Before each deal the server commits itself to a secret; then every player's program adds random bytes, and "
        "the deal follows from all of it. After the round your program makes the deal again and compares.",
    ]

"""The rules as the program tells them, in its own words: what is special at this table first.

Numbers come from the rule set, so a table with its own hand size or scoring reads its own numbers. A line that begins
with `# ` is a heading; every other line is a paragraph.
"""

from __future__ import annotations

from looseends_client.cards_text import points_text
from looseends_client.narration import listed
from looseends_core.cards import GETAWAY_CARDS, LOW_DECK_RANKS, RANKS
from looseends_core.rules import ROTATE_FIRST, STARTING_POINTS, VARIANTS, RuleSet, rule_set

VARIANT_TITLES = {"double-cross": "Double-Cross", "getaway": "Getaway cards", "plan-b": "Plan B"}
SIMPLIFIED = "simplified"


def rules_text(rules: RuleSet | None = None) -> str:
    """Return the rules of a table, or of the usual game for four where None is given."""
    told = rules or rule_set(4)
    parts = ["# In a nutshell", *_NUTSHELL, ""]
    if rules is not None:
        parts += ["# At this table", _this_table(rules), ""]
        parts += _variants(rules, [variant for variant in VARIANTS if variant in rules.variants])
    parts += _the_game(told, usual=rules is None)
    if rules is None:
        every = rule_set(4, VARIANTS)
        parts += ["", "# Variants", "A table plays any of these, together or alone.", ""]
        parts += _variants(every, list(VARIANTS))
        parts += ["# Simplified scoring", *_worth(rule_set(4, scoring=SIMPLIFIED))]
    return "\n".join(parts).rstrip()


_NUTSHELL = (
    "Lay cards of your own on the table: each is a promise to win one trick that fits it. Then win exactly "
    "those tricks. "
    "A promise you do not keep, and a trick you win for nothing, are loose ends and cost points.",
    "Or promise nothing and try to win nothing: snitch.",
)


def _variants(rules: RuleSet, variants: list[str]) -> list[str]:
    texts = {"double-cross": _double_cross, "getaway": _getaway, "plan-b": _plan_b}
    return [line for variant in variants for line in (f"# {VARIANT_TITLES[variant]}", *texts[variant](rules), "")]


def _double_cross(rules: RuleSet) -> list[str]:
    told = [
        "Whoever passes first in a round, and has bid something, may take all their bid cards back in that moment and "
        "snitch (d), even at the maximum. Everybody knows those cards, and nobody else can do it in this round.",
        "There is one snitch a round at most: once somebody snitches, you have to bid a card before you may pass.",
    ]
    if rules.getaway or rules.max_bid == 0:
        why = "holds Getaway cards alone" if rules.getaway else "may bid nothing"
        told.append(f"Only somebody who cannot bid, because their hand {why}, passes all the same and is no snitch.")
    return told


def _getaway(rules: RuleSet) -> list[str]:
    told = [
        f"{GETAWAY_CARDS} black cards, X, have neither suit nor rank. They cannot be bid. You may play one whenever it "
        "is your turn, also when you could follow suit.",
        "One that is led asks for no suit: the first card after it that has a suit sets what is to be followed.",
        "It never wins, unless the whole trick is made of them. Then the first one wins, and that trick fits no "
        "bid: it "
        "is a loose end.",
    ]
    if not rules.plan_b:
        return told
    return [*told[:-1], told[-1].replace("a loose end.", "a loose end, Plan B or not.")]


def _plan_b(rules: RuleSet) -> list[str]:
    return [
        "A trick that fits none of your open bids is no loose end: the card that won it becomes a new bid card "
        "of yours, "
        "and a later trick of the round can cover it.",
        f"It does not count against the {rules.max_bid} that you may bid. Left open, it counts like any other "
        "open bid, "
        "and a Perfect Crime needs it covered. What the last trick makes a bid card stays open.",
        "A snitch who wins a trick gets a bid card by it, too, and stays a snitch who has failed.",
    ]


def _this_table(rules: RuleSet) -> str:
    variants = [VARIANT_TITLES[variant] for variant in VARIANTS if variant in rules.variants]
    played = f"with {listed(variants)}" if variants else "without variants"
    scoring = f"{rules.scoring} scoring" if isinstance(rules.scoring, str) else "a scoring of its own"
    first = "goes round" if rules.first_player == ROTATE_FIRST else "is drawn for each round"
    return (
        f"{rules.players} players, {_rounds(rules)}, {rules.hand_size} cards each, at most {rules.max_bid} to bid, "
        f"{played}, {scoring}. The first player {first}."
    )


def _rounds(rules: RuleSet) -> str:
    return "1 round" if rules.rounds == 1 else f"{rules.rounds} rounds"


def _worth(rules: RuleSet) -> list[str]:
    """Return what everything is worth, a line each."""
    table = rules.table

    def line(points: int, what: str) -> str:
        return f"  {points_text(points):>3}  {what}"

    lines = [
        line(table.covered, "for each bid card that you covered"),
        line(table.loose_end, "for each loose end: a bid card left open, or a trick that fitted nothing"),
    ]
    if table.loose_end_with_snitch != table.loose_end:
        lines.append(line(table.loose_end_with_snitch, "for each loose end instead, where a snitch succeeds"))
    lines.append(line(table.snitch, "for a snitch who wins no trick, and nothing else"))
    if table.perfect_crime:
        lines.append(line(table.perfect_crime, "more for a Perfect Crime: every bid covered, nothing loose"))
    return lines


def _snitching(rules: RuleSet) -> list[str]:
    table = rules.table
    spoils: list[str] = []
    if table.loose_end_with_snitch != table.loose_end:
        spoils.append("loose ends cost the others more")
    if table.perfect_crime:
        spoils.append("nobody makes a Perfect Crime")
    spoilt = f" And it spoils the round: {' and '.join(spoils)}." if spoils else ""
    count = "" if rules.double_cross else " Any number of players can snitch in one round."
    lost = "the cards you won with are bid cards now" if rules.plan_b else "the tricks you won are loose ends"
    return [
        "If you pass without a bid card before you, you snitch. Win no trick, and you get "
        f"{points_text(table.snitch)} for the round.{spoilt}{count}",
        f"A snitch who wins a trick has failed and scores like everybody else: {lost}. A snitch who failed spoils "
        "nothing.",
    ]


def _the_game(rules: RuleSet, *, usual: bool) -> list[str]:
    most = f"{rules.max_bid}{' with four players; 6, 5 or 3 with two, three or five' if usual else ' at this table'}"
    dealt = (
        f"{rules.hand_size} with four players, 16 with two or three, 12 with five" if usual else str(rules.hand_size)
    )
    ranks = LOW_DECK_RANKS if rules.players <= 3 else RANKS
    fewer = f"; with two or three players they end at {LOW_DECK_RANKS}" if usual else ""
    perfect = (
        [
            "A Perfect Crime needs at least one bid card. It counts once a round, however many bids were covered.",
        ]
        if rules.table.perfect_crime
        else []
    )
    drawn = "goes on to the next seat each round" if rules.first_player == ROTATE_FIRST else "is drawn for each round"
    return [
        "# Cards",
        f"Blue (B), Red (R), Green (G) and Yellow (Y) have the ranks 1 to {ranks}, {ranks} highest{fewer}. Blue is "
        "always trump.",
        f"Cards dealt to each player: {dealt}. The rest of the pack stays face down and out of the round.",
        "",
        "# Planning",
        f"The first player {drawn}. In turn, clockwise, you bid one card or you pass.",
        f"A bid is a card of your hand, face up before you for everybody to see. You may bid at most {most}; then all "
        "that is left is to pass, which still is a turn of yours.",
        "Who has passed is done planning. When all have, whoever passed last leads the first trick.",
        "A card that is bid cannot be played. So hands differ in size: there are as many tricks as the shortest "
        "hand has "
        "cards, and what others still hold then counts for nothing.",
        "",
        "# Tricks",
        "The leader plays any card. Everybody else, clockwise, follows that suit if they hold a card of it, and plays "
        "anything otherwise. Nobody has to trump.",
        "The highest Blue card wins; without one, the highest card of the suit that was led. The winner leads next.",
        "",
        "# Covering",
        "A trick covers one open bid card of its winner, if one fits: of the suit that was led, of the winning card's "
        "suit, or of the winning card's rank. If several fit, the winner chooses; if one does, it is covered.",
        "What is covered stays so. "
        + (
            "If none fits, the winning card becomes a bid card (Plan B)."
            if rules.plan_b
            else "If none fits, the trick is a loose end."
        ),
        "",
        "# Snitching",
        *_snitching(rules),
        "",
        "# Scoring a round",
        *_worth(rules),
        *perfect,
        "",
        "# The end",
        f"Everybody begins the game with {STARTING_POINTS} points, and a score may fall below zero. Most points after "
        f"{_rounds(rules)} win. In a tie the one of them with more points in the last round wins; if that is "
        "level too, "
        "they share the win.",
        "",
        "# A fair deal",
        "Before each deal the server commits itself to a secret; then every player's program adds random bytes, and "
        "the deal follows from all of it. After the round your program makes the deal again and compares: the score "
        "sheet says what came out.",
    ]

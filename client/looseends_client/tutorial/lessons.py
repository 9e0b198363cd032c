"""The lessons: a deal, every move of the round, and what the learner is told at each of their own.

The deals are ordinary ones of the shuffle that anyone can check: a lesson only names the secret and the nonce that
they follow from. In a text, `{G6}` is a card and `<pass>` the key of an action. A text is two lines at most in a
window of 60 columns.
"""

from __future__ import annotations

import msgspec

from looseends_core.rules import RuleSet, rule_set

LEARNER = 0
"""The learner's seat."""
OTHERS = ("cat", "owl")
"""What the other seats are called; they follow the lesson."""
NONCE = b"learn by playing"
"""The nonce that the learner's program gives for the deal of a lesson."""


class Step(msgspec.Struct, frozen=True):
    """A move of the learner's: what to do and why, and what is said where another legal move is tried."""

    says: str
    instead: str = ""


class Lesson(msgspec.Struct, frozen=True):
    """One round to play: `deal` numbers its secret, `moves` are everybody's in order, `steps` are for the learner's.

    `tricks` is said while each finished trick lies on the table, `sheet` over the score sheet at the end. Before
    `counts_now` no seat shows what the round would score.
    """

    number: int
    title: str
    rules: RuleSet
    deal: int
    moves: tuple[str, ...]
    steps: tuple[Step, ...]
    tricks: tuple[str, ...]
    sheet: str
    counts_now: bool = False

    @property
    def secret(self) -> bytes:
        """The 32 bytes that the lesson's house draws for its deal."""
        return f"No Loose Ends, lesson {self.number}: {self.deal:07}".encode()


LESSONS = (
    Lesson(
        number=1,
        title="bid, follow, cover",
        rules=rule_set(3, rounds=1, hand_size=4, max_bid=2),
        deal=59113,
        moves=(
            *("bid G6", "bid R1", "bid R12", "pass", "pass", "pass"),
            *("play G7", "play G11", "play G5"),
            *("play R5", "play R7", "play B5"),
            *("play Y6", "play Y11", "play Y5"),
        ),
        steps=(
            Step(
                "Bid: lay down a card of yours. Later you must win a trick that fits it. Type g6 (or use ← →), then "
                "Enter.",
                "Bid {G6} here: {G11} can win a trick for it. (To pass without a bid is lesson 2.)",
            ),
            Step(
                "{G6} lies in your column, open (·): win a trick with Green to cover it. That is enough: "
                "press <pass> to pass.",
                "One bid is enough here: {G11} can win for {G6}, and nothing for a second one. Press <pass>.",
            ),
            Step(
                "A trick: each plays a card, the highest wins. owl led Green, so you must play Green too: type g11, "
                "Enter."
            ),
            Step(
                "The winner leads. No bid of yours is open now, so you want no more tricks: lead {R5}, a low card.",
                "{Y11} would probably win, and you have nothing left to cover. Lead {R5}.",
            ),
            Step("owl leads Yellow. {Y11} is your only Yellow, so you must play it, like it or not."),
        ),
        tricks=(
            "Your Green is the highest, so the trick is yours, and it covers your Green bid: {G6} ✓, 2 points.",
            "owl has no Red and may play anything. Blue is trump: even {B5} beats every Red, Green and Yellow.",
            "You win, but no bid of yours is left to cover: the trick is a loose end and costs a point.",
        ),
        sheet="One bid covered +2, one loose end −1: with the 5 all begin with, 6. owl's Perfect Crime is lesson 3.",
    ),
    Lesson(
        number=2,
        title="snitch",
        rules=rule_set(3, rounds=1, hand_size=4, max_bid=2),
        deal=61618,
        moves=(
            *("pass", "bid R6", "bid R11", "pass", "pass"),
            *("play Y9", "play Y1", "play R7"),
            *("play R1", "play Y12", "play R8"),
            *("play G9", "play Y2", "play G4"),
        ),
        steps=(
            Step(
                "Another way: bid nothing, then win nothing. That is called snitching, worth 10 points. "
                "Press <pass> to pass.",
                "In this lesson you bid nothing at all: press <pass>.",
            ),
            Step(
                "A snitch ducks. owl leads {Y9}: you must follow Yellow, and {Y1} stays below it.",
                "{Y12} would win the trick, and a snitch who wins one has failed. Play {Y1}.",
            ),
            Step(
                "owl leads Red and you have none, so play anything. Throw {Y12} away while it cannot win.",
                "Allowed, but {Y12} could win a trick later and cost you the 10 points. Throw it away now.",
            ),
            Step("cat leads Green: follow with {G4}. It is low enough."),
        ),
        tricks=(
            "owl wins, and {Y9} covers no bid of owl's: a loose end. You have won nothing, so you are still snitching.",
            "cat wins with {R8} and covers {R6}. You have still won nothing.",
            "No trick was yours: the snitching worked. {B3} stays unplayed, for a round ends when a hand is empty.",
        ),
        sheet="10 points for you. And it hurts the others: each of their loose ends costs 2 now instead of 1.",
    ),
    Lesson(
        number=3,
        title="Perfect Crime",
        rules=rule_set(3, rounds=1, hand_size=5, max_bid=2),
        deal=181302,
        moves=(
            *("bid Y7", "bid R2", "bid R3", "bid R5", "bid G6", "pass", "pass", "pass"),
            *("play Y10", "play Y4", "play B5", "cover Y7"),
            *("play R10", "play R6", "play R8"),
            *("play G3", "play G9", "play G11"),
        ),
        steps=(
            Step(
                "Cover every bid and leave nothing loose: that is a Perfect Crime, 5 points on top. Bid {Y7} first.",
                "For this crime you need {Y7} and {R5} on the table. Bid {Y7} first.",
            ),
            Step(
                "Bid {R5} as well: {R10} is Red and high, so it can win a trick that covers it.",
                "Two bids make this crime: {Y7}, which lies there, and {R5}. Bid {R5}.",
            ),
            Step(
                'Three cards for three tricks: win two, lose one. From now on "now" is what the round would score. '
                "Press <pass>."
            ),
            Step(
                "cat leads Yellow, and your only Yellow is a bid. So play any card: {B5} is trump and wins.",
                "That card would lose, and you need this trick. Play {B5}.",
            ),
            Step(
                "{Y7} fits because Yellow was led, {R5} as a 5. {R10} can win for {R5} later, so cover {Y7} now.",
                "{R5} fits, but then nothing in your hand could cover {Y7}. Choose {Y7}.",
            ),
            Step(
                "Lead {R10}. If nobody beats it, it covers {R5}.",
                "{G3} cannot win. {R5} is still open: lead {R10} for it.",
            ),
            Step("All is covered: one more trick would be a loose end. Play your last card, {G3}: it will lose."),
        ),
        tricks=(
            "{B5} wins. A trick covers a bid of the suit that was led, or of the winning card's suit or number.",
            "Nobody beat it: {R5} ✓. Both bids are covered now.",
            "owl takes it, not you. Every bid covered, nothing loose, nobody snitched: a Perfect Crime.",
        ),
        counts_now=True,
        sheet="Two bids covered: +4, and 5 on top. Walk over the numbers with ← →: each tells where it comes from.",
    ),
)
"""Every lesson, in order."""

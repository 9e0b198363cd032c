"""A review in words: what was done, what the bot would have done, and what that was worth, for whoever did it.

Pure; nothing is said that the numbers do not bear out.
"""

from __future__ import annotations

from looseends_client.cards_text import Faces
from looseends_client.hint_words import about_points, action_words
from looseends_client.history.replay import Stop
from looseends_client.history.reviews import Review
from looseends_client.narration import Sentence
from looseends_core.actions import Action, Bid, Cover, DoubleCross, Pass, Play
from looseends_protocol.messages import ReviewedDecision

BOT = "fox"
"""Who looks back."""


def where_words(stop: Stop) -> str:
    """Return where in the game a decision was: `round 2, trick 5`."""
    return f"round {stop.round}, {f'trick {stop.trick}' if stop.trick else 'planning'}"


def costly_words(decision: ReviewedDecision) -> Sentence:
    """Return what was done, what would have been better, and by how much that is on average."""
    unsure = about_points(decision.uncertainty).partition(" ")[0]
    sure = "" if unsure == "0" else f", give or take {unsure}"
    better = about_points(decision.lost)
    return ("you ", *_did(decision.taken), f"; {BOT} would ", *action_words(decision.best), f": {better} better{sure}.")


def remark(decision: ReviewedDecision) -> Sentence:
    """Return the same for the table of a replay, where a decision that cost nothing is told of too."""
    if decision.best == decision.taken:
        return ("You ", *_did(decision.taken), f", and so would {BOT}.")
    if decision.lost <= 0:
        return ("You ", *_did(decision.taken), f"; {BOT} would ", *action_words(decision.best), ", for as much.")
    first, *rest = costly_words(decision)
    return (str(first).capitalize(), *rest)


def remarks(review: Review) -> dict[int, Sentence]:
    """Return what there is to say of each decision, by its state number."""
    return {decision.number: remark(decision) for decision in review.decisions}


def mean_words(review: Review, faces: Faces) -> str:
    """Return one number for bidding and one for play: what a decision lost on average."""
    parts: list[str] = []
    for word, planning in (("bidding", True), ("play", False)):
        mean, count = review.mean(planning=planning)
        number = f"{mean:.2f}".replace("-", faces.minus) if round(mean, 2) else "0.00"
        parts.append(f"{word} {number} (of {count})" if count else "")
    told = ", ".join(part for part in parts if part)
    return f"Points a decision, beside {BOT}: {told}." if told else ""


def progress_words(review: Review) -> str:
    """Return how far the review has come."""
    if review.refused:
        return review.refused
    if not review.total:
        return "There was nothing to decide in this game."
    if not review.over:
        return f"{BOT} looks at your decisions: {review.done} of {review.total}"
    left_out = review.total - len(review.decisions)
    more = f" Of {left_out} it could say nothing." if left_out else ""
    return f"{BOT} has looked at all {review.total} of your decisions.{more}"


def _did(action: Action) -> Sentence:
    match action:
        case Bid(card):
            return ("bid ", card)
        case Play(card):
            return ("played ", card)
        case Cover(card):
            return ("covered ", card)
        case DoubleCross():
            return ("double-crossed",)
        case Pass():
            return ("passed",)

"""What a replay says of a moment: what was done next, what else the rules allowed, and what a bot thought of it."""

from __future__ import annotations

from collections.abc import Sequence

from looseends_client.history.replay import Replay, Stop
from looseends_client.narration import Sentence, does, listed_cards
from looseends_core.actions import PASS, Action, Bid, Cover, DoubleCross, Pass, Play
from looseends_core.cards import Card, is_getaway

_MOST_NAMED = 5
"""Cards that are named; of more only the number is told."""


def next_words(stop: Stop, names: Sequence[str], *, told_all: bool) -> Sentence:
    """Return what was done next and, where the reader may know it, what was allowed; empty where nothing follows."""
    if stop.turn is None or stop.taken is None:
        return ()
    name = names[stop.turn]
    said: Sentence = (f"Next {name} ", *_does(name, stop.taken), ".")
    return (*said, " ", *allowed_words(stop.legal)) if told_all else said


def allowed_words(legal: Sequence[Action]) -> Sentence:
    """Return what the rules allowed, as a sentence."""
    cards = _named_once([action.card for action in legal if isinstance(action, Bid | Play | Cover)])
    others = [word for action, word in ((PASS, "to pass"), (DoubleCross(), "to double-cross")) if action in legal]
    if len(legal) == 1:
        return ("Nothing else was allowed.",)
    named: Sentence = listed_cards(cards, "or") if len(cards) <= _MOST_NAMED else (f"any of {len(cards)} cards",)
    if cards and others:
        named = (*named, ", or ")
    return ("Allowed: ", *named, " or ".join(others), ".")


def _named_once(cards: Sequence[Card]) -> list[Card]:
    """Return the cards with one Getaway card for all: none is told from another."""
    getaways = [card for card in cards if is_getaway(card)]
    return [card for card in cards if card not in getaways[1:]]


def _does(name: str, action: Action) -> Sentence:
    match action:
        case Bid(card):
            return (_verb(name, "bid"), " ", card)
        case Play(card):
            return (_verb(name, "play"), " ", card)
        case Cover(card):
            return (_verb(name, "cover"), " ", card)
        case DoubleCross():
            return (_verb(name, "double-cross", "double-crosses"),)
        case Pass():
            return (_verb(name, "pass", "passes"),)


def _verb(name: str, plural: str, singular: str | None = None) -> str:
    return does(name, plural, singular).removeprefix(f"{name} ")


def seen_words(names: Sequence[str], seat: int | None, *, opened: bool) -> str:
    """Return through whose eyes a table is seen."""
    if opened:
        return "every hand open"
    return "as a spectator saw it" if seat is None else f"as {names[seat]} saw it"


def proof_words(replay: Replay) -> str:
    """Return whether the deals are proven."""
    unproven = replay.unproven
    if not unproven:
        return "deals proven"
    if len(unproven) == len(replay.record.rounds):
        return "deals not proven"
    return f"deal of round {', '.join(map(str, unproven))} not proven"

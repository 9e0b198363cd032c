"""What each reader may know of an event. The list of what passes is closed: an event it does not name is refused.

A view is built up from redacted events and so never holds what it may not show; nothing is ever deleted from a
full state to make a view.
"""

from __future__ import annotations

from looseends_core.events import (
    BidCovered,
    BidPromoted,
    CardBid,
    CardPlayed,
    DoubleCrossed,
    Event,
    GameEnded,
    LooseEndTaken,
    Passed,
    RoundDealt,
    RoundScored,
    TrickWon,
)

_PUBLIC = frozenset(
    {
        CardBid,
        Passed,
        DoubleCrossed,
        CardPlayed,
        TrickWon,
        BidCovered,
        BidPromoted,
        LooseEndTaken,
        RoundScored,
        GameEnded,
    }
)


def is_public(event: Event) -> bool:
    """Return whether every reader sees this event alike."""
    return type(event) in _PUBLIC


def redact(event: Event, seat: int | None) -> Event:
    """Return the event as this seat may know it; None is a spectator, who holds no hand.

    Of a deal only the reader's own hand is left, and never its proof, which would give away every hand. Raises
    TypeError for an event this module does not know, so that a new secret cannot slip through.
    """
    if type(event) in _PUBLIC:
        return event
    if type(event) is RoundDealt:
        hands = tuple(hand if at == seat else None for at, hand in enumerate(event.hands))
        return RoundDealt(event.round, event.first, hands)
    raise TypeError(f"{type(event).__name__} is not known to redact, so nobody may see it")

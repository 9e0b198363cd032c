"""What happened while a person was away, in one sentence. A pure function of the events they missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from looseends_client.narration import YOU, counted, listed
from looseends_core.events import CardBid, CardPlayed, DoubleCrossed, Event, GameEnded, Passed, RoundScored, TrickWon


def missed_words(missed: Sequence[Event], names: Sequence[str], seat: int | None) -> str:
    """Return what these events come to: tricks and who won them, rounds, the end, and what a bot did for this seat.

    Empty where nothing of that kind happened. `names` are those of the seats, the reader's own `you`.
    """
    parts: list[str] = []
    won = Counter(event.seat for event in missed if isinstance(event, TrickWon))
    if won:
        winners = listed([f"{names[winner]} won {number}" for winner, number in won.most_common()])
        parts.append(f"{counted(won.total(), 'trick')} went by ({winners})")
    rounds = sum(isinstance(event, RoundScored) for event in missed)
    if rounds:
        parts.append(f"{counted(rounds, 'round')} ended")
    ended = next((event for event in missed if isinstance(event, GameEnded)), None)
    if ended is not None:
        winners = listed([names[winner] for winner in ended.winners])
        parts.append(f"{winners} won the game")
    acts = sum(
        isinstance(event, CardBid | CardPlayed | Passed | DoubleCrossed) and event.seat == seat for event in missed
    )
    if acts:
        parts.append(f"a bot acted for {YOU} {'once' if acts == 1 else f'{acts} times'}")
    return f"While you were away {listed(parts)}." if parts else ""

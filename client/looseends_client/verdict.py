"""Who won and why, in words, from the state of a game that is over."""

from __future__ import annotations

from collections.abc import Sequence

from looseends_client.cards_text import UNICODE_FACES, Faces, points_text
from looseends_client.narration import capital, does, listed, who_won
from looseends_core.state import State


def verdict(state: State, names: Sequence[str], faces: Faces = UNICODE_FACES) -> list[str]:
    """Return who won and why, as sentences; empty while the game goes on."""
    if state.winners is None:
        return []
    sentences = [capital(who_won(state.winners, state.scores, names)) + "."]
    best = max(state.scores)
    tied = [seat for seat, score in enumerate(state.scores) if score == best]
    last = state.last_delta or (0,) * state.players
    rest = sorted((score for seat, score in enumerate(state.scores) if seat not in state.winners), reverse=True)
    if len(tied) > len(state.winners):
        first = names[state.winners[0]] if len(state.winners) == 1 else "they"
        both = "both" if len(tied) == 2 else "all"
        made_last = ", ".join(f"{names[seat]} {points_text(last[seat], faces)}" for seat in tied)
        sentences.append(
            f"{capital(listed([names[seat] for seat in tied]))} {both} have {best}; "
            f"{first} made more in the last round ({made_last})."
        )
    elif len(tied) > 1:
        sentences.append(f"They are level in the last round too ({points_text(last[tied[0]], faces)}).")
    elif rest:
        second = [seat for seat, score in enumerate(state.scores) if score == rest[0]]
        sentences.append(f"That is {best - rest[0]} more than {listed([names[seat] for seat in second])}.")
    made = _best_round(state, state.winners[0])
    if made is not None:
        who = names[state.winners[0]]
        sentences.append(
            f"{capital(does(who, 'made', 'made'))} most of it in round {made}: {_how(state, state.winners[0], made)}."
        )
    return sentences


def _best_round(state: State, seat: int) -> int | None:
    points = [results[seat].points for results in state.results]
    best = max(points, default=0)
    return points.index(best) + 1 if best > 0 else None


def _how(state: State, seat: int, round_number: int) -> str:
    result = state.results[round_number - 1][seat]
    if result.snitch_succeeded:
        return "snitched and won no trick"
    crime = ", a Perfect Crime" if result.perfect_crime else ""
    bids = result.covered + result.uncovered
    return f"covered {result.covered} of {bids} bids{crime}"

"""A hint in words: what a bot weighed becomes the action, why, and how sure that is, for somebody who learns.

Pure: numbers and the table in, sentences out. It says nothing that the numbers or the table do not bear out, and
decides nothing: whoever shows a hint has seen to it that it is about this state.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from looseends_client.cards_text import points_text
from looseends_client.narration import Sentence, counted, listed_cards
from looseends_core.actions import Action, Bid, Cover, DoubleCross, Pass, Play
from looseends_core.cards import Card, cards_in, is_getaway
from looseends_core.state import State
from looseends_core.tricks import winning_index
from looseends_protocol.messages import WeighedAction

CLEAR = 100
"""Hundredths of a point by which the best action has to be ahead to be called clearly so."""
CLOSE = 10
"""Hundredths of a point that make no difference, however sure."""
SELDOM = 30
"""Percent up to which a card is not played to win."""


def advice(state: State, seat: int, weighed: Sequence[WeighedAction]) -> Sentence:
    """Return a hint for the seat on turn as a few sentences. `weighed` holds its legal actions, best first, never none.

    `state` is as that seat knows it, at the number that the hint was thought for.
    """
    best, *others = weighed
    if not others:
        return (*_capital(action_words(best.action)), ": there is nothing else that you may do.")
    if not best.worlds:
        return (*_capital(action_words(best.action)), ". That is a rule of thumb: nothing was counted.")
    action = _capital(action_words(best.action))
    left = _trick_left_to_others(state, seat, best, others)
    why = _why_left(state, best, left) if left is not None else _why(state, seat, best, others)
    # Getaway cards are all the same: one is never told apart from another.
    second = next((other for other in others if not _are_alike(other.action, best.action)), None)
    if second is None or second is left:
        return (*action, *why)
    return (*action, *why, " ", *_how_sure(best, second))


def action_words(action: Action) -> Sentence:
    """Return an action as something to do: `play Y12`, `pass`."""
    match action:
        case Bid(card):
            return ("bid ", card)
        case Play(card):
            return ("play ", card)
        case Cover(card):
            return ("cover ", card)
        case DoubleCross():
            return ("double-cross",)
        case Pass():
            return ("pass",)


def points_apart(better: WeighedAction, worse: WeighedAction) -> tuple[int, int]:
    """Return by how many hundredths of a point one action is ahead of another, and how uncertain that is at most."""
    return better.points - worse.points, round(math.hypot(better.uncertainty, worse.uncertainty))


def about_points(hundredths: int) -> str:
    """Return a number of points that was found by trying: `1 point`, `0.4 points`, `2.5 points`."""
    tenths = round(abs(hundredths) / 10)
    text = f"{tenths // 10}" if tenths % 10 == 0 else f"{tenths / 10:.1f}"
    return f"{text} point{'' if tenths == 10 else 's'}"


def how_often(percent: int) -> str:
    """Return a share in words."""
    tenths = (percent + 5) // 10
    words = {0: "hardly ever", 1: "once in 10", 2: "twice in 10", 5: "half the time", 10: "almost always"}
    return words.get(tenths, f"{tenths} times in 10")


def _capital(words: Sentence) -> Sentence:
    first, *rest = words
    return (first[0].upper() + first[1:], *rest) if isinstance(first, str) else words


def _why(state: State, seat: int, best: WeighedAction, others: Sequence[WeighedAction]) -> Sentence:
    """Return the reason, from the colon to the full stop."""
    match best.action:
        case Play(card):
            return _why_play(state, seat, card, best)
        case Bid():
            return _why_bid(state, best)
        case Pass() | DoubleCross():
            return _why_stop(state, seat, best, others)
        case Cover(card):
            return _why_cover(state, seat, card, best, others[0])


# ── tricks ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _why_play(state: State, seat: int, card: Card, best: WeighedAction) -> Sentence:
    if best.wins is None:
        return (".",)
    begins = _it_wins(state, card, best.wins)
    wanted = state.uncovered(seat)
    if state.snitching[seat] and not state.won[seat]:
        if best.snitches is None:
            return (f": {begins}, and you want no trick.",)
        return (f": {begins}, and you end without a trick {how_often(best.snitches)}, as a snitch wants to.",)
    cover = best.cover
    # A cover that is seldom even where the trick is won is not what the card is played for.
    if cover is not None and best.covers and 2 * best.covers >= best.wins and wanted >> cover & 1:
        left = list(cards_in(wanted & ~(1 << cover)))
        if not left:
            then: Sentence = ("; after that you want no more tricks.",)
        else:
            then = ("; then ", *listed_cards(left), " is left to cover." if len(left) == 1 else " are left to cover.")
        if abs(best.wins - best.covers) <= 5:
            return (f": {begins} and covers ", cover, *then)
        return (f": {begins}, and {how_often(best.covers)} it covers ", cover, *then)
    if best.wins > SELDOM:
        unwanted = "would give you a new bid to cover" if state.rules.plan_b else "would be a loose end"
        return (f": {begins}, which {unwanted}; even so it comes out best.",)
    if wanted:
        return (f": {begins}, and you keep the rest for the tricks that you want.",)
    if state.rules.plan_b:
        return (f": {begins}, and a trick would give you a new bid to cover.",)
    return (f": {begins}, and you want no more tricks.",)


def _trick_left_to_others(
    state: State, seat: int, best: WeighedAction, others: Sequence[WeighedAction]
) -> WeighedAction | None:
    """Return the play that would win the trick much more often and costs too much, where that is the reason."""
    snitches = state.snitching[seat] and not state.won[seat]
    if best.wins is None or best.wins > SELDOM or not isinstance(best.action, Play) or snitches:
        return None
    if not state.uncovered(seat):
        return None
    winner = max(others, key=lambda other: -1 if other.wins is None else other.wins)
    ahead, _ = points_apart(best, winner)
    if winner.wins is None or winner.wins <= best.wins + 20 or ahead < CLOSE:
        return None
    return winner


def _why_left(state: State, best: WeighedAction, winner: WeighedAction) -> Sentence:
    cost, _ = points_apart(best, winner)
    if not isinstance(best.action, Play) or not isinstance(winner.action, Play):
        return (".",)
    begins = _it_wins(state, best.action.card, best.wins or 0)
    wins = "wins" if _is_certain(state, winner.action.card) else f"wins {how_often(winner.wins or 0)}"
    return (f": {begins}. ", winner.action.card, f" {wins}, but costs you {about_points(cost)} more.")


def _it_wins(state: State, card: Card, wins: int) -> str:
    cards = [*(played for _, played in state.trick), card]
    if winning_index(cards) != len(cards) - 1:
        return "it cannot win this trick"
    return "it wins this trick" if _is_certain(state, card) else f"it wins {how_often(wins)}"


def _is_certain(state: State, card: Card) -> bool:
    """Return whether a card wins the trick whatever the others hold: as the last one, the best so far."""
    cards = [*(played for _, played in state.trick), card]
    return len(cards) == state.players and winning_index(cards) == len(cards) - 1


def _why_cover(state: State, seat: int, card: Card, best: WeighedAction, second: WeighedAction) -> Sentence:
    left = list(cards_in(state.uncovered(seat) & ~(1 << card)))
    ahead, _ = points_apart(best, second)
    stays = (*listed_cards(left), " is easier to cover later" if len(left) == 1 else " are easier to cover later")
    if ahead < CLOSE:
        stays = (*listed_cards(left), " stays to cover" if len(left) == 1 else " stay to cover")
    return (": ", *stays, ".")


# ── planning ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _why_bid(state: State, best: WeighedAction) -> Sentence:
    parts: list[str] = []
    if best.covers is not None:
        parts.append(f"it gets covered {how_often(best.covers)}")
    if best.perfect is not None and best.perfect >= 5 and state.rules.table.perfect_crime > 0:
        parts.append(f"you make a Perfect Crime {how_often(best.perfect)}")
    if not parts:
        return (".",)
    return (f": {' and '.join(parts)}.",)


def _why_stop(state: State, seat: int, best: WeighedAction, others: Sequence[WeighedAction]) -> Sentence:
    double_cross = isinstance(best.action, DoubleCross)
    snitched_already = state.rules.double_cross and any(state.snitching)
    if double_cross or (best.snitches is not None and not state.bids[seat] and not snitched_already):
        act = " and take your bids back: as a snitch" if double_cross else " and snitch:"
        if best.snitches is None:
            return (f"{act} you want no trick.",)
        reward = points_text(state.rules.table.snitch)
        return (f"{act} you win no trick {how_often(best.snitches)}, for {reward} points.",)
    bids = len(state.bids[seat])
    held = f" with {counted(bids, 'bid')}" if bids else ""
    if any(isinstance(other.action, Bid) and other.points < best.points for other in others[:1]):
        return (f"{held}: one more is worth less." if bids else ": to bid is worth less.",)
    return (f"{held}.",)


# ── how sure ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _how_sure(best: WeighedAction, second: WeighedAction) -> Sentence:
    if not second.worlds:
        return ("The rest was not worth counting.",)
    ahead, uncertain = points_apart(best, second)
    other = _noun(second.action)
    if ahead < -max(uncertain, CLOSE):
        return (*_capital(other), " brings more in this round, but less for the game.")
    if ahead <= max(uncertain, CLOSE):
        return ("It is close: ", *other, " is about as good.")
    if ahead >= CLEAR and ahead > 2 * uncertain:
        return (f"Clearly best, by {about_points(ahead)}.",)
    return (f"Better by {about_points(ahead)} than ", *other, ".")


def _are_alike(one: Action, other: Action) -> bool:
    return isinstance(one, Play) and isinstance(other, Play) and is_getaway(one.card) and is_getaway(other.card)


def _noun(action: Action) -> Sentence:
    """Return an action as something to compare with: a card, or what is done without one."""
    match action:
        case Bid(card) | Play(card) | Cover(card):
            return (card,)
        case DoubleCross():
            return ("to double-cross",)
        case Pass():
            return ("to pass",)

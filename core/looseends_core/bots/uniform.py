"""Plays a board out to the end of the round with every legal card as likely as any other.

The plainest playout there is: the measure of what the engine itself costs, and a yardstick for policies. Like `rollout`
it is one loop over plain numbers. Numbers are drawn with `random()` alone, and none where there is one choice.

A card is its bit in the mask of its suit: bits compare as ranks do, and take a card out of a hand without a table.
"""

from __future__ import annotations

from collections.abc import Callable

from looseends_core.bots.board import NO_SUIT, Board
from looseends_core.bots.masks import COUNT, SUIT_MASK_COUNT
from looseends_core.bots.rollout import Outcome, Trace, outcome_of
from looseends_core.cards import GETAWAY, RANKS, SUITED_CARDS

CARDS_IN: list[tuple[int, ...]] = [()]
"""The cards in a mask, each as its bit, ascending."""
for _mask in range(1, SUIT_MASK_COUNT):
    _rest = _mask & _mask - 1
    CARDS_IN.append((_mask ^ _rest, *CARDS_IN[_rest]))


def play_out_uniformly(board: Board, draw: Callable[[], float], trace: Trace | None = None) -> Outcome:
    """Return how the round ends when every seat plays and covers at random; `draw` gives numbers from 0 to below 1.

    The board is left as it was.
    """
    n = board.players
    hands = board.hands[:]
    away = board.away[:]
    need = board.need[:]
    covered = board.covered[:]
    loose = board.loose[:]
    won = board.won[:]
    plan_b = board.plan_b
    # Who had a bid card to cover at some time; it saves looking for one in vain.
    bids = [need[at] | need[at + 1] | need[at + 2] | need[at + 3] for at in range(0, 4 * n, 4)]
    getaways = any(away)
    count_of = COUNT
    cards_in = CARDS_IN
    getaway = GETAWAY
    seat = board.seat
    count = board.count
    lead = board.lead
    best_suit = board.best_suit
    best = 1 << board.best_rank - 1 if board.best_rank else 0
    best_seat = board.best_seat
    left = board.left
    last = n - 1
    among = among_suit = 0
    first_winner = -1
    first_cover = -1

    while left:
        at = 4 * seat
        if lead >= 0 and (mine := hands[at + lead]):
            suit = lead
            if getaways and away[seat]:
                cards = count_of[mine]
                place = int(draw() * (cards + away[seat]))
                card = cards_in[mine][place] if place < cards else 0
            elif (cards := count_of[mine]) > 1:
                card = cards_in[mine][int(draw() * cards)]
            else:
                card = mine
        else:
            blue, red, green, yellow = hands[at : at + 4]
            blues = count_of[blue]
            reds = blues + count_of[red]
            greens = reds + count_of[green]
            yellows = greens + count_of[yellow]
            place = int(draw() * (yellows + away[seat]))
            if place < reds:
                if place < blues:
                    suit = 0
                    card = cards_in[blue][place]
                else:
                    suit = 1
                    card = cards_in[red][place - blues]
            elif place < greens:
                suit = 2
                card = cards_in[green][place - reds]
            elif place < yellows:
                suit = 3
                card = cards_in[yellow][place - greens]
            else:
                suit = getaway
                card = 0

        if trace is not None:
            trace.append(("play", seat, suit * RANKS + card.bit_length() - 1 if card else SUITED_CARDS))
        if card:
            hands[at + suit] ^= card
            if suit == best_suit:
                if card > best:
                    best = card
                    best_seat = seat
            elif suit == 0 or best_suit == getaway:
                best_suit = suit
                best = card
                best_seat = seat
                if lead < 0:
                    lead = suit
        else:
            away[seat] -= 1
        if count != last:
            count += 1
            seat = seat + 1 if seat != last else 0
            continue

        seat = best_seat
        won[seat] += 1
        left -= 1
        cover = -1
        if best_suit == getaway:
            loose[seat] += 1
        else:
            cards = 0
            if bids[seat]:
                at = 4 * seat
                for suit in (0, 1, 2, 3):
                    eligible = need[at + suit]
                    if eligible:
                        if suit != best_suit and suit != lead:
                            eligible &= best
                            if not eligible:
                                continue
                        more = count_of[eligible]
                        cards += more
                        # Of two suits each is taken by its number of cards, so that every card is as likely.
                        if cards == more or draw() * cards < more:
                            among = eligible
                            among_suit = suit
            if cards:
                more = count_of[among]
                card = among if more == 1 else cards_in[among][int(draw() * more)]
                need[at + among_suit] ^= card
                covered[seat] += 1
                cover = among_suit * RANKS + card.bit_length() - 1
                if trace is not None:
                    trace.append(("cover", seat, cover))
            elif plan_b:
                need[4 * seat + best_suit] |= best
                bids[seat] = 1
            else:
                loose[seat] += 1
        if first_winner < 0:
            first_winner = seat
            first_cover = cover
        lead = NO_SUIT
        best_suit = GETAWAY
        best = 0
        count = 0
    return outcome_of(board, won, covered, loose, need, first_winner, first_cover)

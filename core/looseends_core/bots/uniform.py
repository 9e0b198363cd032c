"""Plays a board out to the end of the round with every legal card as likely as any other.

The plainest playout there is: the measure of what the engine itself costs, and a yardstick for policies. Like `rollout`
it is one loop over plain numbers. Numbers are drawn with `random()` alone.
"""

from __future__ import annotations

from collections.abc import Callable

from looseends_core.bots.board import NO_SUIT, Board
from looseends_core.bots.masks import BIT, COUNT, HIGH, SUIT_MASK_COUNT
from looseends_core.bots.rollout import Outcome, Trace, outcome_of
from looseends_core.cards import GETAWAY, RANKS, SUITED_CARDS

RANKS_IN: list[tuple[int, ...]] = [()]
"""The ranks in a mask, descending."""
for _mask in range(1, SUIT_MASK_COUNT):
    _high = HIGH[_mask]
    RANKS_IN.append((_high, *RANKS_IN[_mask ^ 1 << _high - 1]))


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
    count_of = COUNT
    ranks_in = RANKS_IN
    seat = board.seat
    count = board.count
    lead = board.lead
    best_suit = board.best_suit
    best_rank = board.best_rank
    best_seat = board.best_seat
    left = board.left
    last = n - 1
    first_winner = -1
    first_cover = -1

    while left:
        at = 4 * seat
        mine = hands[at + lead] if lead >= 0 else 0
        if mine:
            suit = lead
            if away[seat]:
                place = int(draw() * (count_of[mine] + away[seat]))
                rank = ranks_in[mine][place] if place < count_of[mine] else 0
            else:
                rank = ranks_in[mine][int(draw() * count_of[mine])]
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
                    rank = ranks_in[blue][place]
                else:
                    suit = 1
                    rank = ranks_in[red][place - blues]
            elif place < greens:
                suit = 2
                rank = ranks_in[green][place - reds]
            elif place < yellows:
                suit = 3
                rank = ranks_in[yellow][place - greens]
            else:
                suit = GETAWAY
                rank = 0

        if trace is not None:
            trace.append(("play", seat, suit * RANKS + rank - 1 if rank else SUITED_CARDS))
        if rank:
            hands[at + suit] ^= BIT[rank]
            if suit == best_suit:
                if rank > best_rank:
                    best_rank = rank
                    best_seat = seat
            elif suit == 0 or best_suit == GETAWAY:
                best_suit = suit
                best_rank = rank
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
        at = 4 * seat
        won[seat] += 1
        left -= 1
        card = -1
        if best_suit == GETAWAY:
            loose[seat] += 1
        else:
            bit = BIT[best_rank]
            eligible: list[int] = []
            if bids[seat]:
                for suit in (0, 1, 2, 3):
                    open_bids = need[at + suit]
                    if open_bids:
                        if suit != best_suit and suit != lead:
                            open_bids &= bit
                        if open_bids:
                            eligible += [suit * RANKS + rank - 1 for rank in ranks_in[open_bids]]
            if eligible:
                card = eligible[int(draw() * len(eligible))] if len(eligible) > 1 else eligible[0]
                if trace is not None:
                    trace.append(("cover", seat, card))
                need[at + card // RANKS] ^= BIT[card % RANKS + 1]
                covered[seat] += 1
            elif plan_b:
                need[at + best_suit] |= bit
                bids[seat] = 1
            else:
                loose[seat] += 1
        if first_winner < 0:
            first_winner = seat
            first_cover = card
        lead = NO_SUIT
        best_suit = GETAWAY
        best_rank = 0
        count = 0

    return outcome_of(board, won, covered, loose, need, first_winner, first_cover)

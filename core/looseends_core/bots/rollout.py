"""Plays a board out to the end of the round, every seat by the same quick policy, and counts the points.

The policy knows covering, loose ends and snitching, and sees what a player sees: its own hand and what was shown. It is
here to be fast, some millions of decisions a minute, so it is one loop over plain numbers and not many small functions.
It draws no random number: worlds differ, the policy does not.
"""

from __future__ import annotations

from typing import NamedTuple

from looseends_core.bots.board import NO_SUIT, Board
from looseends_core.bots.masks import ABOVE, BIT, COUNT, HIGH, LOW
from looseends_core.cards import GETAWAY, RANK_OF, RANKS, SUIT_OF, SUITED_CARDS, Card


class Outcome(NamedTuple):
    """How a round ended. Lists are by seat, `need` as on a board."""

    points: list[int]
    won: list[int]
    """Tricks."""
    covered: list[int]
    """Bid cards covered."""
    ends: list[int]
    """Loose ends ([S1])."""
    need: list[int]
    """Bid cards never covered."""
    free: bool
    """Whether a snitch succeeded."""
    winner: int
    """Who won the running trick, or the next where none ran."""
    cover: Card
    """The bid card that this trick covered, −1 for none."""


Trace = list[tuple[str, int, int]]
"""What was decided, for tests: (`play` or `cover`, seat, card); a Getaway card is written as card 60."""


AS_ALL, PATIENT, EAGER = 0, 1, 2
"""How the seat on turn goes on in a playout when it is on lead and wants tricks: like everybody else; keeping its sure
winners while it has tricks to spare; or playing them out, also while a snitch may still succeed."""


def play_out(board: Board, first: Card = -1, trace: Trace | None = None, style: int = AS_ALL) -> Outcome:
    """Return how the round ends when the seat on turn plays `first` and then all follow the policy.

    `first` is a legal card, one Getaway card as good as another; without it the policy plays for that seat too. The
    board is left as it was.
    """
    n = board.players
    hands = board.hands[:]
    away = board.away[:]
    need = board.need[:]
    covered = board.covered[:]
    loose = board.loose[:]
    won = board.won[:]
    snitch = board.snitch
    out = board.out[:]
    plan_b = board.plan_b
    count = board.count
    lead = board.lead
    best_suit = board.best_suit
    best_rank = board.best_rank
    best_seat = board.best_seat
    left = board.left
    last = n - 1
    duel = n == 2
    first_winner = -1
    first_cover = -1
    # Per seat: the bid cards still open, whatever their suit, by rank; and whether it wants no trick.
    wanted = [need[at] | need[at + 1] | need[at + 2] | need[at + 3] for at in range(0, 4 * n, 4)]
    shy = [not ranks for ranks in wanted]
    # Who is a snitch that can still succeed: under such a one's card everybody ducks who can.
    live = [snitch[seat] and not won[seat] for seat in range(n)]
    # Who has nothing left to win or to lose but a loose end, and takes one to leave another with one.
    spites = [shy[seat] and not live[seat] and (loose[seat] > 0 or not covered[seat]) for seat in range(n)]
    seat = me = board.seat

    while left:
        at = 4 * seat
        if first >= 0:
            suit = SUIT_OF[first]
            rank = RANK_OF[first]
            first = -1
        elif lead >= 0:
            ducks = shy[seat] or live[best_seat]
            mine = hands[at + lead]
            if mine:
                suit = lead
                if best_suit != lead:
                    # Trumped: it cannot win.
                    if duel and away[seat] and not shy[seat]:
                        suit, rank = GETAWAY, 0
                    else:
                        rank = HIGH[mine] if ducks or not need[at + lead] else LOW[mine]
                else:
                    over = mine & ABOVE[best_rank]
                    if ducks:
                        if over and spites[seat] and (need[4 * best_seat + lead] or wanted[best_seat] & BIT[best_rank]):
                            rank = LOW[over]
                        elif over != mine:
                            rank = HIGH[mine ^ over]
                        elif away[seat]:
                            suit, rank = GETAWAY, 0
                        else:
                            rank = HIGH[mine] if count == last else LOW[mine]
                    elif not over:
                        if duel and away[seat]:
                            suit, rank = GETAWAY, 0
                        else:
                            rank = HIGH[mine] if lead and not need[at + lead] else LOW[mine]
                    elif need[at + lead]:
                        rank = LOW[over] if count == last else HIGH[over]
                    elif over & wanted[seat]:
                        over &= wanted[seat]
                        rank = LOW[over] if count == last else HIGH[over]
                    elif over != mine:
                        rank = HIGH[mine ^ over] if lead else LOW[mine]
                    elif away[seat]:
                        suit, rank = GETAWAY, 0
                    else:
                        rank = HIGH[mine] if count == last else LOW[mine]
            else:
                trumps = hands[at] if lead else 0
                over = trumps & ABOVE[best_rank] if best_suit == 0 else trumps
                if (
                    ducks
                    and over
                    and spites[seat]
                    and (
                        need[4 * best_seat + lead]
                        or need[4 * best_seat + best_suit]
                        or wanted[best_seat] & BIT[best_rank]
                    )
                ):
                    suit = 0
                    rank = LOW[over]
                elif over and not ducks and (need[at + lead] or need[at] or over & wanted[seat]):
                    suit = 0
                    rank = LOW[over] if need[at + lead] or need[at] else LOW[over & wanted[seat]]
                elif trumps != over and ducks:
                    # Under a higher trump, the most dangerous cards go for nothing.
                    suit = 0
                    rank = HIGH[trumps ^ over]
                elif duel and away[seat] and not shy[seat]:
                    suit, rank = GETAWAY, 0
                else:
                    red, green, yellow = HIGH[hands[at + 1]], HIGH[hands[at + 2]], HIGH[hands[at + 3]]
                    if not ducks:
                        # A suit with a bid in it is kept where there is another.
                        if need[at + 1]:
                            red = red and 1
                        if need[at + 2]:
                            green = green and 1
                        if need[at + 3]:
                            yellow = yellow and 1
                    if red >= green and red >= yellow:
                        suit, rank = 1, red
                    elif green >= yellow:
                        suit, rank = 2, green
                    else:
                        suit, rank = 3, yellow
                    if not rank:
                        if away[seat]:
                            suit = GETAWAY
                        else:
                            suit = 0
                            if trumps != over:
                                rank = HIGH[trumps ^ over]
                            else:
                                rank = HIGH[trumps] if count == last and ducks else LOW[trumps]
                    elif not ducks and need[at + suit]:
                        rank = LOW[hands[at + suit]]
        else:
            suit = -1
            rank = 0
            if count == last and not shy[seat]:
                # Getaway cards alone so far and nobody behind: another leaves them to the leader, any other card wins.
                if away[seat]:
                    suit = GETAWAY
                else:
                    for side in (1, 2, 3, 0):
                        if need[at + side] and hands[at + side]:
                            suit = side
                            rank = LOW[hands[at + side]]
                            break
            elif not shy[seat] and (
                True not in live
                if not style or seat != me
                else style == EAGER
                or COUNT[need[at]] + COUNT[need[at + 1]] + COUNT[need[at + 2]] + COUNT[need[at + 3]] >= left
            ):
                # A card that next to nothing still out can beat in its suit, where winning covers something. While a
                # snitch may still succeed everybody leads low instead, for the snitch to take.
                ranks = wanted[seat]
                for side in (1, 2, 3, 0):
                    mine = hands[at + side]
                    if mine and (need[at + side] or BIT[HIGH[mine]] & ranks):
                        rest = out[side] & ~mine
                        if mine > rest or COUNT[rest & ABOVE[HIGH[mine]]] < 2:
                            suit = side
                            rank = HIGH[mine]
                            break
            if suit < 0:
                # The card that most of those still out would beat.
                most = -1
                for side in (1, 2, 3, 0):
                    mine = hands[at + side]
                    if mine:
                        low = LOW[mine]
                        higher = COUNT[out[side] & ~mine & ABOVE[low]]
                        if higher > most:
                            most = higher
                            suit = side
                            rank = low
                if away[seat] and (suit < 0 or (shy[seat] and most < 3)):
                    suit, rank = GETAWAY, 0

        if trace is not None:
            trace.append(("play", seat, suit * RANKS + rank - 1 if rank else SUITED_CARDS))
        if rank:
            bit = BIT[rank]
            hands[at + suit] ^= bit
            out[suit] ^= bit
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

        # The trick is complete.
        seat = best_seat
        at = 4 * seat
        won[seat] += 1
        live[seat] = False
        left -= 1
        card = -1
        if best_suit == GETAWAY:
            loose[seat] += 1
        else:
            bit = BIT[best_rank]
            by_suit = need[at + best_suit] or need[at + lead]
            if by_suit or wanted[seat] & bit:
                card = _cover(hands, need, at, best_suit, lead, bit)
                if trace is not None:
                    trace.append(("cover", seat, card))
                suit = SUIT_OF[card]
                need[at + suit] ^= BIT[RANK_OF[card]]
                covered[seat] += 1
            elif plan_b:
                need[at + best_suit] |= bit
            else:
                loose[seat] += 1
            ranks = need[at] | need[at + 1] | need[at + 2] | need[at + 3]
            wanted[seat] = ranks
            shy[seat] = not ranks
        spites[seat] = shy[seat] and (loose[seat] > 0 or not covered[seat])
        if first_winner < 0:
            first_winner = seat
            first_cover = card
        lead = NO_SUIT
        best_suit = GETAWAY
        best_rank = 0
        best_seat = seat
        count = 0

    return outcome_of(board, won, covered, loose, need, first_winner, first_cover)


def _cover(hands: list[int], need: list[int], at: int, best_suit: int, lead: int, bit: int) -> Card:
    """Return the bid card that the winner covers: of those eligible ([C1]) one that little else could cover."""
    least = 1 << 20
    chosen = -1
    for suit in (0, 1, 2, 3):
        eligible = need[at + suit]
        if not eligible:
            continue
        if suit != best_suit and suit != lead:
            eligible &= bit
            if not eligible:
                continue
        # Later tricks for this suit: cards of it in hand, or trumps on it, shared by the bids in it.
        chances = 4 * (hands[at + suit].bit_count() + (1 if suit else 2)) // COUNT[need[at + suit]]
        if chances < least:
            least = chances
            chosen = suit * RANKS + LOW[eligible] - 1
    return chosen


def outcome_of(
    board: Board, won: list[int], covered: list[int], loose: list[int], need: list[int], winner: int, cover: Card
) -> Outcome:
    """Return the outcome of a board that was played out, with the points that [S1] to [S6] count."""
    n = board.players
    snitch = board.snitch
    ends = [
        loose[seat]
        + need[4 * seat].bit_count()
        + need[4 * seat + 1].bit_count()
        + need[4 * seat + 2].bit_count()
        + need[4 * seat + 3].bit_count()
        for seat in range(n)
    ]
    free = False
    for seat in range(n):
        if snitch[seat] and not won[seat]:
            free = True
    worth, loose_end, with_snitch, perfect, success = board.table
    if free:
        points = [
            success if snitch[seat] and not won[seat] else worth * covered[seat] + with_snitch * ends[seat]
            for seat in range(n)
        ]
    else:
        points = [
            worth * covered[seat] + loose_end * ends[seat] + (perfect if covered[seat] and not ends[seat] else 0)
            for seat in range(n)
        ]
    return Outcome(points, won, covered, ends, need, free, winner, cover)

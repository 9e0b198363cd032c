"""Small tables for searching bots: a suit of a hand as a mask of 15 bits, and what such a mask answers at once.

Bit `rank - 1` stands for the card of that rank. The tables have a place for every mask and are made when a bot that
searches is first asked, so nothing else imports this.
"""

from __future__ import annotations

from looseends_core.cards import RANKS

SUIT_MASK_COUNT = 1 << RANKS
FULL_SUIT = SUIT_MASK_COUNT - 1

HIGH: list[int] = [mask.bit_length() for mask in range(SUIT_MASK_COUNT)]
"""The highest rank in a mask, 0 for the empty one."""
LOW: list[int] = [(mask & -mask).bit_length() for mask in range(SUIT_MASK_COUNT)]
"""The lowest rank in a mask, 0 for the empty one."""
COUNT: list[int] = [mask.bit_count() for mask in range(SUIT_MASK_COUNT)]
"""How many cards a mask holds."""
BIT: tuple[int, ...] = (0, *(1 << rank - 1 for rank in range(1, RANKS + 1)))
"""The mask of one rank; nothing for rank 0."""
ABOVE: tuple[int, ...] = tuple(FULL_SUIT & ~((1 << rank) - 1) for rank in range(RANKS + 1))
"""The ranks above one, 0..15."""
BELOW: tuple[int, ...] = (0, *((1 << rank - 1) - 1 for rank in range(1, RANKS + 1)))
"""The ranks below one, 0..15."""

"""Whether a round was dealt as the server had promised before it knew anybody's nonce ([F1]).

Only public proof and what this seat saw goes in; a verdict in words comes out. Nothing here draws a random number.
"""

from __future__ import annotations

import msgspec

from looseends_core.cards import CardSet, card_set
from looseends_core.rules import RuleSet
from looseends_core.shuffle import NONCE_BYTES, SECRET_BYTES, ZERO_NONCE, Fairness, commitment_of, shuffled_deal

FIXED = "deal as promised; the server's choice, no nonces"
"""What is said of a deal that is dealt at several tables, and answers to its commitment."""


class RoundSeen(msgspec.Struct):
    """What this client saw of a round: all that its proof is held to.

    `commitment` is the one that arrived before the deal, None where this client came later; `nonce` the one it gave.
    `hand` is the own hand as dealt, None for a spectator; `shown` holds the cards that each seat bid or played.
    """

    round: int
    first: int = 0
    previous_first: int = 0
    commitment: bytes | None = None
    nonce: bytes | None = None
    hand: CardSet | None = None
    shown: list[CardSet] = []
    dealt: bool = False
    """Whether the deal of this round has been seen: a commitment that comes later proves less."""


class DealProof(msgspec.Struct, frozen=True):
    """The verdict on one round: whether the proof holds, and a sentence that says so or says what does not."""

    round: int
    proven: bool
    words: str
    commitment: bytes = b""


def check_deal(
    rules: RuleSet,
    seen: RoundSeen,
    published: bytes,
    secret: bytes,
    nonces: tuple[bytes, ...],
    seat: int | None,
    *,
    fixed: bool = False,
) -> DealProof:
    """Return the verdict on a round. `published` is the commitment that the server names now; never raises.

    A deal that is `fixed`, because it is dealt at other tables too, has no nonces: the server alone chose it.
    """
    fault = _fault(rules, seen, published, secret, nonces, seat)
    if fault is None and fixed and any(nonce != ZERO_NONCE for nonce in nonces):
        fault = "nonces were used, though nobody was asked for one"
    if fault is not None:
        return DealProof(seen.round, proven=False, words=f"deal not proven: {fault}", commitment=published)
    words = FIXED if fixed else f"deal proven, nonces {len(nonces)} of {rules.players}"
    if seen.commitment is None:
        words += "; you came after the deal, so the promise before it is the server's word"
    elif not fixed and seat is not None and nonces[seat] == ZERO_NONCE:
        words += "; you gave no nonce"
    return DealProof(seen.round, proven=True, words=words, commitment=published)


def _fault(
    rules: RuleSet, seen: RoundSeen, published: bytes, secret: bytes, nonces: tuple[bytes, ...], seat: int | None
) -> str | None:
    if len(secret) != SECRET_BYTES or len(nonces) != rules.players or any(len(n) != NONCE_BYTES for n in nonces):
        return "the server published no complete proof"
    if seen.commitment is not None and commitment_of(secret) != seen.commitment:
        return "the secret is not the one that was promised before the deal"
    if published and commitment_of(secret) != published:
        return "the secret does not match its commitment"
    if seat is not None and seen.nonce is not None and nonces[seat] != seen.nonce:
        return "the nonce that you gave is not among those used"
    deal = shuffled_deal(rules, seen.round, Fairness(secret, nonces), seen.previous_first)
    if deal.first != seen.first:
        return "another player should have begun"
    for at, hand in enumerate(deal.hands):
        if at == seat and seen.hand is not None and card_set(hand) != seen.hand:
            return "the hand that you were dealt is another"
        if seen.shown and seen.shown[at] & ~card_set(hand):
            return f"seat {at + 1} played cards that were not dealt to it"
    return None

"""What a player may decide: five actions and nothing else.

An action is a value; whether it is legal is for `decide` alone. Actions of the same meaning compare equal.
Encoded, an action is an array that begins with its word: `["play", 17]`.
"""

from __future__ import annotations

import msgspec

from looseends_core.cards import DECK_CARDS, Card, name


class Bid(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="bid"):
    """Lay a card from hand face up as a bid ([P2])."""

    card: Card


class Pass(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="pass"):
    """End one's planning; with no bid card this is snitching ([P4], [P7])."""


class DoubleCross(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="double-cross"):
    """As the first to pass: take all bid cards back and snitch ([V1])."""


class Play(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="play"):
    """Play a card from hand to the trick ([T1])."""

    card: Card


class Cover(msgspec.Struct, frozen=True, array_like=True, gc=False, tag="cover"):
    """Choose which own bid card the trick just won covers ([C2])."""

    card: Card


Action = Bid | Pass | DoubleCross | Play | Cover

PASS = Pass()
DOUBLE_CROSS = DoubleCross()
BIDS: tuple[Bid, ...] = tuple(Bid(card) for card in range(DECK_CARDS))
PLAYS: tuple[Play, ...] = tuple(Play(card) for card in range(DECK_CARDS))
COVERS: tuple[Cover, ...] = tuple(Cover(card) for card in range(DECK_CARDS))


def verb_of(action: Action) -> str:
    """Return the word that records use: bid, pass, double-cross, play or cover."""
    return str(action.__struct_config__.tag)


def action_text(action: Action) -> str:
    """Return the action for a message: `play B15`, `pass`."""
    verb = verb_of(action)
    return verb if isinstance(action, Pass | DoubleCross) else f"{verb} {name(action.card)}"

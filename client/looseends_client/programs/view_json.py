"""A seat's view as the JSON object that a program reads, and the answer that it writes, in the notation of records.

Only what the seat may know goes in: of the hands its own alone, whatever else the state may hold. docs/bots.md
describes every key; a key is only ever added.
"""

from __future__ import annotations

from typing import Any

import msgspec

from looseends_core import cards
from looseends_core.actions import Action, action_text
from looseends_core.cards import CardSet, cards_in
from looseends_core.decide import legal_actions
from looseends_core.rules import rules_to_json
from looseends_core.state import State, Trick

FORMAT = "no-loose-ends/view"
VERSION = 1
SEED_BITS = 53
"""The `seed` of a view is below 2 to this power: every JSON reader keeps such a number exactly."""


class AnswerInvalid(ValueError):
    """What a program wrote is no action that is allowed now; the message says what is wrong and what was expected."""


def view_to_json(view: State, seed: int) -> dict[str, Any]:
    """Return what the seat on turn may know, what it may do, and a random number of its own, as a JSON object.

    Raises HandNotKnown where the view does not know that seat's hand, ValueError where nobody is on turn.
    """
    seat = view.turn
    if seat is None:
        raise ValueError("nobody is on turn: there is nothing to ask")
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules_to_json(view.rules),
        "seat": seat,
        "round": view.round,
        "phase": view.phase.value,
        "first": view.first,
        "scores": list(view.scores),
        "deltas": [[line.points for line in sheet] for sheet in view.results],
        "hand": _names(view.hands[seat]),
        "hand_sizes": list(view.hand_sizes),
        "shown": [_names(shown) for shown in view.shown],
        "bids": [[cards.name(card) for card in laid] for laid in view.bids],
        "covered": [_names(covered) for covered in view.covered],
        "promoted": [_names(promoted) for promoted in view.promoted],
        "passed": list(view.passed),
        "snitching": [at for at, snitches in enumerate(view.snitching) if snitches],
        "double_crosser": view.double_crosser,
        "leader": view.leader,
        "trick": [[at, cards.name(card)] for at, card in view.trick],
        "tricks": [_trick_to_json(trick) for trick in view.tricks],
        "tricks_in_round": view.tricks_in_round,
        "won": list(view.won),
        "loose": list(view.loose),
        "legal": [action_to_json(action) for action in legal_actions(view)],
        "seed": seed,
    }


def _names(held: CardSet) -> list[str]:
    return [cards.name(card) for card in cards_in(held)]


def _trick_to_json(trick: Trick) -> dict[str, Any]:
    return {
        "plays": [[seat, cards.name(card)] for seat, card in trick.plays],
        "winner": trick.winner,
        "card": cards.name(trick.card),
        "outcome": trick.outcome,
        "bid_card": None if trick.bid_card is None else cards.name(trick.bid_card),
    }


def action_to_json(action: Action) -> list[str]:
    """Return an action as a record writes it, without the seat: ["play", "B15"], ["pass"]."""
    return action_text(action).split()


def action_of_line(line: bytes, view: State) -> Action:
    """Return the action that a program chose with this line. Raises AnswerInvalid."""
    try:
        written = msgspec.json.decode(line, type=list[str])
    except (msgspec.DecodeError, RecursionError) as error:
        raise AnswerInvalid(
            f'wrote {_shown(line)}, which is no action: expected one entry of "legal", like ["pass"]'
        ) from error
    for action in legal_actions(view):
        if action_to_json(action) == written:
            return action
    raise AnswerInvalid(f'chose {_shown(line)}, which is not allowed now: expected one entry of "legal"')


def _shown(line: bytes) -> str:
    """Return a line of anybody's as a short and harmless text."""
    text = ascii(line.decode("utf-8", "replace").strip())
    return text if len(text) <= 60 else text[:60] + "…"

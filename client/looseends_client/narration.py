"""The story of a round, one sentence a fact: what the log says about an event, and nothing about how it is drawn.

A sentence is a tuple of texts and cards, so that a card keeps its suit's shape and colour wherever it is drawn.
Names come in from outside; the reader's own is `you`, and the verb follows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from looseends_client.cards_text import UNICODE_FACES, Faces, card_text, points_text
from looseends_core.cards import Card
from looseends_core.events import (
    BidCovered,
    BidPromoted,
    CardBid,
    DoubleCrossed,
    Event,
    GameEnded,
    LooseEndTaken,
    Passed,
    RoundDealt,
    RoundScored,
)
from looseends_core.state import Phase, State

Sentence = tuple[str | Card, ...]
"""Texts and cards in reading order."""

YOU = "you"
_NUMBER_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def plain(sentence: Sentence, faces: Faces = UNICODE_FACES) -> str:
    """Return the sentence as text."""
    return "".join(part if isinstance(part, str) else card_text(part, faces) for part in sentence)


def does(name: str, plural: str, singular: str | None = None) -> str:
    """Return a name and its verb: `you pass`, `ann passes`. The other form is the plain one with an s, unless given."""
    return f"{name} {plural}" if name == YOU else f"{name} {singular or plural + 's'}"


def counted(number: int, thing: str) -> str:
    """Return a number with its thing: `one card`, `three cards`, `13 cards`."""
    word = _NUMBER_WORDS[number] if number < len(_NUMBER_WORDS) else str(number)
    return f"{word} {thing}{'' if number == 1 else 's'}"


def listed(things: Sequence[str]) -> str:
    """Return the things as a list in words: `ann, cy and you`."""
    if len(things) < 2:
        return "".join(things)
    return f"{', '.join(things[:-1])} and {things[-1]}"


def listed_cards(cards: Sequence[Card], joint: str = "and") -> Sentence:
    """Return the cards as a list in words: `G♣4, B♦2 and R♥9`."""
    parts: list[str | Card] = []
    for place, card in enumerate(cards):
        if place:
            parts.append(f" {joint} " if place == len(cards) - 1 else ", ")
        parts.append(card)
    return tuple(parts)


def capital(text: str) -> str:
    """Return the text with a capital first letter, where `you` begins a sentence; names stay as they are written."""
    return "You" + text[3:] if text.startswith(f"{YOU} ") else text


def narrate(state: State, event: Event, names: Sequence[str]) -> list[Sentence]:
    """Return what the log says about an event, given the state right after it; nothing for a fact told later."""
    if isinstance(event, RoundDealt):
        of = f" of {state.rules.rounds}" if state.rules.rounds > 1 else ""
        return [(f"Round {event.round}{of}: {does(names[event.first], 'begin')}",)]
    if isinstance(event, CardBid):
        return [(does(names[event.seat], "bid") + " ", event.card)]
    if isinstance(event, Passed):
        return [*_passed(state, event.seat, names), *_planning_over(state, names)]
    if isinstance(event, DoubleCrossed):
        taken = counted(state.shown[event.seat].bit_count(), "card")
        name = names[event.seat]
        said = f"{does(name, 'double-cross', 'double-crosses')} and {'pick' if name == YOU else 'picks'} up {taken}"
        return [(said,), *_planning_over(state, names)]
    if isinstance(event, BidCovered | BidPromoted | LooseEndTaken):
        return _trick_settled(state, event, names)
    if isinstance(event, RoundScored):
        return _round_over(state, event, names)
    if isinstance(event, GameEnded):
        return [(who_won(event.winners, event.scores, names),)]
    return []


def _round_over(state: State, event: RoundScored, names: Sequence[str]) -> list[Sentence]:
    """Return what was out of the ordinary in a round, its points, and how everybody stands before the next."""
    results = state.results[-1]
    told: list[Sentence] = []
    for name, result in zip(names, results, strict=True):
        if result.snitch_succeeded:
            told.append((f"{name} snitched and won no trick",))
        if result.perfect_crime:
            told.append((does(name, "commit") + " a Perfect Crime",))
    points = [f"{name} {points_text(delta)}" for name, delta in zip(names, event.delta, strict=True)]
    told.append((f"Round {state.round} is over: {', '.join(points)}",))
    if state.round < state.rules.rounds:
        order = sorted(range(state.players), key=lambda seat: -state.scores[seat])
        stand = [f"{names[seat]} {str(state.scores[seat]).replace('-', UNICODE_FACES.minus)}" for seat in order]
        told.append((f"The score: {', '.join(stand)}",))
    return told


def who_won(winners: Sequence[int], scores: Sequence[int], names: Sequence[str]) -> str:
    """Return who won the game, and with how many points."""
    points = scores[winners[0]]
    unit = "point" if points == 1 else "points"
    if len(winners) == 1:
        return f"{does(names[winners[0]], 'win')} the game with {points} {unit}"
    return f"{listed([names[seat] for seat in winners])} share the win with {points} {unit}"


def _passed(state: State, seat: int, names: Sequence[str]) -> list[Sentence]:
    name = names[seat]
    passes = does(name, "pass", "passes")
    bids = len(state.bids[seat])
    if state.snitching[seat]:
        return [(f"{passes} and {'snitch' if name == YOU else 'snitches'}",)]
    if not bids:
        return [(f"{passes} without a card to bid",)]
    return [(f"{passes} with {counted(bids, 'bid')}",)]


def _planning_over(state: State, names: Sequence[str]) -> list[Sentence]:
    if state.phase is not Phase.PLAYING or state.leader is None:
        return []
    tricks, bids = counted(state.tricks_in_round, "trick"), counted(sum(len(laid) for laid in state.bids), "bid")
    return [(f"{does(names[state.leader], 'lead')} the first of {tricks}, for {bids}",)]


def _trick_settled(
    state: State, event: BidCovered | BidPromoted | LooseEndTaken, names: Sequence[str]
) -> list[Sentence]:
    trick = state.tricks[-1]
    name = names[trick.winner]
    begin: Sentence = (f"trick {len(state.tricks)}: {name} won with ", trick.card)
    if isinstance(event, BidCovered):
        covered = not state.uncovered(event.seat) and len(state.bids[event.seat]) > 1
        told: Sentence = (*begin, " and covered ", event.card, *((": every bid is covered",) if covered else ()))
    elif isinstance(event, BidPromoted):
        told = (*begin, ": nothing to cover, so it becomes a bid card")
    else:
        told = (*begin, ": nothing to cover, a loose end")
    sentences: list[Sentence] = [told]
    if state.snitching[trick.winner] and state.won[trick.winner] == 1:
        sentences.append((f"{'your' if name == YOU else name + chr(39) + 's'} snitching has failed",))
    return sentences

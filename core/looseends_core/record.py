"""Game records, version 1: a game as one JSON object, and its way from and to events.

Reading checks shape and types only, each fault with its place; whether the game in a record is right is for
`verify`. Files are opened elsewhere: here a record is already a decoded JSON value.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from looseends_core import cards
from looseends_core.actions import BIDS, COVERS, DOUBLE_CROSS, PASS, PLAYS, Action, action_text
from looseends_core.decide import deal_round, decide
from looseends_core.events import (
    BidCovered,
    BidPromoted,
    CardBid,
    CardPlayed,
    DoubleCrossed,
    Event,
    GameEnded,
    Passed,
    RoundDealt,
    RoundScored,
    TrickWon,
)
from looseends_core.rules import RulesError, RuleSet, rules_from_json, rules_to_json
from looseends_core.shuffle import NONCE_BYTES, SECRET_BYTES, Deal, Fairness
from looseends_core.state import State, evolve
from looseends_core.tricks import lead_suit_of, matching_cards

FORMAT = "no-loose-ends/record"
VERSION = 1
NAME_LIMIT = 64
"""Longest name of a player in a record, in characters."""
_CARD_ACTIONS: dict[str, Sequence[Action]] = {"bid": BIDS, "play": PLAYS, "cover": COVERS}
_HEX = re.compile(r"[0-9a-fA-F]*\Z")


class RecordFault(ValueError):
    """What is wrong with a record and where. `place` is `round 2 action 7`, `round 2`, or empty for the whole record.

    The message is `place: what is wrong, and what was expected`.
    """

    def __init__(self, place: str, wrong: str) -> None:
        super().__init__(f"{place}: {wrong}" if place else wrong)
        self.place = place
        self.wrong = wrong


class RoundRecord(msgspec.Struct, frozen=True):
    """One round as recorded: first player, dealt hands, proof of the deal, every decision, each seat's points.

    `fairness` is None where the deal is not proven, `delta` None where the round is not over.
    """

    first: int
    hands: tuple[tuple[cards.Card, ...], ...]
    fairness: Fairness | None
    actions: tuple[tuple[int, Action], ...]
    delta: tuple[int, ...] | None
    commitment: bytes | None = None

    @property
    def deal(self) -> Deal:
        """The deal as it came in from outside."""
        return Deal(self.hands, self.first, self.fairness)


class GameRecord(msgspec.Struct, frozen=True):
    """A whole game as recorded; `scores` and `winners` are None where it is unfinished."""

    rules: RuleSet
    players: tuple[str, ...]
    rounds: tuple[RoundRecord, ...]
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None


def record_of(rules: RuleSet, players: Sequence[str], events: Iterable[Event]) -> GameRecord:
    """Return the record of a game from its full events; a round that is not over is recorded as far as it went."""
    covering = _Covering(rules.players)
    rounds: list[RoundRecord] = []
    actions: list[tuple[int, Action]] = []
    deal: RoundDealt | None = None
    ended: GameEnded | None = None

    def close(delta: tuple[int, ...] | None) -> None:
        if deal is not None:
            hands = tuple(hand or () for hand in deal.hands)
            commitment = deal.fairness.commitment if deal.fairness else None
            rounds.append(RoundRecord(deal.first, hands, deal.fairness, tuple(actions), delta, commitment))

    for event in events:
        if isinstance(event, CardPlayed):
            actions.append((event.seat, PLAYS[event.card]))
            covering.trick.append(event.card)
        elif isinstance(event, CardBid):
            actions.append((event.seat, BIDS[event.card]))
            covering.uncovered[event.seat] |= 1 << event.card
        elif isinstance(event, TrickWon):
            covering.won_by(event)
        elif isinstance(event, BidCovered):
            if covering.is_chosen:
                actions.append((event.seat, COVERS[event.card]))
            covering.uncovered[event.seat] &= ~(1 << event.card)
        elif isinstance(event, BidPromoted):
            covering.uncovered[event.seat] |= 1 << event.card
        elif isinstance(event, Passed):
            actions.append((event.seat, PASS))
        elif isinstance(event, DoubleCrossed):
            actions.append((event.seat, DOUBLE_CROSS))
            covering.uncovered[event.seat] = 0
        elif isinstance(event, RoundDealt):
            deal = event
            covering = _Covering(rules.players)
        elif isinstance(event, RoundScored):
            close(event.delta)
            deal, actions = None, []
        elif isinstance(event, GameEnded):
            ended = event
    close(None)
    return GameRecord(
        rules=rules,
        players=tuple(players),
        rounds=tuple(rounds),
        scores=ended.scores if ended else None,
        winners=ended.winners if ended else None,
    )


class _Covering:
    """What tells a chosen cover from one that followed by itself ([C2]).

    That, and not the whole fold, which made keeping a finished game a third dearer.
    """

    __slots__ = ("is_chosen", "trick", "uncovered")

    def __init__(self, players: int) -> None:
        self.uncovered: list[cards.CardSet] = [0] * players
        self.trick: list[cards.Card] = []
        self.is_chosen = False

    def won_by(self, event: TrickWon) -> None:
        """Note whether the winner of the trick has a choice of what it covers."""
        eligible = self.uncovered[event.seat] & matching_cards(event.card, lead_suit_of(self.trick))
        self.is_chosen = eligible.bit_count() > 1
        self.trick = []


class Step(msgspec.Struct, frozen=True):
    """What moved a recorded game on: a deal, of nobody, or a decision of a seat; and the events that it led to."""

    seat: int | None
    action: Action | None
    events: tuple[Event, ...]


def steps_of(record: GameRecord) -> Iterator[Step]:
    """Yield a record's deals and decisions in order, each decided anew.

    Raises IllegalDeal or IllegalAction where one cannot be; `verify` says which.
    """
    state = State(record.rules)
    for played in record.rounds:
        yield Step(None, None, _folded(state, deal_round(state, played.deal)))
        for seat, action in played.actions:
            yield Step(seat, action, _folded(state, decide(state, seat, action)))


def _folded(state: State, events: list[Event]) -> tuple[Event, ...]:
    for event in events:
        evolve(state, event)
    return tuple(events)


def events_of(record: GameRecord) -> list[Event]:
    """Return the events of all steps of a record. Raises what `steps_of` raises."""
    return [event for step in steps_of(record) for event in step.events]


def record_to_json(record: GameRecord) -> dict[str, Any]:
    """Return the record as the JSON object of the format, keys in its order."""
    written: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules_to_json(record.rules),
        "players": list(record.players),
        "rounds": [_round_to_json(played) for played in record.rounds],
    }
    if record.scores is not None:
        written["scores"] = list(record.scores)
    if record.winners is not None:
        written["winners"] = list(record.winners)
    return written


def _round_to_json(played: RoundRecord) -> dict[str, Any]:
    written: dict[str, Any] = {
        "first": played.first,
        "hands": [[cards.name(card) for card in hand] for hand in played.hands],
    }
    if played.fairness is not None:
        written["fairness"] = {
            "secret": played.fairness.secret.hex(),
            "nonces": [nonce.hex() for nonce in played.fairness.nonces],
        }
        if played.commitment is not None:
            written["fairness"]["commitment"] = played.commitment.hex()
    written["actions"] = [[seat, *_words_of(action)] for seat, action in played.actions]
    if played.delta is not None:
        written["delta"] = list(played.delta)
    return written


@functools.cache
def _words_of(action: Action) -> tuple[str, ...]:
    return tuple(action_text(action).split())


def record_from_json(written: object) -> GameRecord:
    """Return the record in a decoded JSON value.

    Keys it does not know are ignored, save in `rules`. Raises RecordFault, whatever is given.
    """
    if not isinstance(written, dict):
        raise RecordFault("", f"a record is a JSON object, not {_kind(written)}")
    if written.get("format") != FORMAT:
        raise RecordFault("", f'format must be "{FORMAT}"')
    if type(written.get("version")) is not int or written["version"] != VERSION:
        raise RecordFault("", f"version must be {VERSION}, the only one there is")
    try:
        rules = rules_from_json(written.get("rules"))
    except RulesError as error:
        raise RecordFault("rules", str(error).removeprefix("rules ")) from error
    n = rules.players
    listed = written.get("rounds")
    if not isinstance(listed, list):
        raise RecordFault("rounds", f"must be a list, not {_kind(listed)}")
    if len(listed) > rules.rounds:
        raise RecordFault("rounds", f"there are {len(listed)}, but the rules say {rules.rounds}")
    return GameRecord(
        rules=rules,
        players=_names(written.get("players"), n),
        rounds=tuple(_round_from_json(f"round {at}", one, rules) for at, one in enumerate(listed, 1)),
        scores=_whole_numbers("", "scores", written["scores"], n) if "scores" in written else None,
        winners=_winners(written["winners"], n) if "winners" in written else None,
    )


def _names(listed: object, n: int) -> tuple[str, ...]:
    if not isinstance(listed, list) or len(listed) != n:
        raise RecordFault("players", f"must be a list of {n} names, one a seat")
    for seat, player in enumerate(listed):
        if not isinstance(player, str) or not 1 <= len(player) <= NAME_LIMIT:
            raise RecordFault("players", f"seat {seat} must have a name of 1 to {NAME_LIMIT} characters")
    return tuple(listed)


def _winners(listed: object, n: int) -> tuple[int, ...]:
    if not isinstance(listed, list) or not 1 <= len(listed) <= n:
        raise RecordFault("", f"winners must be a list of 1 to {n} seats")
    for seat in listed:
        if type(seat) is not int or not 0 <= seat < n:
            raise RecordFault("", f"winners must be seats from 0 to {n - 1}")
    return tuple(listed)


def _round_from_json(place: str, written: object, rules: RuleSet) -> RoundRecord:
    if not isinstance(written, dict):
        raise RecordFault(place, f"must be an object, not {_kind(written)}")
    n = rules.players
    first = written.get("first")
    if type(first) is not int or not 0 <= first < n:
        raise RecordFault(place, f"first must be a seat from 0 to {n - 1}")
    hands = written.get("hands")
    if not isinstance(hands, list) or len(hands) != n:
        raise RecordFault(place, f"hands must be a list of {n}, one a seat")
    listed = written.get("actions")
    if not isinstance(listed, list):
        raise RecordFault(place, f"actions must be a list, not {_kind(listed)}")
    fairness = _fairness_from_json(place, written["fairness"], n) if "fairness" in written else None
    commitment = None
    if fairness is not None and "commitment" in written["fairness"]:
        commitment = _hex(place, "commitment", written["fairness"]["commitment"], SECRET_BYTES)
    return RoundRecord(
        first=first,
        hands=tuple(_hand_from_json(place, seat, hand) for seat, hand in enumerate(hands)),
        fairness=fairness,
        actions=tuple(_action_from_json(f"{place} action {at}", one, n) for at, one in enumerate(listed)),
        delta=_whole_numbers(place, "delta", written["delta"], n) if "delta" in written else None,
        commitment=commitment,
    )


def _hand_from_json(place: str, seat: int, hand: object) -> tuple[cards.Card, ...]:
    if not isinstance(hand, list):
        raise RecordFault(place, f"hands of seat {seat} must be a list of cards, not {_kind(hand)}")
    return tuple(_card_from_json(place, f"hands of seat {seat}: ", written) for written in hand)


def _card_from_json(place: str, where: str, written: object) -> cards.Card:
    if not isinstance(written, str):
        raise RecordFault(place, f"{where}a card is written as a text like B15, not {_kind(written)}")
    try:
        return cards.parse(written)
    except cards.CardError as error:
        raise RecordFault(place, f"{where}{error}") from error


def _action_from_json(place: str, written: object, n: int) -> tuple[int, Action]:
    if not isinstance(written, list) or not 2 <= len(written) <= 3:
        raise RecordFault(place, 'an action is [seat, "pass"], [seat, "double-cross"] or [seat, verb, card]')
    seat, verb = written[0], written[1]
    if type(seat) is not int or not 0 <= seat < n:
        raise RecordFault(place, f"the seat must be a whole number from 0 to {n - 1}")
    if verb in ("pass", "double-cross") and len(written) == 2:
        return seat, PASS if verb == "pass" else DOUBLE_CROSS
    if verb in ("bid", "play", "cover") and len(written) == 3:
        card = _card_from_json(place, "", written[2])
        return seat, _CARD_ACTIONS[verb][card]
    raise RecordFault(place, "expected pass or double-cross without a card, or bid, play or cover with one")


def _fairness_from_json(place: str, written: object, n: int) -> Fairness:
    if not isinstance(written, dict):
        raise RecordFault(place, f"fairness must be an object, not {_kind(written)}")
    nonces = written.get("nonces")
    if not isinstance(nonces, list) or len(nonces) != n:
        raise RecordFault(place, f"fairness: nonces must be a list of {n}, one a seat")
    return Fairness(
        secret=_hex(place, "secret", written.get("secret"), SECRET_BYTES),
        nonces=tuple(_hex(place, f"nonce of seat {seat}", nonce, NONCE_BYTES) for seat, nonce in enumerate(nonces)),
    )


def _hex(place: str, what: str, written: object, size: int) -> bytes:
    if not isinstance(written, str) or len(written) != 2 * size or not _HEX.match(written):
        raise RecordFault(place, f"fairness: the {what} must be {size} bytes in hex")
    return bytes.fromhex(written)


def _whole_numbers(place: str, field: str, listed: object, n: int) -> tuple[int, ...]:
    if not isinstance(listed, list) or len(listed) != n or any(type(number) is not int for number in listed):
        raise RecordFault(place, f"{field} must be a list of {n} whole numbers, one a seat")
    return tuple(listed)


def _kind(value: object) -> str:
    """Return what kind of JSON value this is, in words, without showing any of it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    kinds: tuple[tuple[type, str], ...] = ((dict, "an object"), (list, "a list"), (str, "a text"))
    return next((words for kind, words in kinds if isinstance(value, kind)), "a number")

"""The scan itself: one connection's frames against the truth; whatever is not expressly allowed is a finding.

Every value of every frame is visited by a rule that says what may stand there; a key, an element or a message that no
rule names is a finding too. Besides, the bytes of each frame are searched for what nobody may be sent yet, so that a
fault of the rules below does not hide one of the server.

Time is that of the reader: a frame may tell what follows from the events that were told before it or are in it, and
nothing of what the server knew already when it wrote the frame.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgpack
import msgspec

from looseends_core.cards import cards_in, parse
from looseends_core.decide import legal_actions
from looseends_core.events import RoundDealt
from looseends_core.shuffle import ZERO_NONCE, commitment_of
from looseends_core.state import Phase, State, evolve
from looseends_protocol.limits import LARGEST_COUNT
from tests.e2e.heard_peer import Stream
from tests.e2e.secret_needles import hidden_of, known_cards
from tests.e2e.secret_record import why_not_record
from tests.e2e.secret_truth import GameTruth, TableTruth, Truth

_CARD_WORD = re.compile(r"\b(?:[BRGY](?:1[0-5]|[1-9])|X[1-4])\b")

Rule = Callable[[Any, str], None]


@dataclass(frozen=True)
class Finding:
    """Something that should not have been sent: what, in which frame of whose connection, and where in it."""

    what: str
    name: str
    frame: int
    where: str


class Scan:
    """Looks through streams. `counts` says how much was looked at, so that a scan of nothing cannot pass for one."""

    def __init__(self, truth: Truth) -> None:
        self.findings: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self._truth = truth

    def look_through(self, streams: Iterable[Stream]) -> None:
        """Scan every stream."""
        for stream in streams:
            reader = _Reader(self._truth, stream.name, self.counts)
            for number, payload in enumerate(stream.payloads):
                self.counts["frames"] += 1
                self.counts["bytes"] += len(payload)
                for what, where in reader.read(payload):
                    self.findings.append(Finding(what, stream.name, number, where))


class _Reader:
    """One connection, as far as it has been read."""

    def __init__(self, truth: Truth, name: str, counts: Counter[str]) -> None:
        self._truth = truth
        self._name = name
        self._counts = counts
        self._found: list[tuple[str, str]] = []
        self._table: TableTruth | None = None
        self._game: GameTruth | None = None
        self._state: State | None = None
        self._needles: list[tuple[str, bytes]] | None = None
        self._others = self._other_tokens()
        self._rule_sets = [_on_the_wire(table.games[0].rules) for table in truth.tables.values()]
        self._messages = self._rules_of_messages()

    def read(self, payload: bytes) -> list[tuple[str, str]]:
        """Return what this frame should not have held, each with its place."""
        self._found = []
        content: Any = msgpack.unpackb(payload, strict_map_key=False)
        tag = content.get("t") if isinstance(content, dict) else None
        rule = self._messages.get(tag) if isinstance(tag, str) else None
        if rule is None:
            self._find("a message that no rule names", str(tag))
        else:
            self._counts[f"message {tag}"] += 1
            rule({key: value for key, value in content.items() if key != "t"}, str(tag))
        self._search(payload, str(tag))
        return self._found

    def _find(self, what: str, where: str) -> None:
        self._found.append((what, where))

    # ── what may stand where ─────────────────────────────────────────────────────────────────────────────────────

    def _rules_of_messages(self) -> dict[str, Rule]:
        number, flag, text = self._number, self._flag, self._text
        options = self._map(ti=text, cs=number, ab=text, pv=flag, sp=flag, sk=flag, bt=number, hi=flag, ct=text)
        seat = self._map(k=text, nm=text, lv=text, on=flag, aw=text, sb=flag, ew=flag)
        line = self._map(k=text, tx=text, nm=text, st=number, n=number)
        proof = self._map(self._proof_fits, r=number, cm=self._bytes, sc=self._bytes, ns=self._each(self._bytes))
        rules = self._rule_set
        numbers, texts = self._each(number), self._each(text)
        table = self._map(
            c=text, ti=text, h=text, ru=rules, o=options, ph=text, os=number, nn=texts, np=flag, wa=number
        )
        held = self._map(c=text, ti=text, st=number, ph=text, y=flag)
        seats = self._each(seat)
        amount = self._amount
        weighed = self._map(
            a=self._own_action,
            pt=amount,
            se=amount,
            ow=amount,
            wo=number,
            wi=number,
            cv=self._own_card,
            co=number,
            lo=number,
            sn=number,
            pf=number,
        )
        return {
            "welcome": self._map(
                re=number,
                v=number,
                m=number,
                nm=text,
                sv=text,
                tk=self._token,
                ss=self._each(held),
                ls=self._each(self._each(text)),
            ),
            "done": self._map(re=number),
            "ping": self._map(id=number),
            "pong": self._map(re=number),
            "refused": self._map(er=text, tx=text, re=number, sg=text, ra=number),
            "tables": self._map(re=number, ts=self._each(table), p=number, ps=number),
            "lobby": self._map(ts=self._each(table), p=number, ps=number),
            "notice": self._map(tx=text, k=text),
            "detached": self._map(er=text, tx=text),
            "attending": self._map(
                self._attend,
                re=number,
                s=number,
                c=text,
                ti=text,
                ru=rules,
                o=options,
                ph=text,
                h=text,
                ss=seats,
                g=number,
                st=self._seat,
                fn=number,
                e=self._events,
                pr=self._each(proof),
                wn=number,
                rd=numbers,
                rs=number,
                ck=number,
                l=self._legal,
                ch=self._each(line),
                wa=texts,
                mf=number,
            ),
            "hinted": self._map(re=number, lv=text, w=self._each(weighed)),
            "record-text": self._map(re=number, rc=self._record),
            "ev": self._map(s=number, e=self._events, l=self._legal, ck=number),
            "seats": self._map(s=number, ss=seats, h=text, ph=text, wa=texts, ck=number),
            "began": self._map(self._begin, s=number, g=number, ru=rules),
            "commit": self._map(self._proof_fits, s=number, r=number, cm=self._bytes),
            "reveal": self._map(self._proof_fits, s=number, r=number, sc=self._bytes, ns=self._each(self._bytes)),
            "readies": self._map(s=number, rd=numbers, rs=number),
            "said": self._map(s=number, ln=line),
        }

    def _map(self, first: Callable[[dict[str, Any], str], None] | None = None, /, **rules: Rule) -> Rule:
        """Return the rule for a map of these keys and no others; `first` looks at the whole of it before them."""

        def look(value: Any, where: str) -> None:
            if not isinstance(value, dict):
                self._find("not a map", where)
                return
            if first is not None:
                first(value, where)
            for key in value.keys() - rules.keys():
                self._find("a key that no rule names", f"{where}.{key}")
            for key, rule in rules.items():
                if key in value:
                    rule(value[key], f"{where}.{key}")

        return look

    def _each(self, rule: Rule) -> Rule:
        def look(value: Any, where: str) -> None:
            if not isinstance(value, list):
                self._find("not an array", where)
                return
            for at, element in enumerate(value):
                rule(element, f"{where}[{at}]")

        return look

    def _number(self, value: Any, where: str) -> None:
        self._counts["values"] += 1
        if value is not None and (type(value) is not int or not 0 <= value <= LARGEST_COUNT):
            self._find("not a number that a message may hold", where)

    def _amount(self, value: Any, where: str) -> None:
        self._number(abs(value) if type(value) is int else value, where)

    def _own_action(self, value: Any, where: str) -> None:
        """Look at an action of a hint: one that the reader may take now, and so knows of."""
        self._counts["hints"] += 1
        state = self._state
        if state is None or state.turn not in self._own_seats():
            self._find("a hint for somebody who is not on turn", where)
        elif value not in [_on_the_wire(action) for action in legal_actions(state)]:
            self._find("a hint of what the reader may not do", where)

    def _own_card(self, value: Any, where: str) -> None:
        state = self._state
        own = (
            [] if state is None or state.turn is None else [*state.bids[state.turn], *cards_in(state.hands[state.turn])]
        )
        if value not in own:
            self._find("a card of a hint that the reader does not hold", where)

    def _flag(self, value: Any, where: str) -> None:
        self._counts["values"] += 1
        if type(value) is not bool:
            self._find("not true or false", where)

    def _text(self, value: Any, where: str) -> None:
        self._counts["values"] += 1
        if not isinstance(value, str):
            self._find("not a text", where)
            return
        for word in _CARD_WORD.findall(value):
            known = known_cards(self._state, self._own_seats()) if self._state is not None else 0
            if not known >> parse(word) & 1:
                self._find("a hidden card in words", where)

    def _bytes(self, value: Any, where: str) -> None:
        self._counts["values"] += 1
        if not isinstance(value, bytes):
            self._find("not bytes", where)

    def _token(self, value: Any, where: str) -> None:
        self._counts["tokens"] += 1
        if value != self._truth.tokens.get(self._name):
            self._find("a token that is not the reader's", where)

    def _rule_set(self, value: Any, where: str) -> None:
        self._counts["values"] += 1
        if value not in self._rule_sets:
            self._find("not the rules of a table", where)

    def _seat(self, value: Any, where: str) -> None:
        self._number(value, where)
        if value is not None and value not in self._own_seats():
            self._find("a seat that the reader does not hold", where)

    # ── where the reader is ──────────────────────────────────────────────────────────────────────────────────────

    def _attend(self, content: dict[str, Any], where: str) -> None:
        table = self._truth.tables.get(content.get("c", ""))
        game = table.games.get(content.get("g", 0)) if table is not None else None
        if table is None or game is None:
            self._find("a table or a game that there is not", where)
            return
        self._table = table
        start = content.get("fn", 0)
        self._enter(game)
        assert self._state is not None
        for event in game.events[:start]:
            evolve(self._state, event)
        # The seat is that of the table at the end of the events, and `st` may be looked at before them.
        content["e"] = content.get("e", [])
        self._events(content["e"], f"{where}.e")
        del content["e"]

    def _begin(self, content: dict[str, Any], where: str) -> None:
        game = self._table.games.get(content.get("g", 0)) if self._table is not None else None
        if game is None:
            self._find("a game that there is not", where)
        else:
            self._enter(game)

    def _enter(self, game: GameTruth) -> None:
        self._game = game
        self._state = State(game.rules)
        self._needles = None

    def _own_seats(self) -> set[int]:
        if self._game is None or self._state is None:
            return set()
        return self._game.seats_of(self._name, self._state.number)

    def _rounds_over(self) -> int:
        return len(self._state.results) if self._state is not None else 0

    # ── what is dealt, played and proven ─────────────────────────────────────────────────────────────────────────

    def _events(self, value: Any, where: str) -> None:
        game, state = self._game, self._state
        if game is None or state is None or not isinstance(value, list):
            self._find("events without a table", where)
            return
        for at, sent in enumerate(value):
            if state.number >= len(game.events):
                self._find("an event that has not happened", f"{where}[{at}]")
                return
            event = game.events[state.number]
            evolve(state, event)
            self._counts["events"] += 1
            if isinstance(event, RoundDealt):
                self._needles = None
                self._dealt(sent, event, f"{where}[{at}]")
            elif sent != _on_the_wire(event):
                self._find("not the event that happened", f"{where}[{at}]")
            if len(state.results) == state.round:
                self._needles = None

    def _dealt(self, sent: Any, event: RoundDealt, where: str) -> None:
        self._counts["deals"] += 1
        open_hands = self._own_seats()
        if not isinstance(sent, list) or len(sent) not in (4, 5) or sent[:3] != ["dealt", event.round, event.first]:
            self._find("not the event that happened", where)
            return
        if len(sent) == 5 and sent[4] is not None:
            self._find("the proof of a deal before its reveal", f"{where}[4]")
        if not isinstance(sent[3], list) or len(sent[3]) != len(event.hands):
            self._find("not one hand for each seat", f"{where}[3]")
            return
        for seat, hand in enumerate(sent[3]):
            if hand is None:
                self._counts["hidden hands"] += 1
            elif hand != list(event.hands[seat] or ()):
                self._find("a hand that was not dealt", f"{where}[3][{seat}]")
            elif seat not in open_hands:
                self._find("somebody else's hand", f"{where}[3][{seat}]")
            else:
                self._counts["own hands"] += 1

    def _legal(self, value: Any, where: str) -> None:
        state = self._state
        if value is None:
            return
        self._counts["legal lists"] += 1
        if state is None or state.turn is None or state.turn not in self._own_seats():
            self._find("a legal list for somebody who is not on turn", where)
            return
        if not isinstance(value, list) or len(value) != 3 or not all(type(flag) is bool for flag in value[1:]):
            self._find("not a legal list", where)
            return
        covering = state.phase is Phase.COVERING
        own = state.uncovered(state.turn) if covering else state.hands[state.turn]
        if not isinstance(value[0], list) or not all(card in list(cards_in(own)) for card in value[0]):
            self._find("a card that is not the reader's", where)

    def _proof_fits(self, content: dict[str, Any], where: str) -> None:
        """Judge the commitment, secret and nonces of a round that the map names."""
        game, number = self._game, content.get("r")
        secret = game.secrets.get(number) if game is not None and type(number) is int else None
        if game is None or secret is None or type(number) is not int:
            self._find("a round that there is not", where)
            return
        if "cm" in content and content["cm"] != commitment_of(secret):
            self._find("not the commitment", f"{where}.cm")
        if not content.get("sc") and not content.get("ns"):
            self._counts["commitments"] += 1
            return
        self._counts["reveals"] += 1
        if number > self._rounds_over():
            self._find("a secret before its reveal", where)
        nonces = [game.nonces.get((number, seat), ZERO_NONCE) for seat in range(game.rules.players)]
        if content.get("sc") != secret or content.get("ns") != nonces:
            self._find("not the proof of that round", where)

    def _record(self, value: Any, where: str) -> None:
        self._counts["records"] += 1
        if self._game is None:
            self._find("a record without a table", where)
            return
        fault = why_not_record(value, self._game, self._rounds_over())
        if fault:
            self._find(fault, where)

    # ── the bytes themselves ─────────────────────────────────────────────────────────────────────────────────────

    def _search(self, payload: bytes, tag: str) -> None:
        if self._needles is None:
            self._needles = self._needles_now()
        for what, needle in self._needles:
            if needle in payload:
                self._find(f"{what}, in the bytes", tag)
        own = self._truth.tokens.get(self._name)
        if tag != "welcome" and own is not None and (own in payload or own.hex().encode() in payload):
            self._find("a token after its welcome, in the bytes", tag)

    def _other_tokens(self) -> list[tuple[str, bytes]]:
        tokens = [token for name, token in self._truth.tokens.items() if name != self._name]
        return [("somebody else's token", form) for token in tokens for form in (token, token.hex().encode())]

    def _needles_now(self) -> list[tuple[str, bytes]]:
        """Return what the frames from here on may not hold, with what to call it."""
        needles = [*self._truth.never, *self._others]
        for table in self._truth.tables.values():
            for number, game in table.games.items():
                if table is self._table and game is not self._game and game.events and self._is_before(number, table):
                    continue
                over = self._rounds_over() if game is self._game else 0
                needles += hidden_of(game, over, self._own_seats() if game is self._game else set(), game is self._game)
        return needles

    def _is_before(self, number: int, table: TableTruth) -> bool:
        """Return whether that game of the reader's table was over before the one the reader is in."""
        return any(game is self._game and number < current for current, game in table.games.items())


def _on_the_wire(value: msgspec.Struct) -> Any:
    return msgpack.unpackb(msgspec.msgpack.encode(value))

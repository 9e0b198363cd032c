"""What the reader may ask of a table at any time, as lines: hand, table, bids, score, a card, the last trick.

Pure: a model in, lines out. Every number and every judgement is the core's.
"""

from __future__ import annotations

from looseends_client.bid_marks import Mark, bid_marks, points_if_over_now
from looseends_client.cards_text import ASCII_FACES, points_text
from looseends_client.company import company_of, where_they_are
from looseends_client.contest_words import side_at
from looseends_client.foresight import what_is_asked, what_it_would_do, winning_now
from looseends_client.hint_words import advice
from looseends_client.narration import YOU, capital, counted, does
from looseends_client.plain.wording import Wording, finished
from looseends_client.table_model import TableModel
from looseends_client.table_words import options_words, rules_words
from looseends_core.actions import PASS, Action, Bid, Cover, DoubleCross, Pass, Play
from looseends_core.cards import Card, cards_in
from looseends_core.decide import coverable, why_not
from looseends_core.state import Phase, Trick
from looseends_protocol.messages import Hint

_MARKS = {Mark.COVERED: "covered", Mark.OPEN: "open", Mark.HOPELESS: "lost"}


def hand_line(model: TableModel, wording: Wording) -> str:
    """Return the reader's hand."""
    if model.seat is None:
        return "You watch, and have no hand."
    cards = list(cards_in(model.state.hands[model.seat]))
    if not cards:
        return "You have no card in hand."
    return f"Your hand, {counted(len(cards), 'card')}: {wording.cards(cards)}."


def place_lines(model: TableModel, wording: Wording) -> list[str]:
    """Return what table this is."""
    lines = [f"Rules: {rules_words(model.rules)}.", f"Table: {options_words(model.options)}."]
    return [wording.text(line.replace(" · ", ", ")) for line in lines]


def people_lines(model: TableModel) -> list[str]:
    """Return who sits where, and who watches."""
    watching = [who for who in company_of(model) if who.role == "watcher"]
    lines = [place_line(model, seat) for seat in range(len(model.seats))]
    return [*lines, *[finished(f"Watching: {', '.join((who.shown, *who.about))}") for who in watching]]


def place_line(model: TableModel, seat: int) -> str:
    """Return who sits on a seat."""
    who = company_of(model)[seat]
    shown = "open" if model.seats[seat].kind == "open" else who.shown
    side = side_at(model.options.contest, seat, len(model.seats))
    place = f"Seat {seat + 1}, side {side}" if side else f"Seat {seat + 1}"
    return finished(f"{place}: {', '.join((shown, *who.about))}")


def trick_line(model: TableModel, wording: Wording) -> str:
    """Return the running trick, who wins it so far last."""
    state = model.state
    if not state.trick:
        return "No card lies."
    plays = [
        f"{model.names[seat]} {'led ' if at == 0 else ''}{wording.card(card)}"
        for at, (seat, card) in enumerate(state.trick)
    ]
    winning = winning_now(state)
    assert winning is not None, "a card lies"
    ahead = model.names[winning[0]]
    return f"Trick: {', '.join(plays)}; {does(ahead, 'win')} so far."


def table_lines(model: TableModel, wording: Wording) -> list[str]:
    """Return how the table stands: round, trick, whose turn it is, and a line a seat."""
    state = model.state
    if state.round == 0:
        return people_lines(model)
    lines = [f"Round {state.round} of {state.rules.rounds}, {_where(model)}."]
    if state.trick:
        lines.append(trick_line(model, wording))
    if model.phase == "playing" and state.turn is not None:
        lines.append(wording.sentence(what_is_asked(state, model.seat, model.names)))
    return [*lines, *[_seat_line(model, seat) for seat in range(state.players)]]


def _where(model: TableModel) -> str:
    state = model.state
    match state.phase:
        case Phase.PLANNING:
            return "planning"
        case Phase.PLAYING:
            return f"trick {len(state.tricks) + 1} of {state.tricks_in_round}"
        case Phase.COVERING:
            return f"trick {len(state.tricks)} of {state.tricks_in_round}"
        case Phase.OVER:
            return "the game is over"
        case Phase.DEALING:
            return "which is over"


def _seat_line(model: TableModel, seat: int) -> str:
    state = model.state
    info = model.seats[seat]
    words = [f"{model.names[seat]}: {_points(state.scores[seat])}"]
    if info.stand_in:
        words.append("a bot plays for them" if seat != model.seat else "a bot plays for you")
    elif info.kind == "bot":
        words.append("a bot")
    elif seat != model.seat and where_they_are(info):
        words.append(where_they_are(info))
    if state.phase is Phase.PLANNING:
        bids = f"{state.planned_bids(seat)} of {state.rules.max_bid} bid"
        words.append(f"{bids}, passed" if seat in state.passed else bids)
    elif state.phase in (Phase.PLAYING, Phase.COVERING):
        words.append(f"{counted(state.won[seat], 'trick')} won")
        if state.loose[seat]:
            words.append(counted(state.loose[seat], "loose trick"))
        words.append(f"now {points_text(points_if_over_now(state)[seat], ASCII_FACES)}")
        words.append(f"{counted(state.hand_sizes[seat], 'card')} left")
    return finished(capital_name(", ".join(words)))


def capital_name(text: str) -> str:
    """Return the text with a capital letter where the reader's own seat begins it."""
    return f"You{text[3:]}" if text.startswith(f"{YOU}:") else capital(text)


def _points(score: int) -> str:
    return f"{score} point{'' if score == 1 else 's'}"


def bid_lines(model: TableModel, wording: Wording) -> list[str]:
    """Return the bids of every seat, open ones first, and what has become of each."""
    state = model.state
    lines: list[str] = []
    for seat, name in enumerate(model.names):
        marks = bid_marks(state, seat)
        if marks:
            parts = [
                f"{word} {wording.cards(sorted(card for card, mark in marks if mark is which))}"
                for which, word in ((Mark.OPEN, "open"), (Mark.COVERED, "covered"), (Mark.HOPELESS, "lost"))
                if any(mark is which for _, mark in marks)
            ]
            said = "; ".join(parts)
        elif state.snitching[seat]:
            said = "snitches" if not state.won[seat] else "snitched, and failed"
            said = said.replace("snitches", "snitching")
        else:
            said = "no bids"
        lines.append(finished(capital_name(f"{name}: {said}")))
    return lines


def legal_line(model: TableModel, wording: Wording) -> str:
    """Return what the reader may do now."""
    if not model.my_turn:
        return not_on_turn(model, wording)
    actions = model.legal()
    cards = [action.card for action in actions if isinstance(action, Bid | Play | Cover)]
    verb = {Phase.PLANNING: "bid", Phase.COVERING: "cover"}.get(model.state.phase, "play")
    parts = [f"{verb} {wording.cards(cards)}"] if cards else []
    parts += ["pass"] if any(isinstance(action, Pass) for action in actions) else []
    parts += ["double-cross"] if any(isinstance(action, DoubleCross) for action in actions) else []
    return f"You may {', or '.join(parts)}."


def not_on_turn(model: TableModel, wording: Wording) -> str:
    """Return why the reader can do nothing now."""
    if model.seat is None:
        return "You watch this table: nothing is asked of you."
    match model.phase:
        case "playing":
            return f"It is not your turn: {wording.sentence(what_is_asked(model.state, model.seat, model.names))}"
        case "frozen":
            return "The table stands still: the server cannot go on with it at the moment."
        case "over":
            again = "ready to play again" if model.has_rematch else "contest for how others did with the same cards"
            return f"The game is over: type {again}."
        case "between":
            return "The round is over: type ready for the next."
        case "dealing":
            return "The cards are being dealt."
        case "gathering":
            return "The game has not begun."


def action_with(model: TableModel, card: Card) -> Action:
    """Return what acting with a card means now."""
    if model.state.phase is Phase.PLANNING:
        return Bid(card)
    return Cover(card) if model.state.phase is Phase.COVERING else Play(card)


def nameable(model: TableModel) -> list[Card]:
    """Return the cards that the reader can name: the hand, or the bids that the trick just won may cover."""
    if model.seat is None:
        return []
    if model.my_turn and model.state.phase is Phase.COVERING:
        return list(cards_in(coverable(model.state)))
    return list(cards_in(model.state.hands[model.seat]))


def why_lines(model: TableModel, wording: Wording, card: Card) -> list[str]:
    """Return whether a card may be used now, and what it would do."""
    if model.seat is None or not model.my_turn:
        return [not_on_turn(model, wording)]
    refusal = why_not(model.state, model.seat, action_with(model, card))
    if refusal is not None:
        return [f"Not {wording.card(card)}: {refusal.sentence}"]
    would = what_it_would_do(model.state, model.seat, card)
    return [wording.sentence(would)] if would else [f"{wording.card(card)} may be played."]


def hint_line(model: TableModel, wording: Wording, hint: Hint) -> str:
    """Return a hint that the server gave for the state that is shown; a server may be wrong."""
    legal = model.legal()
    if model.seat is None or not hint.weighed or not all(weighed.action in legal for weighed in hint.weighed):
        return "The server's hint is about something else."
    return wording.sentence(advice(model.state, model.seat, hint.weighed))


def why_pass(model: TableModel, wording: Wording) -> list[str]:
    """Return whether the reader may pass now."""
    if model.seat is None or not model.my_turn:
        return [not_on_turn(model, wording)]
    refusal = why_not(model.state, model.seat, PASS)
    return [refusal.sentence if refusal is not None else "You may pass."]


def last_trick_lines(model: TableModel, wording: Wording) -> list[str]:
    """Return the last finished trick."""
    tricks = model.state.tricks
    if not tricks:
        return ["No trick has been won in this round."]
    trick = tricks[-1]
    plays = [
        f"{model.names[seat]} {'led ' if at == 0 else ''}{wording.card(card)}"
        for at, (seat, card) in enumerate(trick.plays)
    ]
    return [f"Trick {len(tricks)}: {', '.join(plays)}.", _outcome(model, wording, trick)]


def _outcome(model: TableModel, wording: Wording, trick: Trick) -> str:
    won = f"{capital(does(model.names[trick.winner], 'won', 'won'))} with {wording.card(trick.card)}"
    if trick.outcome == "covered" and trick.bid_card is not None:
        return f"{won} and covered {wording.card(trick.bid_card)}."
    if trick.outcome == "promoted":
        return f"{won}, which became a bid card."
    return f"{won}, a loose end." if trick.outcome == "loose" else f"{won}."

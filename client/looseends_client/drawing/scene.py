"""What the table looks at when it is drawn: the model, and what this screen alone knows.

One value for all regions, so that they cannot disagree. It decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from looseends_client.cards_text import UNICODE_FACES, Faces
from looseends_client.narration import Sentence
from looseends_client.table_keys import TableKeys
from looseends_client.table_model import TableModel
from looseends_core.actions import Action, Bid, Cover, Play
from looseends_core.cards import Card, CardSet, card_set, cards_in
from looseends_core.decide import coverable
from looseends_core.state import Phase, Trick


@dataclass
class Scene:
    """A table as one screen shows it.

    `chosen` is the card that the reader has picked; `held` a finished trick that still lies so that it can be read;
    `ahead` a card to be played as soon as it is the reader's turn; `typed` what has been typed of a card's name;
    `answer` a sentence for the last thing that was refused; `hint` what a bot would do, and `hint_waits` whether one is
    still thinking about it.
    """

    model: TableModel
    faces: Faces = UNICODE_FACES
    chosen: Card | None = None
    held: Trick | None = None
    ahead: Card | None = None
    typed: str = ""
    answer: Sentence = ()
    hint: Sentence = ()
    hint_waits: bool = False
    online: str = ""
    """What is wrong with the connection, empty while it is well."""
    keys: list[tuple[str, str]] = field(default_factory=list)
    """The keys that do something now, with a word each."""
    table_keys: TableKeys = field(default_factory=TableKeys)
    """The keys that are in force."""
    aside: Sentence = ()
    """What is told of this moment from outside the game, such as what was done next in a replay."""
    looks_back: bool = False
    """Whether the trick that lies there was asked for, and not just finished."""
    at_leisure: bool = False
    """Whether a finished trick lies until a key takes it away, so that nothing is asked before."""
    counts_now: bool = True
    """Whether each seat shows what the round would score now."""

    @property
    def is_read(self) -> bool:
        """Whether a finished trick lies and nothing goes on before a key takes it away."""
        return self.at_leisure and self.held is not None

    @property
    def choosable(self) -> CardSet:
        """The cards that the reader may act with now; empty while it is not on turn."""
        return card_set(action.card for action in self.model.legal() if isinstance(action, Bid | Play | Cover))

    @property
    def selectable(self) -> list[Card]:
        """The cards that arrows go through, in the order they are drawn: legal ones on turn, else the whole hand."""
        state = self.model.state
        seat = self.model.seat
        if seat is None:
            return []
        if self.model.my_turn:
            if state.phase is Phase.COVERING:
                allowed = coverable(state)
                return [card for card in state.bids[seat] if allowed >> card & 1]
            return list(cards_in(self.choosable))
        return list(cards_in(state.hands[seat]))

    def action_with(self, card: Card) -> Action:
        """Return what acting with a card means in this phase."""
        phase = self.model.state.phase
        if phase is Phase.PLANNING:
            return Bid(card)
        return Cover(card) if phase is Phase.COVERING else Play(card)

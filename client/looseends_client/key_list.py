"""Every key of the table with what it does, in one place: bindings and the help page are made of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from looseends_client.cards_text import UNICODE_FACES, Faces


class TableKey(msgspec.Struct, frozen=True):
    """A key of the table: its id (for remapping), the keys, the action, what it does, and its place in the help."""

    id: str
    keys: str
    action: str
    shown: str
    does: str


TABLE_KEYS = (
    TableKey("choose-next", "right,tab", "choose(1)", "← → Tab", "choose a card"),
    TableKey("choose-previous", "left,shift+tab", "choose(-1)", "", ""),
    TableKey("next-suit", "down", "choose_suit(1)", "↑ ↓", "choose in the next suit"),
    TableKey("previous-suit", "up", "choose_suit(-1)", "", ""),
    TableKey(
        "act", "enter", "act", "Enter", "bid, play or cover with the chosen card; before your turn: play it ahead"
    ),
    TableKey("pass", "p", "pass", "p", "pass (with no bid card: snitch)"),
    TableKey("double-cross", "d", "double_cross", "d", "double-cross: take your bids back and snitch (asks first)"),
    TableKey("hint", "h", "hint", "h", "a hint: what a strong bot would do in your place, and why (where allowed)"),
    TableKey("last-trick", "u", "last_trick", "u", "look at the last trick again"),
    TableKey("score-sheet", "s", "score_sheet", "s", "score sheet"),
    TableKey("rules", "i", "rules", "i", "the rules, those of this table first"),
    TableKey("talk", "t", "talk", "t", "say something to the table; then a digit says one of your phrases"),
    TableKey("people", "w", "people", "w", "who sits here and who watches; mute somebody for yourself"),
    TableKey("log", "l", "log", "l", "all that happened, to scroll through"),
    TableKey("help", "question_mark", "help", "?", "all keys"),
    TableKey("leave", "q", "leave", "q", "leave (says what happens to your seat, and asks)"),
    TableKey("clear", "escape,backspace", "clear", "Backspace", "take back what you typed or chose"),
)


def keys_text(keys: Sequence[TableKey] = TABLE_KEYS, faces: Faces = UNICODE_FACES) -> str:
    """Return the page of all keys, of those that are in force, and what the signs of the table mean."""
    lines = ["A card is chosen by its name, too: b, r, g or y and its rank, as in b15 or g7; x for a Getaway card.", ""]
    lines += [f"  {key.shown:<12}{key.does}" for key in keys if key.shown]
    lines += [
        "",
        "A click chooses a card, a second click plays it.",
        "",
        "Signs",
        f"  {faces.turn}  whose turn it is",
        f"  {faces.covered}  a bid card that is covered",
        f"  {faces.open}  a bid card that is still open",
        f"  {faces.hopeless}  a bid card that no trick of this round can cover any more, as far as the table shows",
        "  A heavy frame (or brackets) marks the card that wins the trick so far.",
        "  In your hand, cards that you may play stand up; in a narrow window the others are written small (b9).",
        "  2 won 1 loose  two tricks won, one of which covered nothing: a loose end (2w 1l where it is narrow)",
        f"  now {faces.plus}4  what the round would score for that seat if it ended at this moment; s says why",
        "",
        "Any key goes on when a finished trick lies on the table.",
    ]
    return "\n".join(lines)

"""What a table offers its reader at this moment, in words: the keys that do something, and what its questions say.

Pure functions of what is shown; the screen asks the questions and acts on the answers.
"""

from __future__ import annotations

from looseends_client.contest_words import is_daily
from looseends_client.drawing.scene import Scene
from looseends_client.table_model import TableModel
from looseends_core.actions import DOUBLE_CROSS
from looseends_core.decide import why_not
from looseends_core.state import Phase


def keys_now(scene: Scene, *, alone: bool) -> list[tuple[str, str]]:
    """Return the keys that do something now with a word each, the most important first."""
    model = scene.model
    phase = model.state.phase
    shown = scene.table_keys.shown
    usual = "choose-next" not in scene.table_keys.changed()
    choosing = scene.faces.arrows if usual else shown("choose-next")
    keys: list[tuple[str, str]] = []
    if scene.held is not None:
        keys.append(("any key", "go on"))
    elif model.my_turn:
        if scene.selectable:  # none with the most bids: then there is only to pass
            keys.append((choosing, "choose"))
            word = {Phase.PLANNING: "bid", Phase.COVERING: "cover"}.get(phase, "play")
            keys.append((shown("act"), word))
        if phase is Phase.PLANNING:
            keys.append((shown("pass"), "pass"))
            if model.seat is not None and why_not(model.state, model.seat, DOUBLE_CROSS) is None:
                keys.append((shown("double-cross"), "double-cross"))
        if model.options.hint:
            keys.append((shown("hint"), "hint"))
    elif model.phase == "playing" and phase is Phase.PLAYING and scene.selectable:
        keys.append((choosing, "choose ahead"))
    if model.state.tricks:
        keys.append((shown("last-trick"), "last trick"))
    keys.append((shown("score-sheet"), "scores"))
    keys.append((shown("rules"), "rules"))
    if not alone:
        keys += [(shown("talk"), "talk"), (shown("people"), "who")]
    return [*keys, (shown("leave"), "leave"), (shown("help"), "keys")]


def double_cross_question(model: TableModel) -> str:
    """Return what is asked before a double-cross."""
    count = len(model.state.bids[model.seat]) if model.seat is not None else 0
    cards = "your bid card" if count == 1 else f"all {count} bid cards"
    return f"Double-cross: take back {cards} and snitch? It cannot be undone."


def ways_to_leave(model: TableModel, *, alone: bool) -> tuple[str, dict[str, str]]:
    """Return a sentence, empty where there is nothing to add, and each way to leave by its key."""
    if is_daily(model.options.contest):
        return "There is one try at the deal of the day: it waits for you.", {"Enter": "leave for now", "Esc": "stay"}
    if alone:
        ways = {"Enter": "leave: the game is kept to go on with", "x": "give the game up"}
        return "", {**ways, "Esc": "stay"}
    kept = {
        "bot": "a bot plays until you are back",
        "wait": "the table waits for you",
        "clock": "your turns run out on the clock",
    }
    ways = {
        "Enter": f"leave for now: {kept[model.options.absence]}",
        "x": "give your seat up: a bot plays on for you",
    }
    return "For now: your seat stays yours, come back with the same name.", {**ways, "Esc": "stay"}

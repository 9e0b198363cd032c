"""The sharp player; for now it chooses as steady does."""

from __future__ import annotations

import random

from looseends_core.bots.steady import choose_as_steady
from looseends_core.bots.thought import Stop, Thought, unsearched
from looseends_core.decide import legal_actions
from looseends_core.state import State


def think_as_sharp(view: State, rng: random.Random, _stop: Stop) -> Thought:
    """Return what steady would do, with nothing weighed."""
    return unsearched(choose_as_steady(view, rng), legal_actions(view))

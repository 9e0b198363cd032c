"""Players that the program brings along. They see what their seat sees, and choose among what is legal.

A bot is a function from a view and a source of random numbers to an action. It may not import the server, look at
a full state, or keep anything between two calls that it could not compute again from its view.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from looseends_core.actions import Action
from looseends_core.state import State

Bot = Callable[[State, random.Random], Action]
"""Chooses the action of `view.turn`, whose hand the view knows, out of `legal_actions(view)`."""

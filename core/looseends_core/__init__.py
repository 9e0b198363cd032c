"""The game of No Loose Ends: pure, synchronous, without I/O, clock or randomness of its own.

Nothing in this package may import asyncio, socket, textual or a clock. Deals, time and random numbers come in
from outside as values, so that a whole game is a list of events that replays exactly.
"""

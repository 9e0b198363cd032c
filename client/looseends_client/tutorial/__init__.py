"""Learning by playing: lessons with fixed deals, what is said at each step, and what a lesson waits for.

A lesson is a real game of one round at a real table. Nothing in this package may import textual or the server: how a
lesson is drawn and where its table comes from is decided elsewhere.
"""

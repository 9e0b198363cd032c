"""Bots that are programs of somebody else: what they are told, what they answer, and how they are kept in bounds.

A program reads one JSON view a line on its standard input and writes one action a line on its standard output;
docs/bots.md has the form. Nothing here knows a match, a server or a screen.
"""

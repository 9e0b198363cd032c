"""Matches between bots over the same deals: who sits where, the games themselves, and what they show.

Options, tables and files are the commands' business; how a program of somebody else is spoken to lives in `programs`.
"""

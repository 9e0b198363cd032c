"""The table of docs/bots.md: how much each level of bot beats the one below it, measured, kept, and tried again.

`make arena-full` measures, `make arena` tries a sample of it again. No test of the suite runs either: they take from
minutes to hours.
"""

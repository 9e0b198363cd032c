"""What a table looks like, as rows of text with named looks: plain Python, drawn by widgets, read by tests.

Nothing in this package may import textual: the same rows serve a terminal, a line of output and a test.
"""

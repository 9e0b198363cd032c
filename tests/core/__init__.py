"""Tests of the rules, the records and the bots."""

"""Tests, in folders that mirror the packages; e2e holds those that run the whole program."""

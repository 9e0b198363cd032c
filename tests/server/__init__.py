"""Tests of sessions, tables and the journal."""

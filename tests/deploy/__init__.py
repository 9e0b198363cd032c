"""Tests of what a host copies from `deploy/`."""

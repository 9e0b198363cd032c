"""Checks of what is built and installed. They take minutes and a network, so they have a command: `make ways-in`."""

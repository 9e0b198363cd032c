"""A black-box suite for any server of the protocol: `make conformance SERVER=host:port`; without one, for our own.

It knows a socket, msgpack and what docs/protocol.md says, and nothing of the packages of this project, so that it
tells whether the page is true as well.
"""

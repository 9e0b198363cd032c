"""The load of `looseends bench server` and `make soak`: many tables of people who act at random, a process of its own.

It speaks the protocol over real sockets and folds as little as it can: what it costs is not the server's, but both
share a machine. What is measured of the server, and what is said of it, is the commands'.
"""

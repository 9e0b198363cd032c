"""Tests of whole programs over real files, sockets and terminals."""

"""Tests of messages, frames and the byte stream."""

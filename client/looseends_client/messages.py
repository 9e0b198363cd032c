"""The vocabulary of the user interface: what happened, said between app, screens and widgets in the past tense."""

from __future__ import annotations

import msgspec
from textual.message import Message

from looseends_client.game_client import ConnectionEvent


class TableChanged(Message):
    """The model of the table has changed. Two in a row mean no more than one."""

    def can_replace(self, message: Message) -> bool:
        """Let the newer of two waiting changes stand for both."""
        return isinstance(message, TableChanged)


class TableLost(Message):
    """The server says that we are at the table no more, and why."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class ConnectionChanged(Message):
    """Something happened to the connection."""

    def __init__(self, event: ConnectionEvent) -> None:
        super().__init__()
        self.event = event


class ServerSpoke(Message):
    """The server sent something that is no table's: news of the lobby, a word to everybody."""

    def __init__(self, pushed: msgspec.Struct) -> None:
        super().__init__()
        self.pushed = pushed


class DailyWanted(Message):
    """Somebody wants to play the deal of the day, or to see how it went."""


class ContestWanted(Message):
    """Somebody wants to see how a contest went."""

    def __init__(self, contest: str) -> None:
        super().__init__()
        self.contest = contest

"""Every code of the page that a client can bring about is brought about; for every other there is a reason why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.conformance import provoking
from tests.conformance.page import codes
from tests.conformance.people import People
from tests.conformance.provoking import PROVOKED

BY_THE_SERVER_ALONE = {
    "daily/played": "takes a whole game of the deal of the day, which is there once",
    "game/busy": "takes a server that is slow to search",
    "game/not_yours": "takes a finished game of a public table",
    "game/unreadable": "for a disk that cannot be read",
    "hello/insecure": "for a server that other machines reach without TLS",
    "hello/password": "for a server that asks for a password, with wrong ones",
    "hint/none": "for a server whose bots fail",
    "hint/running": "takes a server that is slow to think",
    "replay/shown": "takes a finished game to be shown",
    "server/cannot_save": "for a disk that is full",
    "server/closing": "for a server that is told to end",
    "server/fault": "for a fault of the server",
    "server/full": "takes all the places that a server has",
    "server/too_many": "takes all the places that an address has",
    "session/banned": "done by whoever runs the server",
    "session/kicked": "done by whoever runs the server",
    "session/silent": "takes more than a minute",
    "chat/muted": "done by whoever runs the server",
    "table/busy": "takes a store that is slow",
    "table/closed": "done by whoever runs the server",
    "table/frozen": "for a fault of the server",
    "table/spectators_full": "takes as many people as a table admits",
    "table/tries": "shuts out the address that the tests come from",
}
"""Codes that no client brings about, or only at the cost of others."""


@pytest.mark.parametrize("code", sorted(PROVOKED))
def test_what_a_client_does_wrong_is_refused_under_its_own_name(people: People, code: str) -> None:
    provoke: Callable[[People], Any] = PROVOKED[code]

    assert provoke(people) == code


def test_every_code_of_the_page_is_brought_about_or_has_its_reason_why_not() -> None:
    elsewhere = provoking.ELSEWHERE

    assert codes() == PROVOKED.keys() | BY_THE_SERVER_ALONE.keys() | elsewhere
    assert not PROVOKED.keys() & BY_THE_SERVER_ALONE.keys()

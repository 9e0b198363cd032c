"""Whoever asked something of a table that is closed meanwhile is answered, and may go on elsewhere."""

from __future__ import annotations

from functools import partial

import msgspec

from looseends_core.rules import rule_set
from looseends_protocol.messages import Attending, CreateTable, Done, Refused, Request, Resync, Say, SeatBot
from looseends_server.limits import Limits, ServerSettings
from tests.server.faulty_store import FaultyStore
from tests.server.peers import Peer, arrive, open_house, settled

SETTINGS = ServerSettings(limits=Limits(burst_messages=1000, pending_requests=4))


async def answers(peer: Peer, requests: list[int]) -> list[msgspec.Struct]:
    return [await peer.until(partial(peer.answer, request)) for request in requests]


async def test_a_request_that_waits_behind_the_closing_of_its_table_is_answered() -> None:
    store = FaultyStore()
    house = await open_house(store=store, settings=SETTINGS)
    peer, _ = await arrive(house, "ann")
    table = house.tables[(await peer.expect(CreateTable(0, rule_set(3)), Attending)).code]
    store.hold()
    seated = peer.post(SeatBot(0, 1, "rookie"))
    await settled()
    house.close_table(table, lambda error: None)
    late: list[Request] = [Say(0, "still here?"), Resync(0), SeatBot(0, 2, "rookie")]
    waiting = [peer.post(request) for request in late]
    await settled()
    store.release()
    assert [type(answer) for answer in await answers(peer, [seated])] == [Done]
    refused = await answers(peer, waiting)
    assert [answer.error for answer in refused if isinstance(answer, Refused)] == ["table/closed"] * 3

    # None of them counts as waiting any more: as many may wait again.
    await peer.expect(CreateTable(0, rule_set(3)), Attending)
    store.hold()
    again = [peer.post(SeatBot(0, 1, "rookie")) for _ in range(SETTINGS.limits.pending_requests)]
    await settled()
    store.release()
    told = await answers(peer, again)
    assert [answer.error for answer in told if isinstance(answer, Refused)] == ["table/seat_taken"] * 3
    await house.close()

"""A snapshot says from where on its reader has missed something, once."""

from __future__ import annotations

from looseends_core.rules import rule_set
from looseends_protocol.messages import Attending, JoinTable, Resync
from tests.server.peers import arrive, open_house, play_on, seated_table, settled, start


async def test_whoever_comes_back_is_told_from_where_on_they_missed_something() -> None:
    house = await open_house()
    ann, bob = await seated_table(house, ["ann", "bob"], rule_set(2))
    assert ann.table is not None
    assert ann.table.missed_from is None
    code = ann.table.code
    await start([ann, bob])
    await play_on([ann], lambda: bob.legal is not None)
    assert ann.view is not None
    last_seen = ann.view.number
    ann.close()
    await settled()

    again = (await arrive(house, "ann", ann.token))[0]
    back = await again.expect(JoinTable(0, code), Attending)
    assert back.missed_from is None, "nothing happened meanwhile"
    again.close()
    await settled()

    assert bob.act_if_due()
    await bob.until(lambda: bob.view is not None and bob.view.number > last_seen)
    third = (await arrive(house, "ann", ann.token))[0]
    assert (await third.expect(JoinTable(0, code), Attending)).missed_from == last_seen
    assert (await third.expect(Resync(0), Attending)).missed_from is None, "told once"
    await house.close()

"""How a contest went, in lines. Pure: what the server told goes in, lines come out."""

from __future__ import annotations

from looseends_client.cards_text import ASCII_FACES, UNICODE_FACES, points_text
from looseends_client.contest_words import (
    compared_at,
    contest_title,
    fairness_of_sides,
    is_daily,
    result_lines,
    sides_of,
    standings,
    told_right,
)
from looseends_client.narration import listed
from looseends_client.plain.wording import Wording
from looseends_protocol.messages import Contest


def contest_lines(contest: Contest, wording: Wording) -> list[str]:
    """Return a line for everybody who played the deal of a day, the result to pass on last; or, of several tables,
    a line for each table under each seat."""
    contest = told_right(contest)
    faces = UNICODE_FACES if wording.style == "shapes" else ASCII_FACES
    lines = [f"{contest_title(contest.contest)}."]
    if is_daily(contest.contest):
        for one in standings(contest):
            deals = ", ".join(points_text(points, ASCII_FACES) for points in one.points)
            who = f"{one.name} (you)" if one.mine else one.name
            lines.append(f"{one.place}: {who}, score {one.score}; by deal {deals}.")
        result = result_lines(contest, faces)
        return [*lines, "To pass on, three lines that give nothing away:", *result] if result is not None else lines
    sides = sides_of(contest)
    for side in sides:
        tables = ", ".join("not over" if p is None else points_text(p, ASCII_FACES) for p in side.points)
        who = f"Side {side.letter} (you)" if side.mine else f"Side {side.letter}"
        lines.append(f"{who}, {listed(list(dict.fromkeys(side.names)))}: {side.mean:+.1f} a table; by table {tables}.")
    if sides:
        lines.append(fairness_of_sides(contest))
    for seat in range(contest.rules.players):
        lines.append(f"Seat {seat + 1}, the same hands at every table:")
        for row in compared_at(contest, seat):
            deals = ", ".join("not played" if p is None else points_text(p, ASCII_FACES) for p in row.points)
            who = f"{row.name} (you)" if row.mine else row.name
            lines.append(f"{who}, score {row.score}; by deal {deals}.")
    return lines

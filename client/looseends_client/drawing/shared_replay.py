"""What stands over a replay that several look at: who leads, whether one follows, the way there, and the last words."""

from __future__ import annotations

from rich.cells import cell_len

from looseends_client.cards_text import Faces
from looseends_client.drawing.log import MARKS
from looseends_client.drawing.rows import Row, Span, filled, spread, width_of
from looseends_client.table_model import TableModel
from looseends_client.table_words import code_text
from looseends_protocol.people_text import visible

ROWS = 2


def leading_words(model: TableModel, *, astray: bool) -> tuple[str, str]:
    """Return who leads, as the reader has it, and the look of it. `astray` says that the reader looks elsewhere."""
    others = len(model.watching) - 1
    host = visible(model.host)
    if model.leads:
        return ("you lead; nobody else is here yet" if others < 1 else f"you lead, {others} follow"), "turn"
    if host not in model.watching:
        return f"{host}, who leads, is not here at the moment", "bad"
    if astray:
        return f"you look elsewhere: c goes back to {host}", "bad"
    return f"{host} leads, you follow", "turn"


def shared_rows(model: TableModel, faces: Faces, width: int, *, astray: bool) -> list[Row]:
    """Return the two rows: who leads and the code of the table, then the last that was said."""
    words, look = leading_words(model, astray=astray)
    code: Row = [Span(f"code {code_text(model.code)} ", "dim")]
    if cell_len(words) + width_of(code) + 2 > width:
        # Who leads is asked for the code; who follows has used it.
        words, code = ("you lead", code) if model.leads else (words, [])
    rows = [spread([Span(f" {words}", look)], code, width, faces)]
    said = next((line for line in reversed(model.log) if line.kind != "story"), None)
    if said is None:
        rows.append([Span(" t says something to everybody here.", "dim")])
    else:
        text = "".join(part for part in said.words if isinstance(part, str))
        rows.append([Span(f" {MARKS[said.kind]}{text}", said.kind)])
    return [filled(row, width, faces) for row in rows]

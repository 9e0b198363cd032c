"""`looseends verify`: whether game records are right, file by file and line by line.

What is right is for `looseends_core.verify`, how a file is cut into records for `record_texts`; here they are answered
for.
"""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from looseends_client.commands import USAGE
from looseends_client.commands.printing import print_error, print_line
from looseends_client.commands.record_texts import Unreadable, checked_names, record_texts, too_long
from looseends_core.verify import Verdict, verify_text


def verify(*files: Annotated[str, Parameter(required=True, allow_leading_hyphen=True)]) -> int:
    """Replay game records and check every move, every number and every deal.

    One line for each bad record says where it goes wrong and what was expected; a right one whose deal nothing proves
    is named too. The last line counts. Exits with 0 if every record is right, 1 if any is bad, 2 if a file cannot be
    read.

    Parameters
    ----------
    files
        Files of game records: one JSON object in a .json file, one a line in a .jsonl file, either in any other. - is
        standard input.
    """
    records = bad = 0
    unreadable = False
    for name in checked_names("verify", files):
        try:
            for line, text in record_texts(name):
                verdict = verify_text(text, line) if text is not None else Verdict(line, too_long())
                records += 1
                bad += verdict.fault is not None
                _print_verdict(name, verdict)
        except Unreadable as error:
            unreadable = True
            print_error(f"looseends: {name} cannot be read: {error}.")
    print_line(f"{records} records, {bad} bad")
    if unreadable:
        return USAGE
    return 1 if bad else 0


def _print_verdict(name: str, verdict: Verdict) -> None:
    if verdict.fault is not None:
        print_line(f"{name}:{verdict.line}: {verdict.fault}")
    elif verdict.unproven:
        rounds = ", ".join(map(str, verdict.unproven))
        have = f"round {rounds} has" if len(verdict.unproven) == 1 else f"rounds {rounds} have"
        print_line(f"{name}:{verdict.line}: right, but the deal is not proven: {have} no fairness")

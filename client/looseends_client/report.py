"""A report of a fault as one file: what `doctor` finds, the record of the rounds that are over, the end of a log.

Everything in it is text that its sender can read before they pass it on. What is gathered, and from where, is the
caller's; nothing secret may be handed in: no card of a running round, no token, no talk.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

LAST_LINES = 300
"""Lines of a log that are packed."""
_STILL = (2020, 1, 1, 0, 0, 0)
"""The time of every file in it, so that the same report is the same bytes."""
READ_ME = """\
A report of a fault in No Loose Ends.

doctor.txt   what `looseends doctor` finds on the machine
record.json  the rounds that are over, as `looseends verify` reads them; missing before the first has ended
log.txt      the last lines of the log

It holds no card of a running round, no password, no token and no talk. Read it before you pass it on.
"""


def packed_report(doctor: Sequence[str], record: str | None, log: Sequence[str]) -> bytes:
    """Return a report as a ZIP file."""
    parts: Mapping[str, str] = {
        "README.txt": READ_ME,
        "doctor.txt": "\n".join(doctor) + "\n",
        "log.txt": "\n".join(log[-LAST_LINES:]) + "\n",
        **({"record.json": record} if record is not None else {}),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _STILL), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()

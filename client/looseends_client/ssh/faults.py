"""How a fault in one person's session is written down: where it happened, and nothing of what was being done.

The words of an error and the values of variables may be cards, tokens or what somebody said; none of them is logged.
"""

from __future__ import annotations

import traceback
from typing import Any

FRAMES = 8
"""The innermost calls that are named."""


def fault_words(error: BaseException) -> dict[str, Any]:
    """Return the kind of an error, and the calls it came through, innermost last, for a line in the log."""
    where = [
        f"{frame.filename.replace(chr(92), '/').rpartition('/site-packages/')[2].rpartition('/looseends_client/')[2]}"
        f":{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)[-FRAMES:]
    ]
    return {"error": type(error).__name__, "where": where}

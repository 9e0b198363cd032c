"""The protocol is bytes in and messages out: no socket, no loop, no clock comes with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import looseends_protocol

MODULES = sorted(path.stem for path in Path(looseends_protocol.__file__).parent.glob("*.py") if path.stem != "__init__")


def test_importing_all_of_it_loads_neither_a_socket_nor_a_loop() -> None:
    program = (
        "import sys\n"
        + "".join(f"import looseends_protocol.{module}\n" for module in MODULES)
        + "print(*sorted({'asyncio', 'socket', 'ssl', 'selectors', 'select', 'textual', 'looseends_server',"
        " 'looseends_client'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)

    assert len(MODULES) >= 7
    assert ran.stdout.split() == []

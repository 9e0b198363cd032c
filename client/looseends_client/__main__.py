"""Lets `python -m looseends_client` stand for the command `looseends`."""

import sys

from looseends_client.main import main

if __name__ == "__main__":
    sys.exit(main())

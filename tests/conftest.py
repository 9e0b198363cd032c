"""What every test stands on: an environment that is nobody's, and how hard Hypothesis tries.

Builders of hands, tables and clients live beside the tests that use them, not here.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# No deadline and no complaint about slow generation: nothing in the tests depends on how fast the machine is.
_UNTIMED = (HealthCheck.too_slow,)
settings.register_profile("default", max_examples=60, deadline=None, suppress_health_check=_UNTIMED, print_blob=True)
# A change must not fail on an example that has nothing to do with it, so CI tries the same ones each time.
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
# For a long look before a release: pytest --hypothesis-profile thorough.
settings.register_profile("thorough", settings.get_profile("default"), max_examples=2_000, derandomize=False)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# Each of these changes what Rich or Textual draw, or what the program does.
_PERSONAL = ("CLICOLOR", "COLORTERM", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TTY_COMPATIBLE")
_PERSONAL_PREFIXES = ("CLICOLOR_", "LOOSEENDS_", "TEXTUAL", "TTY_")
_OF_THE_RUN = "TEXTUAL_SNAPSHOT_TEMPDIR"
"""Where the processes of one run put the pictures for its report."""


def pytest_sessionstart() -> None:
    """Take the developer's own settings out before any test module is imported: Textual reads some on import."""
    for name in list(os.environ):
        if name != _OF_THE_RUN and (name in _PERSONAL or name.startswith(_PERSONAL_PREFIXES)):
            del os.environ[name]
    os.environ["TERM"] = "xterm-256color"
    os.environ["LC_ALL"] = "C.UTF-8"


@pytest.fixture(autouse=True)
def _home_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give each test, and each program that it starts, folders that nobody else reads or writes."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as environment:
        for name in ("HOME", "USERPROFILE"):
            environment.setenv(name, str(home))
        for name, folder in {
            "XDG_CACHE_HOME": "cache",
            "XDG_CONFIG_HOME": "config",
            "XDG_DATA_HOME": "share",
            "XDG_RUNTIME_DIR": "run",
            "XDG_STATE_HOME": "state",
            "APPDATA": "roaming",
            "LOCALAPPDATA": "local",
            "WIN_PD_OVERRIDE_APPDATA": "roaming",
            "WIN_PD_OVERRIDE_LOCAL_APPDATA": "local",
        }.items():
            environment.setenv(name, str(home / folder))
        yield

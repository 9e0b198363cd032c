# Every target does its own set-up: all that a machine needs is Python 3.11 or newer, git and make.
# Kept to what GNU make 3.81 and a POSIX shell can do, because that is what macOS ships.

VENV := .venv
BIN := $(VENV)/bin
# Errors only: pip says much that a player can do nothing about.
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

# The Python that .venv is made from: `make play PYTHON=/path/to/python` chooses another.
PYTHON ?=
CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3.14 python3.13 python3.12 python3.11 python3)

# Passed on to the program: `make play ARGS="--players 3"`, `make test ARGS="tests/core -x"`.
ARGS ?=
# How many processes run the tests: one a core; `make test PROCESSES=0` runs them in one, for a debugger.
PROCESSES ?= auto
# A test that fails is tried once more and the summary says so: real terminals and processes share two cores there.
RERUNS ?= 1
# The server that `make conformance` is pointed at, and its password.
SERVER ?=
SERVER_PASSWORD ?=

# Three stamps: the environment exists, it holds what the game needs, it holds what a developer needs.
MADE := $(VENV)/.made
READY_TO_PLAY := $(VENV)/.ready-to-play
READY_TO_DEVELOP := $(VENV)/.ready-to-develop

.DEFAULT_GOAL := help
.PHONY: recording dist ways-in docs help play test torture soak conformance positions arena arena-full check format lint types layers pictures screenshots clean

help:
	@echo 'No Loose Ends'
	@echo
	@echo '  make play     play a game against bots      ARGS="--players 3" passes options on'
	@echo '  make test     run the tests                 ARGS="tests/core -x" passes options on'
	@echo '  make torture  kill, flood and cut off a real server for minutes'
	@echo '  make soak     play on a real server for ten minutes: nothing may grow or slow down   ARGS=120 is two minutes'
	@echo '  make conformance  hold a server against docs/protocol.md   SERVER=host:port names it, else ours'
	@echo '  make positions  ask every bot in thirty positions what is plainly right, twenty times each'
	@echo '  make arena    play a sample of the table of docs/bots.md again, and check it   (under 20 minutes)'
	@echo '  make arena-full  measure that table, cell by cell, going on where it was   ARGS="--minutes 30" ends it'
	@echo '  make check    all that a change has to pass: lint, types, layers, test'
	@echo '  make format   put the code in order'
	@echo '  make lint     ruff: lint and format, changing nothing'
	@echo '  make types    mypy and pyright'
	@echo '  make layers   who may import whom'
	@echo '  make dist     build the sdist and, from it, the wheel'
	@echo '  make ways-in  build, then install and try the program in every way there is'
	@echo '  make docs     build the pages and the man page; a warning is an error'
	@echo '  make screenshots  draw the pictures of the README and of the docs anew'
	@echo '  make recording  record a round on a real terminal into docs/recording.cast'
	@echo '  make clean    remove .venv and everything else that was made'
	@echo
	@echo 'The first run sets up .venv. PYTHON=... chooses the Python (3.11 or newer) that it is made from.'

play: $(READY_TO_PLAY)
	@$(BIN)/looseends play $(ARGS)

test: $(READY_TO_DEVELOP)
	@$(BIN)/python -m pytest -n $(PROCESSES) --dist loadfile --reruns $(RERUNS) $(ARGS)

# Bounded and ending by itself: under ten minutes on two cores.
torture: $(READY_TO_DEVELOP)
	@$(BIN)/python -m tests.torture

# Ten minutes, or as many seconds as ARGS says; it says what was broken, and ends with how many bounds were.
soak: $(READY_TO_DEVELOP)
	@$(BIN)/python -m tests.soak $(ARGS)

# SERVER=looseends://host:port[#sha256=...] reaches one over TLS; SERVER_PASSWORD is what it asks newcomers for.
conformance: $(READY_TO_DEVELOP)
	@SERVER='$(SERVER)' SERVER_PASSWORD='$(SERVER_PASSWORD)' $(BIN)/python -m pytest tests/conformance $(ARGS)

# About a minute of CPU; the tests ask fewer times.
positions: $(READY_TO_DEVELOP)
	@$(BIN)/python -m tests.core.positions

# Two processes, whatever the machine has: the sample is as large as that allows.
arena: $(READY_TO_DEVELOP)
	@$(BIN)/python -m tests.bot_table --jobs 2 check $(ARGS)

# Hours. It saves what it has about once a minute, and adds nothing to results of other versions of the bots.
arena-full: $(READY_TO_DEVELOP)
	@$(BIN)/python -m tests.bot_table full $(ARGS)

# The tests come last, also under -j, so that their summary closes the output.
check: lint types layers
	@$(MAKE) --no-print-directory test

format: $(READY_TO_DEVELOP)
	@$(BIN)/ruff check --fix --exit-zero --quiet .
	@$(BIN)/ruff format .
	@$(BIN)/ruff check .

lint: $(READY_TO_DEVELOP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(READY_TO_DEVELOP)
	@$(BIN)/mypy
	@$(BIN)/pyright

# Warnings are errors. The site is build/docs/html, the man page goes where the wheel takes it from.
docs: $(READY_TO_DEVELOP)
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs/html
	@$(BIN)/python -m sphinx -q -W --keep-going -b man docs build/docs/man
	@mkdir -p docs/man && cp build/docs/man/looseends.1 docs/man/looseends.1
	@echo 'The pages are in build/docs/html.'

# From a clean copy of what git knows, so that nothing lying about gets in; the wheel is built from the sdist.
dist: $(READY_TO_DEVELOP)
	@rm -rf dist build/tree && mkdir -p build/tree && git archive HEAD | tar -x -C build/tree
	@$(BIN)/python -m build --outdir dist build/tree > build/dist.log 2>&1 || { cat build/dist.log >&2; exit 1; }
	@ls dist

# Minutes, and a network: pip, pipx, uv, an sdist, a checkout and a container, each in an empty environment.
ways-in: dist
	@$(BIN)/python -m tests.packaging.ways_in $(ARGS)

recording: $(READY_TO_DEVELOP)
	@$(BIN)/python -m tests.recording

screenshots pictures: $(READY_TO_DEVELOP)
	@$(BIN)/python -m tests.pictures

layers: $(READY_TO_DEVELOP)
	@$(BIN)/lint-imports --no-logo

clean:
	@rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache snapshot_report.html
	@find core protocol server client tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp holds the folder that .venv was made in. Its scripts name that folder, so a tree that was moved or copied,
# like one whose Python has gone, gets a new environment.
ifneq ($(shell test -x $(BIN)/python && cat $(MADE) 2>/dev/null),$(CURDIR))
.PHONY: $(MADE)
endif

$(MADE):
	@python=; without_venv=; \
	for candidate in $(CANDIDATES); do \
	    "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    if "$$candidate" -c 'import ensurepip, venv' 2>/dev/null; then python=$$candidate; break; fi; \
	    without_venv=$${without_venv:-$$candidate}; \
	done; \
	if [ -z "$$python" ] && [ -n "$$without_venv" ]; then \
	    echo "$$without_venv cannot make virtual environments: install its venv package" \
	        "(on Debian and Ubuntu: apt install python3-venv) and run make again." >&2; \
	    exit 1; \
	fi; \
	if [ -z "$$python" ]; then \
	    echo "No Loose Ends needs Python 3.11 or newer and found none:" \
	        "install it, or name it with make PYTHON=/path/to/python." >&2; \
	    exit 1; \
	fi; \
	echo "Setting up $(VENV) with $$("$$python" --version) (first time only) ..."; \
	"$$python" -m venv --clear $(VENV)
	@echo '$(CURDIR)' > $@

$(READY_TO_PLAY): pyproject.toml $(MADE)
	@echo 'Installing the game into $(VENV) ...'
	@$(PIP) install --editable . || { echo '$(CANNOT_INSTALL)' >&2; exit 1; }
	@touch $@

# pip first: the one that comes with Python 3.11 cannot read dependency groups yet.
$(READY_TO_DEVELOP): pyproject.toml $(MADE)
	@echo 'Installing the game and the development tools into $(VENV) ...'
	@{ $(PIP) install --upgrade 'pip>=25.1' && $(PIP) install --editable . --group dev; } \
	    || { echo '$(CANNOT_INSTALL)' >&2; exit 1; }
	@touch $(READY_TO_PLAY) $@

CANNOT_INSTALL := Installing failed, for the reason that pip gives above; put it right (is there a network?) and run make again.

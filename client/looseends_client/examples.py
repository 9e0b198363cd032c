"""What to type: examples of each command, as its `--help` and the manual page show them.

Commands that are groups (`admin`, `bench`, `config`, `games`, `identity`) have their examples beside their own words.
A test reads every one of them as the command line would.
"""

from __future__ import annotations

IN_GENERAL = (
    "looseends learn",
    "looseends play --players 3 --variant plan-b",
    "looseends serve",
    "looseends join 127.0.0.1 --name ann",
    "looseends simulate --games 200 --bots steady,rookie --seed 1",
    "looseends simulate --games 20 --variant plan-b --records games.jsonl",
    "looseends verify games.jsonl",
    "looseends replay games.jsonl",
)
"""The whole program."""

OF: dict[str, tuple[str, ...]] = {
    "play": (
        "looseends play",
        "looseends play --players 3 --variant plan-b --variant getaway",
        "looseends play --bots fox,sharp,steady --coach",
        "looseends play --plain --cards words",
    ),
    "learn": ("looseends learn",),
    "join": (
        "looseends join games.example.org --name ann",
        "looseends join games.example.org:8749 --tls-ca friends-ca.pem",
        "looseends join 127.0.0.1 --plain",
    ),
    "serve": (
        "looseends serve",
        "looseends serve --host 0.0.0.0 --tls-self-signed",
        "looseends serve --config looseends.toml --ssh 8722",
        "looseends serve --set limits.tables=200",
    ),
    "ssh-door": (
        "looseends ssh-door --listen 0.0.0.0:2222",
        "looseends ssh-door --server looseends://games.example.org --secret-file door-secret",
    ),
    "backup": ("looseends backup looseends.db",),
    "restore": ("looseends restore looseends.db",),
    "replay": (
        "looseends replay games.jsonl",
        "looseends replay game.json",
    ),
    "simulate": (
        "looseends simulate --games 200 --bots steady,rookie --seed 1",
        "looseends simulate --games 20 --players 4 --variant plan-b --records games.jsonl",
    ),
    "arena": (
        "looseends arena --line-up sharp,steady --players 4 --deals 20",
        "looseends arena --line-up cmd:./mybot,steady --players 3 --records games.jsonl",
        "looseends arena --quick",
    ),
    "bot": (
        "looseends bot --join 127.0.0.1 --table K7QP2MX0VD --level fox",
        "looseends bot --join 127.0.0.1 --table K7QP2MX0VD --command ./mybot --name mybot",
    ),
    "verify": (
        "looseends verify games.jsonl",
        "looseends games export - | looseends verify -",
    ),
    "doctor": ("looseends doctor",),
    "report": ("looseends report",),
    "completion": (
        "looseends completion bash",
        "looseends completion zsh",
    ),
}
"""Each command that is no group."""


def examples_text(*examples: str) -> str:
    """Return examples as help shows them, a line each."""
    lines = "\n".join(f"    {example}" for example in examples)
    return f"Examples:\n\n{lines}\n"


def epilogue(examples: tuple[str, ...]) -> str:
    """Return what stands below the help of a command that is no group."""
    return f"{examples_text(*examples)}\nWith --debug, any command shows the traceback of an error too.\n"

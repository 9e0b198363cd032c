"""Every command of the line mode with its short form and what it does: parser and help are made of this.

No short form is a letter that begins a card's name: b, r, g, y, x.
"""

from __future__ import annotations

from collections.abc import Sequence

from looseends_client.plain.typed import Command

_EVERYWHERE = (
    Command("repeat", ".", "say again what was said since your last command", also=("again",)),
    Command("cards", "ca", "write cards as letters (R9), words (red 9) or shapes (needs Unicode)", "STYLE"),
    Command("help", "?", "all commands, or one", "[COMMAND]"),
    Command("quit", "q", "end the program; your seat is kept", also=("exit", "bye")),
)
_LOOKING_BACK = (
    Command("games", "ga", "the newest games that are over, yours first; or those of somebody", "[NAME]"),
    Command("game", "gm", "one of them, round by round, by its number", "NUMBER"),
    Command("numbers", "nu", "what somebody's games add up to; yours without a name", "[NAME]", also=("stats",)),
    Command("ladder", "ld", "who is strongest; ladder bots for the bots", "[bots]", also=("leaders",)),
)
_RULES = Command("rules", "ru", "the rules, or one part of them", "[PART]")

_CONTESTS = (
    Command("daily", "da", "the deal of the day, the same for everybody, once a day", also=("day",)),
    Command("contest", "cn", "how the deal of the day went, once you have played it"),
)

HALL = (
    Command("list", "l", "the tables, your own first", also=("tables", "ls")),
    Command("join", "j", "sit down at a table, by its number or its code", "TABLE", also=("sit",)),
    Command("watch", "w", "watch a table", "TABLE"),
    Command(
        "new",
        "n",
        "open a table: players, variants, and what help new tells",
        "[OPTIONS]",
        also=("create", "open"),
    ),
    Command("page", "pg", "another page of the list", "NUMBER"),
    *_LOOKING_BACK,
    *_CONTESTS,
    _RULES,
    *_EVERYWHERE,
)
HOME = (
    Command("list", "l", "your games that are not finished", also=("ls",)),
    Command("go", "j", "go on with a game, by its number", "[NUMBER]", also=("join", "on", "continue")),
    Command("new", "n", "begin a game against bots: players, variants, and what help new tells", "[OPTIONS]"),
    *_LOOKING_BACK,
    *_CONTESTS,
    _RULES,
    *_EVERYWHERE,
)
_AT_ANY_TABLE = (
    Command("table", "t", "how the table stands"),
    Command("say", "'", "say a line to everybody at the table", "TEXT", also=("chat", "tell")),
    Command("people", "pe", "who is at the table, and where they are", also=("who", "seats")),
    Command("mute", "mu", "leave out what a person says", "NAME"),
    Command("unmute", "un", "tell again what a person says", "NAME"),
    Command("log", "lo", "the last lines of what happened", "[NUMBER]", also=("history",)),
    Command("code", "co", "the table's code, for others to come by", also=("invite",)),
    _RULES,
    Command("away", "aw", "go to the lobby; your seat is kept"),
    Command("leave", "lv", "go to the lobby and give your seat up"),
    *_EVERYWHERE,
)
GATHERING = (
    Command("start", "st", "host: start the game"),
    Command("bot", "bo", "host: give an open seat to a bot", "[SEAT] [LEVEL]", also=("bots",)),
    Command("remove", "rm", "host: free a seat", "SEAT", also=("unseat", "kick")),
    *_AT_ANY_TABLE,
)
TABLE = (
    Command("play", "pl", "play, bid or cover a card; its name alone does it too", "CARD", also=("bid", "cover")),
    Command("pass", "p", "pass; with no bid card, snitch", also=("snitch",)),
    Command("double", "d", "double-cross: take your bids back and snitch (asks first)", also=("double-cross", "dc")),
    Command("hand", "h", "your hand"),
    Command("legal", "l", "what you may do now", also=("moves",)),
    Command("why", "w", "whether a card may be played, and what it would do", "CARD"),
    Command("bids", "i", "everybody's bids, and what has become of them"),
    Command("last", "la", "the last trick"),
    Command("hint", "hi", "what a strong bot would do, and why"),
    Command(
        "score", "s", "points of the game; more of a round by its number, now or total", "[ROUND]", also=("scores",)
    ),
    Command("ready", "rd", "go on to the next round, or play again after the last", also=("next", "rematch")),
    Command("contest", "cn", "after the game: how others did with the same cards, where they were dealt elsewhere"),
    *_AT_ANY_TABLE,
)

EVERY_COMMAND = (*HALL, *HOME, *GATHERING, *TABLE)

NEW_TABLE_HELP = (
    "new, then any of these in any order:",
    "2 to 5: how many play.",
    "plan-b, double-cross, getaway: variants.",
    "simplified: the simpler scoring.",
    "rounds NUMBER: rounds of the game.",
    "clock SECONDS: time for each turn; wait: the table waits for who is away.",
    "private: not listed. nowatching: no spectators. password: you are asked for one.",
    "bots LEVEL,LEVEL: bots on the other seats, and the game starts.",
    "pace MILLISECONDS: how long a bot waits before it acts.",
    "tables NUMBER: the same cards are dealt at so many tables, to be compared after.",
    "title TEXT: what the table is called; it comes last.",
)
CARD_HELP = "A card's name plays, bids or covers it: r9, R 9 or red 9; x for a Getaway card; g for your only Green one."


def help_lines(commands: Sequence[Command], about: str, *, cards: bool) -> list[str]:
    """Return a line for each command, or for the one that is asked about."""
    word = about.casefold().strip()
    if word:
        found = [c for c in commands if word in (c.word, c.short, *c.also)]
        if found and found[0].word == "new":
            return list(NEW_TABLE_HELP)
        return [_line(c) for c in found] or [f"There is no command {about[:24]} here. Type help for all of them."]
    lines = [CARD_HELP] if cards else []
    return lines + [_line(command) for command in commands]


def _line(command: Command) -> str:
    takes = f" {command.takes}" if command.takes else ""
    return f"{command.word}{takes}, short {command.short}: {command.does}."

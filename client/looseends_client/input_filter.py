"""What a terminal sends, without what it answers: only what people do reaches the parser behind.

Textual's parser hands a sequence that it does not know on as key presses, one a character: the answer of a terminal to
a question of the program before (or of a screen multiplexer, or of a slow line) would bid, pass or open pages. Here
such answers are taken out. Text in, text out, no clock and no terminal, so that every way into the game can use it.
The grammar is that of ECMA-48 (control sequences, control strings) with what terminals made of it.
"""

from __future__ import annotations

import re

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._keyboard_protocol import FUNCTIONAL_KEYS

ESC = "\x1b"
PASTE_BEGINS = "\x1b[200~"
PASTE_ENDS = "\x1b[201~"

LONGEST_SEQUENCE = 32
"""Characters of a control sequence; Textual's parser understands none that is longer."""
LONGEST_PASTE = 64 * 1024
"""Characters of one paste that are passed on."""
PATIENCE = 20
"""How often in a row `let_go` may find a longer sequence unfinished before it is given up: about two seconds."""
LARGEST_WINDOW = 1000
"""Columns or rows that a report of the window's size may name."""

_STRINGS = "P]X^_"
"""What ESC begins a control string with: DCS, OSC, SOS, PM, APC."""
_BEGINS = f"[O{_STRINGS}"
_TYPED_AFTER_ESC = "X^"
"""Of these, what no terminal begins an answer with and a person may well type soon after Esc."""
_C1 = {0x8F: "O", 0x90: "P", 0x98: "X", 0x9B: "[", 0x9D: "]", 0x9E: "^", 0x9F: "_"}
"""The 8-bit forms of ESC and a letter."""
_MOUSE = re.compile(r"\x1b\[<[0-9]{1,6};-?[0-9]{1,6};-?[0-9]{1,6}[Mm]|\x1b\[[0-9]{1,6}(?:;[0-9]{1,6}){2}M")
_NUMBERS = re.compile(r"\x1b\[[0-9:;]*[u~ABCDEFHPQRS]")
_CURSOR = re.compile(r"\x1b\[[0-9]{1,6};[0-9]{1,6}R")
_MODE = re.compile(r"\x1b\[\?(?:2026|2048);[0-4]\$y")
_WINDOW = re.compile(r"\x1b\[48;([0-9]{1,4}(?::[0-9:]*)?);([0-9]{1,4}(?::[0-9:]*)?);[0-9:]{1,6};[0-9:]{1,6}t")
_NO_CONTROL = re.compile(r"[^\x00-\x1f\x7f]")


def is_of_people(sequence: str) -> bool:
    """Return whether a whole control sequence is a key, a click, a paste or a change of focus or window.

    The other ones that Textual asks for itself are among them: the cursor's place, two modes, the window's size.
    """
    if sequence in ANSI_SEQUENCES_KEYS or sequence in (PASTE_BEGINS, PASTE_ENDS, "\x1b[I", "\x1b[O"):
        return True
    if _CURSOR.fullmatch(sequence) or _MOUSE.fullmatch(sequence) or _MODE.fullmatch(sequence):
        return True
    if window := _WINDOW.fullmatch(sequence):
        return all(1 <= int(part.partition(":")[0]) <= LARGEST_WINDOW for part in window.groups())
    return _is_key(sequence)


def _is_key(sequence: str) -> bool:
    """Return whether a sequence is a key of the kitty protocol or xterm's, with numbers that stand for something."""
    if not _NUMBERS.fullmatch(sequence):
        return False
    numbers, final = sequence[2:-1], sequence[-1]
    if any(not _is_character(int(number)) for number in re.findall("[0-9]+", numbers)):
        return False
    parts = numbers.split(";")
    if len(parts) > 3:
        return False
    if final == "u":
        return parts[0][:1].isdigit()
    first = parts[0] or "1"
    return f"{first}{final}" in FUNCTIONAL_KEYS or (final == "~" and first == "27" and len(parts) == 3)


def _is_character(number: int) -> bool:
    return number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF


class InputFilter:
    """Takes a terminal's answers out of what it sends, whatever pieces that comes in.

    `feed` returns what may be read on. What could still become an answer is held back; `let_go` is to be called when
    nothing has come for as long as a lone Esc is waited for, and again each time as much has gone by, while `holds`.
    """

    def __init__(self) -> None:
        self._held = ""
        """The sequence that is not whole yet."""
        self._out = 0
        """How many characters of it have been let go already."""
        self._string = False
        """Whether a control string is being waited through, however long: nothing of it is kept."""
        self._string_escape = False
        """Whether the string's last character was ESC, so that its end may come next."""
        self._skips = False
        """Whether a sequence that is too long is being waited through."""
        self._mouse = 0
        """Characters still to come of a mouse report of the oldest kind."""
        self._paste: int | None = None
        """How much of a paste has been passed on; None outside of one."""
        self._waits = 0

    @property
    def holds(self) -> bool:
        """Whether `let_go` has something to decide."""
        return self._paste is None and (bool(self._held) or self._string or self._skips)

    def feed(self, text: str) -> str:
        """Return what of the text, and of what was held back before, is to be read on."""
        passed: list[str] = []
        for char in text:
            if self._paste is None and (letter := _C1.get(ord(char))) is not None:
                passed += [self._take(ESC), self._take(letter)]
            else:
                passed.append(self._take(char))
        return "".join(passed)

    def let_go(self) -> str:
        """Return what has been held back for too long: a lone Esc, or Alt and a letter, which people do type."""
        if self._paste is not None:
            return ""  # its end may come however late
        self._waits += 1
        if self._waits > PATIENCE:
            self._forget()
        elif len(self._held) <= 2 and not self._string and not self._skips:
            out, self._out = self._held[self._out :], len(self._held)
            return out
        return ""

    def _take(self, char: str) -> str:
        if self._string:
            return self._in_string(char)
        if self._skips:
            return self._in_skipped(char)
        if self._held:
            return self._in_sequence(char)
        if char == ESC:
            return self._begin()
        if self._paste is not None:
            self._paste += 1
            return char if self._paste <= LONGEST_PASTE else ""
        return "" if "\x80" <= char <= "\x9f" else char

    def _begin(self) -> str:
        self._forget()
        self._held = ESC
        return ""

    def _forget(self) -> None:
        self._held, self._out, self._waits, self._mouse = "", 0, 0, 0
        self._string = self._string_escape = self._skips = False

    def _pass(self, char: str = "") -> str:
        """Let go of what is held, and of a character after it."""
        out = self._held[self._out :] + char
        self._forget()
        return out

    def _in_sequence(self, char: str) -> str:
        if self._paste is not None:
            return self._in_pasted_sequence(char)
        if self._mouse:
            self._held += char
            self._mouse -= 1
            return self._pass() if not self._mouse else ""
        if char == ESC:
            # What was before it is either the key Esc or was cut short.
            out = ESC if self._held == ESC and not self._out else ""
            return out + self._begin()
        if self._held == ESC:
            if char not in _BEGINS or (self._out and char in _TYPED_AFTER_ESC):
                return self._pass(char)
            self._held += char
            return ""
        if not _NO_CONTROL.match(char):
            self._forget()  # a key such as Enter in the middle: the rest of the sequence was lost
            return char
        match self._held[1]:
            case "[":
                return self._in_control(char)
            case "O":
                return self._in_single_shift(char)
            case kind:
                return self._begin_string(kind, char)

    def _in_single_shift(self, char: str) -> str:
        """Go on with a key of the application keypad (SS3), old ones with the modifier as a number."""
        self._held += char
        if char in "0123456789;" and len(self._held) < LONGEST_SEQUENCE and self._out < 2:
            return ""
        if self._out and self._held not in ANSI_SEQUENCES_KEYS:
            return self._pass()
        return self._whole(self._held)

    def _in_control(self, char: str) -> str:
        """Go on with a control sequence (CSI)."""
        self._held += char
        held = self._held
        if held in ANSI_SEQUENCES_KEYS:
            return self._whole(held)
        if held == "\x1b[[":
            return ""  # the Linux console's F1 to F5 have one more letter
        if held == "\x1b[M":
            self._mouse = 3
            return ""
        if "\x20" <= char <= "\x3f":
            if len(held) > LONGEST_SEQUENCE:
                self._forget()
                self._skips = True
            return ""
        if not "\x40" <= char <= "\x7e":
            self._forget()  # cut short: no sequence has a letter beyond ASCII in it
            return char
        return self._whole(held)

    def _whole(self, sequence: str) -> str:
        # Where the letter after ESC was typed by itself, the character that seems to end a key was typed too.
        typed = self._out >= 2
        passed = self._pass()
        if len(sequence) > LONGEST_SEQUENCE or not is_of_people(sequence):
            return ""
        if sequence == PASTE_BEGINS:
            self._paste = 0
        return passed if typed else sequence

    def _begin_string(self, kind: str, char: str) -> str:
        """Go on with what may be a control string; one whose Esc was let go has to look like an answer."""
        if self._out and not _looks_like_answer(kind, char):
            return self._pass(char)
        self._forget()
        self._string = True
        return self._in_string(char)

    def _in_string(self, char: str) -> str:
        if self._string_escape:
            if char == "\\":
                self._forget()
                return ""
            # An ESC that is not the end cuts the string short and begins something else.
            return self._begin() + self._take(char)
        if char == ESC:
            self._string_escape = True
            return ""
        if char in "\x07\x9c":
            self._forget()
            return ""
        if not _NO_CONTROL.match(char):
            self._forget()
            return "" if char in "\x18\x1a" else char
        return ""

    def _in_skipped(self, char: str) -> str:
        if char == ESC:
            return self._begin()
        if not _NO_CONTROL.match(char):
            self._forget()
            return char
        if "\x40" <= char <= "\x7e":
            self._forget()
        return ""

    def _in_pasted_sequence(self, char: str) -> str:
        """Look for the end of a paste. Any other ESC in it is left out: a paste is text."""
        held = self._held + char
        if held == PASTE_ENDS:
            self._paste = None
            self._forget()
            return PASTE_ENDS
        if PASTE_ENDS.startswith(held):
            self._held = held
            return ""
        self._forget()
        return "".join(map(self._take, held[1:]))


def _looks_like_answer(kind: str, char: str) -> bool:
    if kind == "]":
        return char.isdigit() or char in "lL"
    return "\x20" <= char <= "\x3f" or kind == "_"

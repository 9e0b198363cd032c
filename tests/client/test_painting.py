"""Whatever is painted after whatever: the terminal shows the new picture, and no more was written than it took."""

from __future__ import annotations

import pyte
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from looseends_client.painting import PLAIN, Look, Picture, change_of_look, look_of

WIDTH, HEIGHT = 14, 3

styles = st.sampled_from(
    [
        None,
        *(
            Style.parse(text)
            for text in ("red", "bold", "#10ff20 on #203040", "reverse", "underline", "on blue", "bold italic #f0f0f0")
        ),
    ]
)
segments = st.tuples(st.text("ab  ─漢♥é", max_size=6), styles).map(lambda made: Segment(*made))


@st.composite
def rows(draw: st.DrawFn) -> list[Segment]:
    """A whole row: segments, and blanks up to the width."""
    row: list[Segment] = []
    used = 0
    for segment in draw(st.lists(segments, max_size=5)):
        if used + cell_len(segment.text) <= WIDTH:
            row.append(segment)
            used += cell_len(segment.text)
    return [*row, Segment(" " * (WIDTH - used), draw(styles))]


pictures = st.lists(rows(), min_size=HEIGHT, max_size=HEIGHT)


class Emulator:
    """A terminal that a picture is written to."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(WIDTH, HEIGHT)
        self._stream = pyte.Stream(self.screen)

    def write(self, sequence: str) -> None:
        self._stream.feed(sequence)

    @property
    def cells(self) -> list[object]:
        """What can be seen in each cell: on a blank one no colour of letters."""
        found: list[object] = []
        for y in range(HEIGHT):
            for x in range(WIDTH):
                cell = self.screen.buffer[y][x]
                drawn = cell.data not in (" ", "") or cell.reverse or cell.underscore
                found.append((cell.data, cell.bg, cell.reverse, cell.underscore, drawn and cell[1:]))
        return found


def written(picture: Picture, wanted: list[list[Segment]]) -> str:
    return picture.paint([(0, y, row) for y, row in enumerate(wanted)], WIDTH, HEIGHT)


@given(st.lists(pictures, min_size=2, max_size=4))
def test_a_terminal_that_showed_one_picture_after_another_shows_the_last(shown: list[list[list[Segment]]]) -> None:
    terminal, picture = Emulator(), Picture()
    for wanted in shown:
        terminal.write(written(picture, wanted))
        anew = Emulator()
        anew.write(written(Picture(), wanted))
        assert terminal.cells == anew.cells


@given(pictures)
def test_what_stands_there_already_is_not_written(wanted: list[list[Segment]]) -> None:
    picture = Picture()
    assert written(picture, wanted)
    assert written(picture, wanted) == ""


@given(pictures, rows(), st.integers(0, HEIGHT - 1))
def test_a_row_that_changes_writes_that_row_alone(wanted: list[list[Segment]], row: list[Segment], y: int) -> None:
    picture = Picture()
    written(picture, wanted)
    sequence = picture.paint([(0, y, row)], WIDTH, HEIGHT)
    assert sequence.count("H") in (0, 1)
    assert not sequence or sequence.startswith(f"\x1b[{y + 1};")


@given(
    pictures, st.lists(st.tuples(st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1), segments), max_size=4), pictures
)
def test_pieces_anywhere_between_two_pictures_leave_the_second_whole(
    first: list[list[Segment]], pieces: list[tuple[int, int, Segment]], second: list[list[Segment]]
) -> None:
    terminal, picture, anew = Emulator(), Picture(), Emulator()
    terminal.write(written(picture, first))
    for x, y, segment in pieces:
        if x + cell_len(segment.text) <= WIDTH:
            terminal.write(picture.paint([(x, y, [segment])], WIDTH, HEIGHT))
    terminal.write(written(picture, second))
    anew.write(written(Picture(), second))
    assert terminal.cells == anew.cells


def test_a_picture_that_was_forgotten_is_written_whole_and_so_is_one_of_another_size() -> None:
    picture = Picture()
    wanted = [[Segment("abcdefgh      ")]] * HEIGHT
    first = written(picture, wanted)
    picture.forget()
    assert written(picture, wanted) == first
    assert picture.paint([(0, 0, [Segment("ab")])], WIDTH, HEIGHT + 1) == "\x1b[1;1Hab"


def test_one_cell_costs_a_move_and_itself() -> None:
    picture = Picture()
    picture.paint([(0, 0, [Segment("12s  left")])], WIDTH, HEIGHT)
    assert picture.paint([(0, 0, [Segment("11s  left")])], WIDTH, HEIGHT) == "\x1b[1;2H1"


def test_what_is_out_of_the_window_is_left_out() -> None:
    picture = Picture()
    assert picture.paint([(0, HEIGHT, [Segment("a")]), (WIDTH, 0, [Segment("a")])], WIDTH, HEIGHT) == ""
    assert picture.paint([(WIDTH - 1, 0, [Segment("abc")])], WIDTH, HEIGHT) == f"\x1b[1;{WIDTH}Ha"


def test_a_sign_that_takes_no_cell_stays_with_its_letter_and_a_control_is_no_text() -> None:
    picture = Picture()
    assert picture.paint([(0, 0, [Segment("e\u0301漢\u0301a"), Segment("x", None, [(1,)])])], WIDTH, HEIGHT) == (  # type: ignore[list-item]
        "\x1b[1;1He\u0301漢\u0301a"
    )


def test_a_look_is_changed_by_what_differs_and_begun_anew_where_something_ends() -> None:
    red, bold_red = Look((), "31"), Look(("1",), "31")
    assert change_of_look(red, red) == ""
    assert change_of_look(PLAIN, bold_red) == "\x1b[1;31m"
    assert change_of_look(red, bold_red) == "\x1b[1m"
    assert change_of_look(bold_red, red) == "\x1b[0;31m"
    assert change_of_look(Look((), "31", "48;2;1;2;3"), Look((), "", "48;2;1;2;3")) == "\x1b[39m"
    assert change_of_look(red, PLAIN) == "\x1b[0m"


def test_a_colour_is_sent_as_the_terminal_knows_it() -> None:
    style = Style.parse("#ff0000 on #000000")
    assert look_of(style, ColorSystem.TRUECOLOR).foreground == "38;2;255;0;0"
    assert look_of(style, ColorSystem.EIGHT_BIT).foreground == "38;5;196"
    assert look_of(style, ColorSystem.STANDARD).foreground == "31"

"""The review of a game: how far it has come, what the decisions came to, the three that cost most, and the score by
trick. What a bot thinks is the server's; what that means in words is `history.review_words`'.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from looseends_client.cards_text import Faces
from looseends_client.drawing.looking_back import bar_row, picture_rows
from looseends_client.drawing.rows import Row, Span, filled, sentence_row, wrapped
from looseends_client.history.review_words import costly_words, mean_words, progress_words, where_words
from looseends_client.history.reviews import Review
from looseends_client.history.score_by_trick import courses_of
from looseends_client.screens.page import Page
from looseends_client.screens.replay import ReviewWanted
from looseends_client.widgets.lines import Lines


class ReviewRows(Lines):
    """The whole page between title and keys."""

    DEFAULT_CSS = "ReviewRows { height: 1fr; }"

    def __init__(self, review: Review, faces: Faces) -> None:
        super().__init__(id="review")
        self.review = review
        self.faces = faces
        self.chosen = 0
        replay = review.replay
        self._courses = courses_of(replay)
        self._names = replay.model(0, replay.seat).names

    def rows(self, width: int, height: int) -> list[Row]:
        """Return the page; the picture goes first where there is little room."""
        faces, review = self.faces, self.review
        said = progress_words(review)
        rows: list[Row] = [[Span(f" {said}", "bad" if review.refused else "dim")]]
        if not review.refused and not review.over:
            rows.append(bar_row(review.done, review.total, faces, width))
        means = mean_words(review, faces)
        rows += [[Span(" "), *row] for row in wrapped([Span(means, "strong")], width - 2, faces)] if means else []
        rows.append([])
        rows += self._costliest(width)
        picture = picture_rows(self._courses, self._names, faces, width)
        if picture and len(rows) + len(picture) + 2 <= height:
            rows += [[], [Span(" What each round was worth, trick by trick", "heading")], *picture]
        blank = filled([], width, faces)
        return ([filled(row, width, faces) for row in rows] + [blank] * height)[:height]

    def _costliest(self, width: int) -> list[Row]:
        faces, review = self.faces, self.review
        costly = review.costliest()
        if not costly:
            told = f"{'So far nothing' if not review.over else 'Nothing'} that would have been worth more."
            return [[Span(f" {told}", "dim")]] if review.decisions else []
        rows: list[Row] = [[Span(" What cost most" if review.over else " What cost most so far", "heading")]]
        self.chosen = max(0, min(self.chosen, len(costly) - 1))
        for number, decision in enumerate(costly):
            stop = review.replay.stops[review.replay.at_number(decision.number)]
            chosen = number == self.chosen
            words = (f"{where_words(stop)}: ", *costly_words(decision))
            mark = Span(f" {faces.turn if chosen else ' '} ", "turn")
            first, *more = wrapped(sentence_row(words, faces, "strong" if chosen else ""), width - 4, faces)
            rows += [[mark, *first], *([Span("   "), *row] for row in more)]
        return rows


class ReviewScreen(Page[int | None]):
    """The review. Dismissed with the state number of the decision to look at, None to go back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab", "choose(1)", "the next decision", show=False),
        Binding("up,shift+tab", "choose(-1)", "the decision before", show=False),
        Binding("enter", "look", "look at it on the table", show=False),
        Binding("f", "again", "begin it again, where it could not go on", show=False),
        Binding("q,escape", "leave", "back", show=False),
    ]
    heading = "No Loose Ends    review"
    keys = "↑↓ Enter look at it on the table   q back"

    def __init__(self, review: Review, faces: Faces) -> None:
        super().__init__()
        self.review = review
        self._rows = ReviewRows(review, faces)

    def middle(self) -> ComposeResult:
        """Yield the page."""
        yield self._rows

    def review_changed(self) -> None:
        """Show what has come meanwhile; the decision that was chosen stays so."""
        self._rows.redraw()

    def action_choose(self, step: int) -> None:
        """Choose another decision."""
        costly = self.review.costliest()
        if costly:
            self._rows.chosen = (self._rows.chosen + step) % len(costly)
            self._rows.redraw()

    def action_look(self) -> None:
        """Look at the chosen decision."""
        costly = self.review.costliest()
        if costly:
            self.dismiss(costly[max(0, min(self._rows.chosen, len(costly) - 1))].number)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say that a review which goes on is not begun again."""
        return bool(self.review.refused) if action == "again" else super().check_action(action, parameters)

    def action_again(self) -> None:
        """Ask for the review anew, in the place of this one."""
        self.app.post_message(ReviewWanted(self.review.replay))
        self.dismiss(None)

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)

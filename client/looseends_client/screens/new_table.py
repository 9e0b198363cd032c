"""A form for a new table, or a new game against bots: every option with its value, changed with the arrows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from looseends_client.cards_text import Faces
from looseends_client.screens.form_page import FormPage
from looseends_client.screens.page import Ask
from looseends_client.settings import DEFAULT_BOTS
from looseends_client.table_form import options_of_a_table, wish_of
from looseends_client.visits import TableWish
from looseends_core.rules import RulesError
from looseends_protocol.limits import PASSWORD_LENGTH


class NewTable(FormPage[TableWish | None]):
    """The form. Enter gives what is wished for, q nothing."""

    def __init__(
        self, faces: Faces, levels: tuple[tuple[str, str], ...], *, alone: bool, usual: Sequence[str] = DEFAULT_BOTS
    ) -> None:
        """`usual` is the line-up that is offered first to somebody who is alone, as far as the server has it."""
        super().__init__(options_of_a_table(levels, usual, alone=alone), faces)
        self._alone = alone
        self.heading = "No Loose Ends    a game against bots" if alone else "No Loose Ends    a new table"
        self.keys = "↑↓ option   ← → change   Enter go   q back"

    def wish(self) -> TableWish:
        """Return what the form says. Raises RulesError where the rules do not fit together."""
        return wish_of(self.form.options, alone=self._alone)

    def action_done(self) -> None:
        """Give what is wished for, once its password is typed where it has one."""
        try:
            wish = self.wish()
        except RulesError as error:
            self.show_answer(str(error))
            return
        if not any(option.name == "password" and option.value for option in self.form.options):
            self.dismiss(wish)
            return

        def typed(password: str | None) -> None:
            if password:
                self.dismiss(msgspec.structs.replace(wish, password=password))

        self.app.push_screen(Ask("The password of your new table", max_length=PASSWORD_LENGTH, secret=True), typed)

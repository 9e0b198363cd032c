"""Points as lines: how the game stands, what the running round is worth, and where each number comes from.

The sentences about a number are those of the score sheet; which of them are told is decided here.
"""

from __future__ import annotations

from looseends_client.bid_marks import points_if_over_now
from looseends_client.cards_text import points_text
from looseends_client.plain.wording import Wording, finished
from looseends_client.score_words import REASONS, RoundAccount, ScoreWords, account_of
from looseends_client.table_model import TableModel
from looseends_core.state import Phase

NOW = "now"
TOTAL = "total"


def score_line(model: TableModel) -> str:
    """Return everybody's points in the game."""
    scores = model.state.scores
    return f"Score: {', '.join(f'{name}: {score}' for name, score in zip(model.names, scores, strict=True))}."


def score_lines(model: TableModel, wording: Wording, about: str = "") -> list[str]:
    """Return how the game stands, and how the points of each round that is over add up.

    `about` asks for more: the number of a round or `now` for where each point of it comes from, `total` for how
    everybody's score adds up.
    """
    words = ScoreWords(model.rules.table, model.names, wording.faces)
    seats = range(model.state.players)
    if about == TOTAL:
        return [wording.sentence(words.on_total(model.accounts, seat).sentence) for seat in seats]
    if about:
        account = _account(model, about)
        return [_nothing(model)] if account is None else _details(words, wording, account)
    lines = [score_line(model)]
    if _runs(model):
        points = [points_text(points, wording.faces) for points in points_if_over_now(model.state)]
        now = [f"{name} {worth}" for name, worth in zip(model.names, points, strict=True)]
        lines.append(f"If the round ended now: {', '.join(now)}.")
    for account in model.accounts:
        lines += [wording.sentence(words.on_round(account, seat).sentence) for seat in seats]
        proof = model.proofs.get(account.round)
        if proof is not None:
            lines.append(wording.text(finished(f"Round {account.round}: {proof.words}")))
    return lines


def _runs(model: TableModel) -> bool:
    return model.state.phase not in (Phase.DEALING, Phase.OVER)


def _account(model: TableModel, about: str) -> RoundAccount | None:
    if about == NOW:
        return account_of(model.state) if _runs(model) else None
    return next((account for account in model.accounts if str(account.round) == about), None)


def _nothing(model: TableModel) -> str:
    rounds = [str(account.round) for account in model.accounts]
    known = [*rounds, *([NOW] if _runs(model) else []), TOTAL]
    return f"Type score and one of {', '.join(known)}."


def _details(words: ScoreWords, wording: Wording, account: RoundAccount) -> list[str]:
    lines: list[str] = []
    for seat in range(len(account.seats)):
        reasons = [words.on_reason(account, seat, reason) for reason in REASONS]
        lines += [wording.sentence(told.sentence) for told in reasons if told.points]
        lines.append(wording.sentence(words.on_round(account, seat).sentence))
    return lines

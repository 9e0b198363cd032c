"""Whether a deal was the promised one: proven, or told in words which part of the proof does not hold."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looseends_client.deal_proof import FIXED, RoundSeen, check_deal
from looseends_core.cards import card_set
from looseends_core.rules import RuleSet, rule_set
from looseends_core.shuffle import ZERO_NONCE, Fairness, commitment_of, shuffled_deal

RULES = rule_set(3, ["getaway"])
SECRET = bytes(range(32))
NONCES = (b"a" * 16, b"b" * 16, bytes(16))
DEAL = shuffled_deal(RULES, 2, Fairness(SECRET, NONCES))
HANDS = [card_set(hand) for hand in DEAL.hands]


def seen(
    *,
    commitment: bytes | None = commitment_of(SECRET),
    nonce: bytes | None = NONCES[0],
    hand: int | None = HANDS[0],
    first: int = DEAL.first,
    shown: tuple[int, ...] = (0, 0, 0),
) -> RoundSeen:
    """Return what seat 0 saw of the round where all is well, but for what is said otherwise."""
    return RoundSeen(2, first=first, commitment=commitment, nonce=nonce, hand=hand, shown=list(shown), dealt=True)


def words(
    what: RoundSeen,
    *,
    published: bytes = commitment_of(SECRET),
    secret: bytes = SECRET,
    nonces: tuple[bytes, ...] = NONCES,
    seat: int | None = 0,
) -> tuple[bool, str]:
    verdict = check_deal(RULES, what, published, secret, nonces, seat)
    assert (verdict.round, verdict.commitment) == (2, published)
    return verdict.proven, verdict.words


def test_a_deal_that_is_as_promised_is_proven() -> None:
    first_cards = tuple(hand & -hand for hand in HANDS)
    assert words(seen(shown=first_cards)) == (True, "deal proven, nonces 3 of 3")


def test_what_the_proof_rests_on_is_said_where_it_is_less() -> None:
    assert words(seen(commitment=None)) == (
        True,
        "deal proven, nonces 3 of 3; you came after the deal, so the promise before it is the server's word",
    )
    assert words(seen(nonce=None)) == (True, "deal proven, nonces 3 of 3"), "given before this client came back"
    zero = (bytes(16), *NONCES[1:])
    deal = shuffled_deal(RULES, 2, Fairness(SECRET, zero))
    theirs = seen(nonce=None, hand=card_set(deal.hands[0]), first=deal.first)
    assert words(theirs, nonces=zero) == (True, "deal proven, nonces 3 of 3; you gave no nonce")
    spectator = seen(hand=None, nonce=None)
    assert words(spectator, seat=None) == (True, "deal proven, nonces 3 of 3")


OTHER = bytes(31) + b"x"


@pytest.mark.parametrize(
    ("what", "proof", "fault"),
    [
        (seen(commitment=commitment_of(OTHER)), {}, "the secret is not the one that was promised before the deal"),
        (seen(), {"secret": OTHER}, "the secret is not the one that was promised before the deal"),
        (
            seen(commitment=None),
            {"published": commitment_of(OTHER)},
            "the secret does not match its commitment",
        ),
        (seen(nonce=b"z" * 16), {}, "the nonce that you gave is not among those used"),
        (seen(), {"nonces": (NONCES[1], NONCES[0], NONCES[2])}, "the nonce that you gave is not among those used"),
        (seen(first=(DEAL.first + 1) % 3), {}, "another player should have begun"),
        (seen(hand=HANDS[1]), {}, "the hand that you were dealt is another"),
        (seen(shown=(0, HANDS[2] & -HANDS[2], 0)), {}, "seat 2 played cards that were not dealt to it"),
        (seen(), {"nonces": NONCES[:2]}, "the server published no complete proof"),
        (seen(), {"nonces": (*NONCES[:2], b"short")}, "the server published no complete proof"),
        (seen(), {"secret": b""}, "the server published no complete proof"),
    ],
    ids=lambda given: given if isinstance(given, str) else None,
)
def test_every_mismatch_is_told_in_words(what: RoundSeen, proof: dict[str, bytes], fault: str) -> None:
    assert words(what, **proof) == (False, f"deal not proven: {fault}")  # type: ignore[arg-type]


@given(
    st.binary(max_size=40),
    st.lists(st.binary(max_size=20), max_size=6).map(tuple),
    st.binary(max_size=40),
    st.sampled_from([None, 0, 1, 2]),
)
def test_whatever_a_server_publishes_there_is_a_verdict(
    secret: bytes, nonces: tuple[bytes, ...], published: bytes, seat: int | None
) -> None:
    verdict = check_deal(RULES, seen(), published, secret, nonces, seat)
    assert not verdict.proven
    assert verdict.words.startswith("deal not proven: ")


@given(st.integers(2, 5), st.integers(1, 20), st.integers(0, 2**32), st.sampled_from(["random", "rotate"]))
def test_every_honest_deal_is_proven_to_every_seat(players: int, number: int, seed: int, first: str) -> None:
    rules: RuleSet = rule_set(players, first_player=first, rounds=20)
    rng = random.Random(seed)
    fairness = Fairness(rng.randbytes(32), tuple(rng.randbytes(16) for _ in range(players)))
    previous = rng.randrange(players)
    deal = shuffled_deal(rules, number, fairness, previous)
    for seat in (None, *range(players)):
        what = RoundSeen(
            number,
            first=deal.first,
            previous_first=previous,
            commitment=commitment_of(fairness.secret),
            nonce=None if seat is None else fairness.nonces[seat],
            hand=None if seat is None else card_set(deal.hands[seat]),
            shown=[card_set(hand) for hand in deal.hands],
            dealt=True,
        )
        verdict = check_deal(rules, what, commitment_of(fairness.secret), fairness.secret, fairness.nonces, seat)
        assert verdict.proven, verdict.words


@pytest.mark.parametrize(
    ("secret", "nonces", "said"),
    [
        (SECRET, (ZERO_NONCE,) * 3, FIXED),
        (SECRET, NONCES, "deal not proven: nonces were used, though nobody was asked for one"),
        (bytes(32), (ZERO_NONCE,) * 3, "deal not proven: the secret is not the one that was promised before the deal"),
    ],
)
def test_a_fixed_deal_has_no_nonces_and_is_held_to_its_commitment(
    secret: bytes, nonces: tuple[bytes, ...], said: str
) -> None:
    deal = shuffled_deal(RULES, 2, Fairness(secret, nonces))
    was = seen(nonce=None, hand=card_set(deal.hands[0]), first=deal.first)
    verdict = check_deal(RULES, was, b"", secret, nonces, 0, fixed=True)
    assert (verdict.words, verdict.proven) == (said, said == FIXED)

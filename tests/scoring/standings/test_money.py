from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.standings.pot import Payout, Pot, Share, pay_out, percent_prizes, percentage, settle_pot, share_equally
from scoring.standings.tiebreaks import GameRecord, Record
from tests.scoring.standings.cast import ACES, BOOKS, CROWNS, NAMES, record


def test_odd_cents_go_to_the_lowest_team_number() -> None:
    assert share_equally(200, (CROWNS, ACES, BOOKS)) == (Share(ACES, 68), Share(BOOKS, 66), Share(CROWNS, 66))


@pytest.mark.parametrize(("cents", "teams"), [(-1, (ACES,)), (100, ())])
def test_share_of_a_debt_or_with_nobody_is_refused(cents: int, teams: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shared by at least one"):
        share_equally(cents, teams)


def test_pot_without_any_team_is_kept() -> None:
    pot = settle_pot([record(ACES, 5, bostons=1)], (), 0, rounds_closed=6, rounds=6)
    assert pot == Pot(0, False, "", (), (), 0, "Nobody is in the Boston pot.")


def test_pot_before_any_boston_has_no_leader() -> None:
    pot = settle_pot([record(ACES, 5)], {ACES}, 1000, rounds_closed=1, rounds=6, currency="$")
    text = "No Boston yet. The pot of $10 goes to the most Bostons in games 1–4 (rule 12)."
    assert pot == Pot(1000, False, "", (), (), 1000, text)


def test_pot_between_game_4_and_game_6_names_the_best_record_so_far() -> None:
    pot = settle_pot([record(ACES, 5), record(BOOKS, 2)], {ACES, BOOKS}, 1000, rounds_closed=5, rounds=6, names=NAMES)
    text = (
        "No Boston in games 1–4: the best record after game 6 decides (rule 12): Aces with 1 game won. "
        "So far: the pot of 10 is given out when every table has signed game 6."
    )
    assert pot == Pot(1000, False, "best-record", (ACES,), (), 1000, text)


def test_pot_of_a_window_of_one_game() -> None:
    records = [record(ACES, 5, bostons=1), record(BOOKS, 5)]
    pot = settle_pot(records, {ACES}, 1000, rounds_closed=1, rounds=6, boston_window=1, names=NAMES)
    assert pot.text == "Most Bostons in game 1 (rule 12): Aces with 1. Winner of the pot of 10: Aces."


def test_pot_of_two_leaders_says_how_many_bostons_each_has() -> None:
    records = [record(ACES, 5, bostons=1), record(BOOKS, 5, bostons=1)]
    pot = settle_pot(records, {ACES, BOOKS}, 1000, rounds_closed=1, rounds=6, names=NAMES)
    assert pot.text.startswith("Most Bostons in games 1–4 (rule 12): Aces and Books with 1 each.")


def test_pot_is_settled_after_the_last_game_and_stays_so() -> None:
    records = [record(ACES, 5), record(BOOKS, 2)]
    settled = [settle_pot(records, {ACES}, 1000, rounds_closed=closed, rounds=6).settled for closed in (5, 6, 7)]
    assert settled == [False, True, True]


LEDGERS = 5 * settings().max_examples
games = st.builds(
    GameRecord, round=st.integers(1, 6), opponents=st.just(()), won=st.booleans(), points=st.integers(-6, 12),
    bostons=st.integers(0, 1), stage=st.sampled_from(["qualifying", "playoff"]),
)  # fmt: skip


@settings(max_examples=LEDGERS)
@given(
    st.lists(st.lists(games, max_size=6).map(tuple), max_size=9),
    st.sets(st.integers(1, 9)),
    st.integers(0, 100_000),
    st.integers(0, 6),
    st.none() | st.integers(1, 6),
    st.sampled_from(["games-won", "points"]),
    st.sampled_from(["opt-in", "every-team"]),
)
def test_pot_adds_up_to_the_cent(
    teams: list[tuple[GameRecord, ...]],
    entered: set[int],
    cents: int,
    closed: int,
    window: int | None,
    best_record: str,
    pot_entry: str,
) -> None:
    records = [Record(number, played) for number, played in enumerate(teams, start=1)]
    pot = settle_pot(
        records, entered, cents, rounds_closed=closed, rounds=6,
        boston_window=window, best_record=best_record, pot_entry=pot_entry,
    )  # fmt: skip
    assert sum(share.cents for share in pot.shares) + pot.kept == cents
    assert tuple(share.team for share in pot.shares) == (pot.leaders if pot.settled else ())
    assert pot_entry == "every-team" or set(pot.leaders) <= entered
    assert pot.text


def test_percentages_round_down_and_first_place_takes_the_rest() -> None:
    assert percent_prizes(10_001, (50, 30, 20)) == (5001, 3000, 2000)
    assert percent_prizes(1000, (Fraction(100, 3),) * 3) == (334, 333, 333)
    assert percent_prizes(1000, ()) == ()


@pytest.mark.parametrize(("cents", "percentages"), [(-1, (50,)), (100, (-1, 50)), (100, (60, 41))])
def test_impossible_percentages_are_refused(cents: int, percentages: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="percentages"):
        percent_prizes(cents, percentages)


def test_prizes_of_a_shared_place_are_divided() -> None:
    paid = pay_out(((CROWNS,), (ACES, BOOKS)), (500, 301, 100, 50), NAMES, "$")
    text = (
        "Aces and Books share the prizes of 2nd to 3rd, $4.01 together: $2 each. "
        "The odd cent goes to Aces, the lowest number ($2.01)."
    )
    assert paid == Payout((Share(CROWNS, 500), Share(ACES, 201), Share(BOOKS, 200)), 50, (text,))


def test_places_without_a_prize_get_nothing() -> None:
    assert pay_out(((ACES,), (BOOKS, CROWNS)), (500,)) == Payout((Share(ACES, 500),), 0, ())


@pytest.mark.parametrize(("finish", "prizes"), [(((ACES,), (ACES,)), (1,)), (((ACES,),), (-1,))])
def test_impossible_payouts_are_refused(finish: tuple[tuple[int, ...], ...], prizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="finishes once"):
        pay_out(finish, prizes)


@settings(max_examples=LEDGERS)
@given(
    st.lists(st.integers(1, 4), max_size=6),
    st.lists(st.integers(0, 5000), max_size=12),
)
def test_payout_adds_up_to_the_cent(sizes: list[int], prizes: list[int]) -> None:
    numbers = iter(range(1, 100))
    finish = [tuple(next(numbers) for _ in range(size)) for size in sizes]
    paid = pay_out(finish, prizes)
    assert sum(share.cents for share in paid.shares) + paid.unpaid == sum(prizes)
    assert min((share.cents for share in paid.shares), default=0) >= 0


@settings(max_examples=LEDGERS)
@given(st.integers(0, 10_000_000), st.lists(st.integers(0, 100), max_size=6))
def test_percentages_of_all_add_up_to_the_cent(cents: int, cuts: list[int]) -> None:
    ends = sorted([0, *cuts, 100])
    percentages = [end - begin for begin, end in pairwise(ends)]
    paid = percent_prizes(cents, percentages)
    assert sum(paid) == cents
    assert all(
        0 <= prize - cents * share // 100 < len(percentages) for prize, share in zip(paid, percentages, strict=True)
    )


@pytest.mark.parametrize(
    ("text", "share"), [("50", "50"), ("0", "0"), ("12.5", "25/2"), ("33.3333", "333333/10000"), ("1/3", "1/3")]
)
def test_percentage_is_read_as_it_is_written(text: str, share: str) -> None:
    assert percentage(text) == Fraction(share)


@pytest.mark.parametrize(
    "text", ["", "x", "-1", "100.5", "1/0", "1e3", "1e-99999", "1e3000000", "12.345678", "٥٠", "1.2.3"]
)
def test_percentage_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a percentage is a number from 0 to 100"):
        percentage(text)

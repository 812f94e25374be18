import itertools
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.ledger import counted, listed, number
from scoring.standings.pot import Payout, Pot, Share, pay_out, percent_prizes, percentage, settle_pot, share_equally
from scoring.standings.ranking import Chance, Cut, Place, Tie, can_still, cut, rank
from scoring.standings.tiebreaks import (
    BY_KEY,
    Competitors,
    Decision,
    GameRecord,
    Ordering,
    Record,
    amount,
    by_number,
    ordinal,
    team_name,
)
from tests.scoring.standings.cast import ACES, BOOKS, CROWNS, DEUCES, NAMES, SHEET_ORDER, record

LEVEL = [record(ACES, 5, 2), record(BOOKS, 2, 5), record(CROWNS, 5, 2)]


def labels(places: tuple[Place, ...]) -> list[str]:
    return [f"{place.label} {NAMES[place.team]}" for place in places]


def sentences(places: tuple[Place, ...]) -> list[str]:
    return [tie.text for place in places for tie in place.ties if tie.above == place.team]


def test_no_records_rank_to_nothing() -> None:
    assert rank([], SHEET_ORDER) == ()


def test_unknown_key_is_refused() -> None:
    with pytest.raises(ValueError, match="beauty orders no standings"):
        rank([record(ACES)], ("games-won", "beauty", "grace"))


def test_tie_carries_key_and_both_values_to_both_neighbors() -> None:
    first, second = rank([record(ACES, 5), record(BOOKS, 7)], SHEET_ORDER, names=NAMES)
    text = "Books and Aces both won 1 game; Books: 7 points to 5."
    tie = Tie(BOOKS, ACES, "points", (7, 5), "", False, text)
    assert (first.ties, second.ties) == ((tie,), (tie,))


def test_negative_points_are_written_with_a_minus() -> None:
    places = rank([record(ACES, -3), record(BOOKS, -1)], SHEET_ORDER, names=NAMES)
    assert sentences(places) == ["Books and Aces both won 0 games; Books: −1 point to −3."]


def test_teams_level_in_everything_share_the_place() -> None:
    places = rank([*LEVEL, record(DEUCES, 0, 0)], SHEET_ORDER, names=NAMES)
    assert labels(places) == ["1= Aces", "1= Books", "1= Crowns", "4 Deuces"]
    assert [tie.awaits for place in places for tie in place.ties] == ["playoff"] * 4


def test_teams_with_as_many_points_share_the_place_however_many_they_are() -> None:
    places = rank([record(ACES, 150, 150), record(BOOKS, 200, 100)], SHEET_ORDER, names=NAMES)
    assert labels(places) == ["1= Aces", "1= Books"]


def test_playoff_that_a_level_team_missed_decides_nothing() -> None:
    places = rank(LEVEL, SHEET_ORDER, Competitors(LEVEL, playoffs=[(BOOKS, ACES)]), NAMES)
    assert labels(places) == ["1= Aces", "1= Books", "1= Crowns"]


def test_latest_playoff_counts() -> None:
    playoffs = [(ACES, BOOKS, CROWNS), (CROWNS, ACES, BOOKS)]
    places = rank(LEVEL, SHEET_ORDER, Competitors(LEVEL, playoffs=playoffs), NAMES)
    assert labels(places) == ["1 Crowns", "2 Aces", "3 Books"]
    assert sentences(places)[1] == (
        "Aces and Books both won 1 game and have 7 points; Aces came 2nd in the playoff, Books came 3rd."
    )


def test_teams_level_in_the_playoff_stay_level() -> None:
    places = rank(LEVEL, SHEET_ORDER, Competitors(LEVEL, playoffs=[(BOOKS, (ACES, CROWNS))]), NAMES)
    assert labels(places) == ["1 Books", "2= Aces", "2= Crowns"]
    assert sentences(places)[1] == (
        "Aces and Crowns both won 1 game, have 7 points and tied in the playoff; "
        "still tied: the sheet has no further tie-break, so they share the place."
    )


def test_teams_level_in_the_playoff_play_another() -> None:
    playoffs: list[Ordering] = [(CROWNS, ACES), (BOOKS, (ACES, CROWNS))]
    places = rank(LEVEL, SHEET_ORDER, Competitors(LEVEL, playoffs=playoffs), NAMES)
    assert labels(places) == ["1 Books", "2= Aces", "2= Crowns"], "the latest playoff of both is the one they drew"
    places = rank(LEVEL, SHEET_ORDER, Competitors(LEVEL, playoffs=list(reversed(playoffs))), NAMES)
    assert labels(places) == ["1 Books", "2 Crowns", "3 Aces"]


def test_level_twice_in_a_row_is_said_once() -> None:
    four = [*LEVEL, record(DEUCES, 5, 2)]
    lots = Decision((ACES, (BOOKS, CROWNS), DEUCES), "lots")
    places = rank(four, SHEET_ORDER, Competitors(four, playoffs=[(ACES, (BOOKS, CROWNS, DEUCES)), lots]), NAMES)
    assert labels(places) == ["1 Aces", "2= Books", "2= Crowns", "4 Deuces"]
    assert sentences(places)[1].count("drew lot 2") == 1


def test_lots_instead_of_a_playoff_are_named_as_lots() -> None:
    places = rank(LEVEL, SHEET_ORDER, Competitors(LEVEL, playoffs=[Decision((CROWNS, BOOKS, ACES), "lots")]), NAMES)
    assert sentences(places)[0] == "Crowns and Books both won 1 game and have 7 points; Crowns drew lot 1, Books lot 2."


def test_head_to_head_instead_of_a_playoff_needs_all_to_have_met() -> None:
    chosen = [Decision((ACES, BOOKS), "head-to-head")]
    met = [Record(ACES, (GameRecord(1, (BOOKS,), False, 3),)), Record(BOOKS, (GameRecord(1, (ACES,), True, 3),))]
    apart = [Record(ACES, (GameRecord(1, (CROWNS,), True, 5),)), Record(BOOKS, (GameRecord(1, (DEUCES,), True, 5),))]
    assert labels(rank(met, ("points", "playoff"), Competitors(met, playoffs=chosen), NAMES)) == ["1 Books", "2 Aces"]
    assert labels(rank(apart, ("points", "playoff"), Competitors(apart, playoffs=chosen), NAMES)) == [
        "1= Aces",
        "1= Books",
    ]


def test_playoff_that_was_not_played_is_due_when_a_later_key_decides() -> None:
    order = (*SHEET_ORDER, "bostons")
    first, _ = rank([record(ACES, 5), record(BOOKS, 5, bostons=1)], order, names=NAMES)
    tied = "Books and Aces both won 1 game and have 5 points; no playoff between them has been played"
    text = f"{tied}; Books: 1 Boston to 0."
    assert first.ties == (Tie(BOOKS, ACES, "bostons", (1, 0), "", True, text),)


def test_three_that_have_not_all_met_say_so() -> None:
    order = ("games-won", "head-to-head", "lots")
    played = {ACES: BOOKS, BOOKS: ACES, CROWNS: DEUCES}
    records = [Record(team, (GameRecord(1, (rival,), True, 5),)) for team, rival in played.items()]
    places = rank(records, order, names=NAMES)
    assert sentences(places)[0] == (
        "Aces and Books both won 1 game; they have not all met each other; still tied: a draw decides."
    )


def test_first_key_that_decides_nothing_leaves_teams_level() -> None:
    places = rank([record(ACES, 5), record(BOOKS, 7)], ("lots", "points"), names=NAMES)
    assert sentences(places) == ["Books and Aces are tied; nothing was drawn; Books: 7 points to 5."]


def test_lots_with_one_number_drawn_twice_stay_level() -> None:
    lots = {ACES: 1, BOOKS: 1, CROWNS: 2}
    places = rank(LEVEL, ("games-won", "lots", "fewest-sets"), Competitors(LEVEL, lots=lots), NAMES)
    assert labels(places) == ["1= Aces", "1= Books", "3 Crowns"]
    assert sentences(places)[0].startswith("Aces and Books both won 1 game, drew lot 1 and have 0 sets; still tied")


games = st.builds(
    GameRecord,
    round=st.integers(1, 6),
    opponents=st.tuples(st.integers(1, 8)),
    won=st.booleans(),
    points=st.integers(-6, 12),
    bostons=st.integers(0, 1),
    sets=st.integers(0, 2),
)
fields = st.lists(st.lists(games, max_size=3).map(tuple), min_size=1, max_size=8).map(
    lambda teams: [Record(number, played) for number, played in enumerate(teams, start=1)]
)
orders = st.permutations(list(BY_KEY)).flatmap(lambda keys: st.integers(1, len(BY_KEY)).map(lambda n: tuple(keys[:n])))


@given(fields, orders, st.dictionaries(st.integers(1, 8), st.integers(1, 8)), st.permutations(range(1, 9)))
def test_ranking_is_a_fair_order_whatever_the_field(
    records: list[Record], order: tuple[str, ...], lots: dict[int, int], playoff: list[int]
) -> None:
    field = Competitors(records, [playoff[:4]], lots)
    places = rank(records, order, field)
    assert sorted(place.team for place in places) == [record.team for record in records]
    assert rank(list(reversed(records)), order, field) == places
    for place in places:
        together = [other for other in places if other.rank == place.rank]
        assert place.shared == (len(together) > 1)
        assert place.rank == 1 + sum(other.rank < place.rank for other in places)
        for tie in place.ties:
            assert place.team in (tie.above, tie.below)
            assert (tie.key is None) == (tie.values is None)
    for above, below in pairwise(places):
        between = [tie for tie in above.ties if tie.below == below.team]
        if order[0] == "games-won":
            assert len(between) == (above.record.won == below.record.won)
            assert above.record.won >= below.record.won
        assert (above.rank == below.rank) == any(tie.key is None for tie in between)


FIELD = [record(ACES, 5, 5), record(BOOKS, 5, 2), record(CROWNS, 5, 2), record(DEUCES, 0, 0)]
PLACES = rank(FIELD, SHEET_ORDER, names=NAMES)


def test_cut_between_places_is_clear() -> None:
    assert cut(PLACES, 3, NAMES) == Cut(
        (ACES, BOOKS, CROWNS), (), 0, (DEUCES,), "3 advance; nobody is tied at the cut."
    )
    assert cut(PLACES, 1).text == "One advances."


def test_cut_through_a_shared_place_names_who_plays_off() -> None:
    text = "One advances. Books and Crowns are tied for the last place: a one-game playoff decides (rule 10)."
    assert cut(PLACES, 2, NAMES) == Cut((ACES,), (BOOKS, CROWNS), 1, (DEUCES,), text)


def test_cut_through_a_place_shared_by_all() -> None:
    places = rank([record(team, 5) for team in NAMES], SHEET_ORDER)
    text = "Aces, Books, Crowns and Deuces are tied for the last 3 places: the director decides how they play off"
    assert cut(places, 3, NAMES) == Cut((), (ACES, BOOKS, CROWNS, DEUCES), 3, (), f"{text} (rule 10).")


def test_cut_with_several_ahead_of_the_level_teams() -> None:
    places = rank([record(ACES, 9), record(BOOKS, 8), record(CROWNS, 5), record(DEUCES, 5)], SHEET_ORDER)
    assert cut(places, 3, NAMES).text.startswith("2 advance. Crowns and Deuces are tied for the last place")


def test_cut_waits_for_a_playoff_before_a_later_key() -> None:
    places = rank([record(ACES, 5), record(BOOKS, 5, bostons=1)], (*SHEET_ORDER, "bostons"), names=NAMES)
    made = cut(places, 1, NAMES)
    assert (made.advance, made.level, made.seats) == ((), (BOOKS, ACES), 1)


def test_cut_below_two_who_wait_for_their_playoff_is_clear() -> None:
    level = [record(ACES, 5), record(BOOKS, 5, bostons=1), record(CROWNS, 2)]
    places = rank(level, (*SHEET_ORDER, "bostons"), names=NAMES)
    assert cut(places, 2, NAMES) == Cut((BOOKS, ACES), (), 0, (CROWNS,), "2 advance; nobody is tied at the cut.")


def test_cut_of_as_many_as_there_are_lets_all_go_on() -> None:
    assert cut(PLACES, 4) == Cut((ACES, BOOKS, CROWNS, DEUCES), (), 0, (), "All 4 advance.")


def test_cut_of_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        cut(PLACES, 0)


def test_chances_with_one_game_left() -> None:
    left = dict.fromkeys(NAMES, 1)
    assert can_still(PLACES, 2, left) == {
        ACES: Chance.OPEN, BOOKS: Chance.OPEN, CROWNS: Chance.OPEN, DEUCES: Chance.OPEN,
    }  # fmt: skip
    assert can_still(PLACES, 1, left)[DEUCES] == Chance.OUT
    assert can_still(PLACES, 3, left)[ACES] == Chance.IN


def test_chances_are_weighed_where_the_order_was_read_from_a_row() -> None:
    """Its words are no objects of the program's."""
    order = ["".join(list("games-won"))]
    assert can_still(PLACES, 1, dict.fromkeys(NAMES, 1), order)[DEUCES] == Chance.OUT


def test_chances_after_the_last_game_are_the_cut() -> None:
    expected = {ACES: Chance.IN, BOOKS: Chance.OPEN, CROWNS: Chance.OPEN, DEUCES: Chance.OUT}
    assert can_still(PLACES, 2, {}) == expected


def test_chances_are_open_where_points_come_first() -> None:
    for first in ("points", "bostons"):
        assert set(can_still(PLACES, 2, {ACES: 1}, (first, "games-won")).values()) == {Chance.OPEN}


@given(st.lists(st.integers(0, 3), min_size=2, max_size=4), st.lists(st.integers(0, 2), min_size=4, max_size=4),
       st.integers(1, 4))  # fmt: skip
def test_certain_chances_hold_however_the_games_end(won: list[int], games: list[int], advance: int) -> None:
    def team(number: int, wins: int) -> Record:
        return Record(number, tuple(GameRecord(game, (), True, 0) for game in range(wins)))

    left = {number: games[number - 1] for number in range(1, len(won) + 1)}
    chances = can_still(rank([team(n, w) for n, w in enumerate(won, start=1)], ("games-won",)), advance, left)
    for more in itertools.product(*(range(left[each] + 1) for each in left)):
        places = rank([team(n, w + more[n - 1]) for n, w in enumerate(won, start=1)], ("games-won",))
        made = cut(places, advance)
        assert all(chances[number] != Chance.OUT for number in made.advance)
        assert all(chances[number] != Chance.IN for number in made.out)
        assert all(chances[number] == Chance.OPEN for number in made.level)


PLAYOFF = GameRecord(1, (BOOKS,), True, 9, bostons=1, sets=1, stage="playoff")
BYE = GameRecord(2, (), True, 5, bye=True)
LOST = GameRecord(3, (BOOKS,), False, -3, bostons=1, sets=2)


def test_record_sums_qualifying_games_only() -> None:
    aces = Record(ACES, (PLAYOFF, BYE, LOST))
    assert (aces.played, aces.won, aces.lost, aces.points, aces.bostons, aces.sets) == (2, 1, 1, 2, 1, 2)
    assert aces.qualifying == (BYE, LOST)
    assert aces.byes == 1
    assert Record(ACES, (PLAYOFF, BYE, LOST, LOST)).opponents == (BOOKS, BOOKS)


def test_record_counts_bostons_in_the_window() -> None:
    aces = Record(ACES, (PLAYOFF, BYE, LOST))
    assert [aces.bostons_in(window) for window in (2, 3, None)] == [0, 1, 1]


def test_records_of_one_team_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="team 1 has two records"):
        by_number([record(ACES), record(BOOKS), record(ACES)])


def test_words_read_as_players_write_them() -> None:
    assert [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 112, 113)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "113th",
    ]  # fmt: skip
    assert [number(value) for value in (-3, 0, 4)] == ["−3", "0", "4"]
    assert [counted(value, "point") for value in (-2, -1, 0, 1, 2)] == [
        "−2 points", "−1 point", "0 points", "1 point", "2 points",
    ]  # fmt: skip
    assert [listed(["Aces"]), listed(["Aces", "Books"]), listed("ABC")] == ["Aces", "Aces and Books", "A, B and C"]
    assert [amount(5), amount(123456), amount(250, "$"), amount(24000, "$")] == ["0.05", "1,234.56", "$2.50", "$240"]
    assert [team_name(NAMES, ACES), team_name(NAMES, 77)] == ["Aces", "Team 77"]


def test_odd_cents_go_one_each_by_number() -> None:
    level = CROWNS, ACES, BOOKS
    assert share_equally(200, level) == (Share(ACES, 67), Share(BOOKS, 67), Share(CROWNS, 66))
    before = share_equally(200, level, odd_to_lowest=True)
    assert before == (Share(ACES, 68), Share(BOOKS, 66), Share(CROWNS, 66))
    assert pay_out((level,), (200,), NAMES, odd_to_lowest=True).shares == before
    assert (
        pay_out((level,), (200,), NAMES, "$")
        .notes[0]
        .endswith("The 2 odd cents go one each to the lowest numbers, Aces and Books ($0.67 each).")
    )
    assert (
        pay_out((level,), (200,), NAMES, "$", odd_to_lowest=True)
        .notes[0]
        .endswith("The 2 odd cents go to Aces, the lowest number ($0.68).")
    )


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
        "The 10 pot is paid after game 6."
    )
    assert pot == Pot(1000, False, "best-record", (ACES,), (), 1000, text)


def test_pot_of_a_window_of_one_game() -> None:
    records = [record(ACES, 5, bostons=1), record(BOOKS, 5)]
    pot = settle_pot(records, {ACES}, 1000, rounds_closed=1, rounds=6, boston_window=1, names=NAMES)
    assert pot.text == "Most Bostons in game 1 (rule 12): Aces with 1. Winner of the pot of 10: Aces."


def test_pot_is_settled_after_the_last_game_and_stays_so() -> None:
    records = [record(ACES, 5), record(BOOKS, 2)]
    settled = [settle_pot(records, {ACES}, 1000, rounds_closed=closed, rounds=6).settled for closed in (5, 6, 7)]
    assert settled == [False, True, True]


LEDGERS = 5 * settings().max_examples
money_games = st.builds(
    GameRecord, round=st.integers(1, 6), opponents=st.just(()), won=st.booleans(), points=st.integers(-6, 12),
    bostons=st.integers(0, 1), stage=st.sampled_from(["qualifying", "playoff"]),
)  # fmt: skip


@settings(max_examples=LEDGERS)
@given(
    st.lists(st.lists(money_games, max_size=6).map(tuple), max_size=9),
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
    before = settle_pot(
        records, entered, cents, rounds_closed=closed, rounds=6,
        boston_window=window, best_record=best_record, pot_entry=pot_entry, odd_to_lowest=True,
    )  # fmt: skip
    pot = settle_pot(
        records, entered, cents, rounds_closed=closed, rounds=6,
        boston_window=window, best_record=best_record, pot_entry=pot_entry,
    )  # fmt: skip
    assert sum(share.cents for share in pot.shares) + pot.left == cents
    assert tuple(share.team for share in pot.shares) == (pot.leaders if pot.settled else ())
    assert pot_entry == "every-team" or set(pot.leaders) <= entered
    assert pot.text
    if pot.settled:
        # Cents are dealt one by one, like cards; earlier, the first team took all that division left.
        count = len(pot.leaders)
        dealt = [sum(1 for card in range(index, cents, count)) for index in range(count)]
        assert [share.cents for share in pot.shares] == dealt
        left = cents - cents // count * (count - 1)
        assert [share.cents for share in before.shares] == [left, *[cents // count] * (count - 1)]


def test_percentages_round_down_and_what_is_left_goes_one_each_from_first_place() -> None:
    assert percent_prizes(1001, (Fraction(100, 3),) * 3) == (334, 334, 333)
    assert percent_prizes(1001, (Fraction(100, 3),) * 3, odd_to_lowest=True) == (335, 333, 333)
    assert percent_prizes(101, (0, 50, 50), odd_to_lowest=True) == (1, 50, 50)
    assert percent_prizes(101, (0, 50, 50)) == (0, 51, 50)
    assert percent_prizes(10_001, (50, 30, 20)) == (5001, 3000, 2000)
    assert percent_prizes(1000, (Fraction(100, 3),) * 3) == (334, 333, 333)
    assert percent_prizes(1000, ()) == ()


@pytest.mark.parametrize(("cents", "percentages"), [(-1, (50,)), (100, (-1, 50)), (100, (60, 41))])
def test_impossible_percentages_are_refused(cents: int, percentages: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="percentages"):
        percent_prizes(cents, percentages)


def test_prizes_of_a_shared_place_are_divided() -> None:
    payout = pay_out(((CROWNS,), (ACES, BOOKS)), (500, 301, 100, 50), NAMES, "$")
    text = (
        "Aces and Books share the prizes of 2nd to 3rd, $4.01 together: $2 each. "
        "The odd cent goes to Aces, the lowest number ($2.01)."
    )
    assert payout == Payout((Share(CROWNS, 500), Share(ACES, 201), Share(BOOKS, 200)), 50, (text,))


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
    payout = pay_out(finish, prizes)
    assert sum(share.cents for share in payout.shares) + payout.unpaid == sum(prizes)
    assert min((share.cents for share in payout.shares), default=0) >= 0


@settings(max_examples=LEDGERS)
@given(st.integers(0, 10_000_000), st.lists(st.integers(0, 100), max_size=6))
def test_percentages_of_all_add_up_to_the_cent(cents: int, cuts: list[int]) -> None:
    ends = sorted([0, *cuts, 100])
    percentages = [end - begin for begin, end in pairwise(ends)]
    prizes = percent_prizes(cents, percentages)
    assert sum(prizes) == cents
    assert all(0 <= prize - cents * share // 100 <= 1 for prize, share in zip(prizes, percentages, strict=True))


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

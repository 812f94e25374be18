"""The last game before the cut: teams that are through, or out, play each other, even if their records differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from scoring.standings.ranking import Chance, can_still, rank
from scoring.standings.tiebreaks import GameRecord, Record
from tests.tournament.pairing.field import said
from tournament.pairing.draw import Draw, DrawOptions, Entrant, History, Played, draw_round
from tournament.pairing.plan import (
    BY_STAKE,
    OUT_PLAYS_OPEN,
    THROUGH_PLAYS_OPEN,
    Note,
    Stake,
    byes_so_far,
    in_common,
    in_short,
    pairs_of,
    settled_against_open,
)
from tournament.pairing.swiss import Positions, pair_in_order, record_order

THROUGH, OUT, OPEN = Stake.THROUGH, Stake.OUT, Stake.OPEN
STAKES = {Chance.IN: THROUGH, Chance.OUT: OUT, Chance.OPEN: OPEN}
CITIES = DrawOptions(apart=("city",))
FEW, ALL = 200, 10_000

# Twelve teams after four of five games, four of whom will advance; at each table the first has won.
FOUR_GAMES = (
    ((2, 3), (6, 8), (4, 11), (9, 10), (7, 5), (1, 12)),
    ((7, 11), (8, 5), (1, 10), (2, 6), (9, 12), (3, 4)),
    ((1, 7), (2, 11), (5, 10), (3, 6), (4, 9), (8, 12)),
    ((6, 9), (5, 11), (3, 12), (4, 10), (2, 7), (1, 8)),
)


def played(games: Sequence[Sequence[tuple[int, int]]]) -> History:
    return History(tuple(Played(tuple(tables), winners=frozenset(table[0] for table in tables)) for tables in games))


def wins(history: History, teams: Sequence[int]) -> dict[int, int]:
    """The games that each team has won; a bye is one."""
    won = Counter(team for game in history.rounds for team in (*game.winners, *game.byes))
    return {team: won[team] for team in teams}


def at_stake(won: dict[int, int], advance: int, cities: dict[int, str] | None = None) -> list[Entrant]:
    """A field before the last game, with the stakes that the standings give."""
    records = [
        Record(team, tuple(GameRecord(game, (), True, 5) for game in range(count))) for team, count in won.items()
    ]
    chances = can_still(rank(records, ("games-won",)), advance, dict.fromkeys(won, 1))
    cities = cities or {}
    return [
        Entrant(team, cities.get(team, ""), won=count, points=5 * count, stake=STAKES[chances[team]])
        for team, count in won.items()
    ]


def unaware(entrants: Sequence[Entrant]) -> list[Entrant]:
    """The same field without the option."""
    return [replace(entrant, stake=OPEN) for entrant in entrants]


def against_open(draw: Draw, entrants: Sequence[Entrant]) -> Counter[Stake]:
    """How many teams that are through, and that are out, meet one for which the game is open."""
    stakes = {entrant.number: entrant.stake for entrant in entrants}
    settled = (settled_against_open(stakes[first], stakes[second]) for first, second in draw.tables)
    return Counter(stake for stake in settled if stake)


def test_two_that_are_through_play_each_other_in_the_last_game() -> None:
    history = played(FOUR_GAMES)
    field = at_stake(wins(history, range(1, 13)), advance=4)
    assert {stake: [entrant.number for entrant in field if entrant.stake is stake] for stake in Stake} == {
        THROUGH: [1, 2],
        OUT: [10, 11, 12],
        OPEN: [3, 4, 5, 6, 7, 8, 9],
    }
    before = draw_round("swiss", unaware(field), history, 1)
    assert (against_open(before, field)[THROUGH], before.notes) == (2, ())
    draw = draw_round("swiss", field, history, 1)
    assert [set(table) for table in draw.tables] == [{1, 2}, {3, 7}, {4, 6}, {8, 9}, {5, 12}, {10, 11}]
    assert said(draw) == (
        "Teams that are through, or out, play each other in this last game.",
        "Team 12 is out, but plays Team 5 in game 5, and Team 5 can still make it.",
    )


def test_nobody_meets_again_for_the_sake_of_it() -> None:
    field = [Entrant(1, won=3, stake=THROUGH), Entrant(2, won=3, stake=THROUGH), Entrant(3, won=2), Entrant(4, won=2)]
    met = played((((1, 2), (3, 4)),))
    draw = draw_round("swiss", field, met, 1)
    assert sorted(note.said for note in draw.notes) == [THROUGH_PLAYS_OPEN] * 2


def test_two_of_one_city_do_not_meet_for_the_sake_of_it() -> None:
    field = [Entrant(1, "Dayton", won=3, stake=THROUGH), Entrant(2, "Dayton", won=3, stake=THROUGH)]
    field += [Entrant(3, "Toledo", won=2), Entrant(4, "Toledo", won=2)]
    draw = draw_round("swiss", field, seed=1, options=CITIES)
    assert [note.said for note in draw.notes] == [THROUGH_PLAYS_OPEN] * 2


def test_records_are_less_equal_for_the_sake_of_it() -> None:
    field = [Entrant(1, won=4, stake=THROUGH), Entrant(2, won=3), Entrant(3, won=3), Entrant(4, won=2, stake=THROUGH)]
    assert [set(table) for table in draw_round("swiss", unaware(field), seed=1).tables] != [{1, 4}, {2, 3}]
    assert [set(table) for table in draw_round("swiss", field, seed=1).tables] == [{1, 4}, {2, 3}]


def test_the_last_that_is_through_rather_meets_one_that_is_out() -> None:
    field = [Entrant(1, won=3, stake=THROUGH), Entrant(2, won=2)]
    field += [Entrant(3, won=0, stake=OUT), Entrant(4, won=1, stake=OUT)]
    draw = draw_round("swiss", field, seed=1)
    assert [set(table) for table in draw.tables] == [{1, 4}, {2, 3}]
    assert [note.said for note in draw.notes] == [BY_STAKE, OUT_PLAYS_OPEN]


def test_in_a_large_field_the_last_that_is_through_finds_the_first_that_is_out() -> None:
    """They are 294 places apart: all between them are open."""
    through = [Entrant(number, won=4, points=900 - number, stake=THROUGH) for number in range(1, 4)]
    can_make_it = [Entrant(number, won=3, points=900 - number) for number in range(4, 298)]
    out = [Entrant(number, won=1, points=900 - number, stake=OUT) for number in range(298, 301)]
    field = [*through, *can_make_it, *out]
    draw = draw_round("swiss", field, seed=1)
    assert (against_open(draw, field), draw.notes) == (Counter(), (Note(BY_STAKE),))


def test_one_alone_meets_a_team_that_can_still_make_it_and_the_draw_says_only_that() -> None:
    field = [Entrant(1, won=3, name="Aces", stake=THROUGH), Entrant(2, won=2, name="Books")]
    expected = ("Aces is through, but plays Books in game 1, and Books can still make it.",)
    assert said(draw_round("swiss", field)) == said(draw_round("swiss", field[::-1])) == expected


@pytest.mark.parametrize("stakes", [(OPEN,), (THROUGH,), (OUT,), (THROUGH, OUT)])
def test_a_field_in_which_all_play_for_the_same_is_drawn_as_ever(stakes: tuple[Stake, ...]) -> None:
    for seed in range(40):
        chance = Random(seed)
        field = [Entrant(number, won=chance.randrange(4), stake=chance.choice(stakes)) for number in range(1, 14)]
        assert draw_round("swiss", field, seed=seed) == draw_round("swiss", unaware(field), seed=seed)


@pytest.mark.parametrize("method", ["winners-up", "random"])
def test_only_a_draw_by_record_is_asked_for_it(method: str) -> None:
    """Other draws are never given stakes; a round that is drawn without them says nothing of them."""
    assert draw_round(method, unaware(at_stake(wins(played(FOUR_GAMES), range(1, 13)), 4)), seed=3).notes == ()


def test_many_who_meet_an_open_one_are_counted() -> None:
    field = [Entrant(number, won=2, stake=THROUGH if number < 5 else OPEN) for number in range(1, 9)]
    met = played(tuple(((first, second),) for first in range(1, 5) for second in range(first + 1, 5)))
    [line] = in_short(draw_round("swiss", field, met).notes)
    assert line.text == "4 meetings of a team that is through with one that can still make it in game 7"
    assert line.details[0].endswith("can still make it.")


def test_a_wider_search_finds_what_neighbors_do_not() -> None:
    """The two that are through are the first and the last of twelve with equal records."""
    field = [Entrant(1, won=3, points=99, stake=THROUGH), *(Entrant(n, won=3, points=50 - n) for n in range(2, 12))]
    field.append(Entrant(12, won=3, points=1, stake=THROUGH))
    draw = draw_round("swiss", field, seed=1)
    assert ((1, 12) in draw.tables, [note.said for note in draw.notes]) == (True, [BY_STAKE])


@pytest.mark.parametrize("stake", [THROUGH, OUT])
def test_the_search_is_widened_for_one_that_has_met_its_neighbors(stake: Stake) -> None:
    """Team 1 has met the next eight of its stake, with an open one between any two of them."""
    field = [Entrant(n, won=3, points=90 - n, stake=stake if n % 2 else OPEN) for n in range(1, 21)]
    met = played([((1, rival),) for rival in range(3, 18, 2)])
    assert against_open(draw_round("swiss", field, met), field) == Counter()


def test_the_search_is_widened_for_one_that_is_through_where_one_that_is_out_can_be_left_over() -> None:
    """Team 1 has met the first eight that are out, and can meet the ninth."""
    field = [Entrant(1, won=9, stake=THROUGH)]
    field += [Entrant(n, won=5, points=90 - n, stake=OPEN if n <= 10 else OUT) for n in range(2, 21)]
    met = played([((1, rival),) for rival in range(11, 19)])
    assert against_open(draw_round("swiss", field, met), field) == Counter({OUT: 1})


# By chance, beside every way to seat the field.


def evening(seed: int) -> tuple[list[Entrant], History, int]:
    """A small field before its last game, with who has met, and the seed of its draw.

    Every second one has the stakes that the standings give.
    """
    chance = Random(seed)
    size = chance.randint(2, 8)
    teams = range(1, size + 1)
    history = History()
    for number in range(chance.randint(1, 4)):
        order = list(teams)
        chance.shuffle(order)
        tables: list[tuple[int, ...]] = list(zip(order[::2], order[1::2], strict=False))
        byes = tuple(order[-1:] if size % 2 else ())
        if chance.random() < 0.3:
            drawn = draw_round("swiss", [Entrant(*entry) for entry in _by_record(history, teams)], history, number)
            tables, byes = list(drawn.tables), drawn.byes
        winners = frozenset(chance.choice(table) for table in tables)
        history = History((*history.rounds, Played(tuple(tables), byes, winners)))
    cities = {team: chance.choice(("", "Dayton", "Toledo")) for team in teams}
    field = at_stake(wins(history, teams), chance.randint(1, 4), cities)
    if seed % 2:
        # Any stakes: the draw does not know that they follow from games won.
        field = [replace(entrant, stake=chance.choice((THROUGH, OUT, OPEN, OPEN))) for entrant in field]
    return field, history, seed


def _by_record(history: History, teams: Sequence[int]) -> list[tuple[int, str, str, int]]:
    return [(team, "", "", won) for team, won in wins(history, teams).items()]


def every_draw(teams: Sequence[int], may_sit_out: Sequence[int]) -> Iterator[tuple[tuple[tuple[int, int], ...], int]]:
    """Every way to pair these teams, with the one that sits out if their number is odd, otherwise 0."""
    if len(teams) % 2:
        for bye in may_sit_out:
            for pairs, _ in every_draw([team for team in teams if team != bye], ()):
                yield pairs, bye
        return
    if not teams:
        yield (), 0
        return
    first, *others = teams
    for second in others:
        for pairs, _ in every_draw([team for team in others if team != second], ()):
            yield ((first, second), *pairs), 0


def faults(
    pairs: Sequence[tuple[int, ...]], bye: int, order: Sequence[Entrant], history: History
) -> tuple[int, int, int, int, int, int]:
    """What a draw costs, the worst first, counted apart from the draw's own weights."""
    by_number = {entrant.number: entrant for entrant in order}
    met = history.meetings()
    again = sum(len(met.get(pair, ())) ** 2 for table in pairs for pair in pairs_of(table))
    above_last = len(order) - [entrant.number for entrant in order].index(bye) if bye else 0
    cities, records, through, out = 0, 0, 0, 0
    for table in pairs:
        first, second = (by_number[team] for team in table)
        cities += in_common(first, second, "city")
        records += (first.won - second.won) ** 2
        if OPEN in (first.stake, second.stake):
            through += THROUGH in (first.stake, second.stake)
            out += OUT in (first.stake, second.stake)
    return again, above_last, cities, through, out, records


def check_evenings(count: int) -> int:
    """Compare draws with every other way. Returns in how many evenings the stakes made a difference."""
    mattered = 0
    for seed in range(count):
        field, history, lot = evening(seed)
        order = record_order(field, f"{lot}/{history.next_round}")
        byes = byes_so_far(field, history)
        may_sit_out = [team for team, had in byes.items() if had == min(byes.values())]
        best = min(
            faults(pairs, bye, order, history) for pairs, bye in every_draw([one.number for one in order], may_sit_out)
        )
        draw = draw_round("swiss", field, history, lot, CITIES)
        assert faults(draw.tables, sum(draw.byes), order, history) == best, seed
        before = draw_round("swiss", unaware(field), history, lot, CITIES)
        mattered += faults(before.tables, sum(before.byes), order, history) != best
    return mattered


def test_no_draw_that_is_as_good_has_fewer_that_meet_an_open_one() -> None:
    assert check_evenings(FEW) > 0, "none of these evenings could show it"


@pytest.mark.nightly
def test_no_draw_of_ten_thousand_evenings_could_be_better() -> None:
    assert check_evenings(ALL) > ALL // 100


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, ALL), marks=[pytest.mark.nightly])])
def test_near_neighbors_are_enough_in_larger_fields(seeds: range) -> None:
    """Beside the same search among the whole field."""
    for seed in seeds:
        chance = Random(seed)
        teams = range(1, chance.randint(9, 30) + 1)
        history = History()
        for _ in range(chance.randint(2, 6)):
            order = chance.sample(teams, len(teams))
            tables = tuple(zip(order[::2], order[1::2], strict=False))
            byes = tuple(order[-1:] if len(teams) % 2 else ())
            winners = frozenset(chance.choice(table) for table in tables)
            history = History((*history.rounds, Played(tables, byes, winners)))
        ranked = record_order(at_stake(wins(history, teams), chance.choice((2, 4, 8))), str(seed))
        draw = pair_in_order(ranked, history)
        whole = Positions(ranked, history, ()).match(len(ranked))
        pairs = [(ranked[low].number, ranked[high].number) for low, high in whole.pairs]
        bye = 0 if whole.bye is None else ranked[whole.bye].number
        found = faults(draw.tables, sum(draw.byes), ranked, history)
        best = faults(pairs, bye, ranked, history)
        # Records alone may be more equal where the search was not widened for anything else.
        assert found[:5] == best[:5], seed

"""A seat that stays: tables are numbered for teams that never move, and who meets whom does not change by it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.tournament.pairing.field import entrants
from tournament.pairing.draw import (
    FIXED,
    METHODS,
    DrawOptions,
    Entrant,
    History,
    Played,
    Warned,
    check_by_hand,
    draw_all,
    draw_round,
)
from tournament.pairing.plan import Note, moved_from_home, table_numbers

ACES, BOOKS = Entrant(1, name="Aces", table=5), Entrant(2, name="Books", table=3)
FIELD = [ACES, BOOKS, *entrants(8)[2:]]


def test_a_team_that_stays_gives_its_table_the_number_and_the_others_count_from_one() -> None:
    tables = [(3, 4), (5, 1), (6, 2), (7, 8)]
    assert table_numbers(tables, FIELD) == (1, 5, 3, 2)
    assert moved_from_home(tables, (1, 5, 3, 2), FIELD, 1) == []
    assert table_numbers(tables, entrants(8)) == (1, 2, 3, 4)
    assert table_numbers([], FIELD) == ()


def test_a_table_keeps_its_number_where_nobody_stays_there() -> None:
    tables = [(3, 4), (5, 1), (6, 2), (7, 8)]
    assert table_numbers(tables, FIELD, [3, 1, None, 7]) == (1, 5, 3, 7)
    # No number is given twice, whatever was asked for.
    assert table_numbers(tables, FIELD, [2, 0, 0, 2]) == (2, 5, 3, 1)


def test_of_two_that_meet_the_first_stays_and_it_is_said() -> None:
    tables = [(2, 1), (3, 4)]
    assert table_numbers(tables, FIELD) == (3, 1)
    [note] = moved_from_home(tables, (3, 1), FIELD, 2)
    assert note == Note("both-stay", 3, ("Books", "Aces"), (2,))
    assert str(note) == "Books and Aces both stay at their tables; they meet in game 2 at table 3, so Aces moves."
    assert Note.from_row(note.row) == note
    three = replace(FIELD[2], table=9)
    notes = moved_from_home([(4, 1, 2, 3)], (5,), [*FIELD[:2], three, FIELD[3]], 1)
    assert [note.teams for note in notes] == [("Aces", "Books"), ("Aces", "Team 3")]


def test_a_number_by_hand_counts_and_says_who_is_away_from_its_table() -> None:
    checked = check_by_hand([(1, 2), (3, 4)], (), FIELD[:4], numbers=(8, 1))
    away = [Note("away", 8, ("Aces",), (1,), "5"), Note("away", 8, ("Books",), (1,), "3")]
    assert checked.warnings == tuple(Warned("away", (), False, str(note), note) for note in away)
    assert str(away[0]) == "Aces stays at table 5, but sits at table 8 in game 1."
    assert (
        check_by_hand([(9, 2)], (), FIELD[:2], numbers=(7,)).warnings[0].text == "There is no number 9 in this event."
    )


def test_winners_go_up_by_the_order_of_the_draw_and_its_sentence_names_the_table() -> None:
    plain = Played(((1, 2), (3, 4), (5, 6)), winners=frozenset({1, 4}))
    moved = plain.__class__(plain.tables, plain.byes, plain.winners, (9, 1, 2))
    first, second = (draw_round("winners-up", entrants(6), History((last,))) for last in (plain, moved))
    assert first.tables == second.tables == ((1, 4), (2, 5), (3, 6))
    assert str(first.notes[0]).startswith("Nobody won at table 3")
    assert str(second.notes[0]).startswith("Nobody won at table 2")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(6))
def test_nobody_leaves_its_table_without_a_sentence(method: str, seed: int) -> None:
    an_evening(method, Random(f"{method}/{seed}"))


def an_evening(method: str, chance: Random) -> int:
    """Draw an evening with one to four seats that stay, and without them; gives how many draws were compared."""
    size = chance.choice([*range(4, 13), 24, 37])
    count = chance.randint(1, 4)
    homes = dict(zip(chance.sample(range(1, size + 1), count), chance.sample(range(1, 30), count), strict=True))
    plain = [Entrant(number, chance.choice(["", "Dayton", "Lima"])) for number in range(1, size + 1)]
    own = [replace(entrant, table=homes.get(entrant.number, 0)) for entrant in plain]
    past, apart = (History(), History()), DrawOptions(apart=("city",) if chance.random() < 0.5 else ())
    rounds, seed = chance.randint(2, 5), chance.choice([None, chance.randrange(1000)])
    if method in FIXED:
        both = tuple(draw_all(method, field, rounds, options=apart, seed=seed) for field in (plain, own))
        assert both[0] == both[1]
        for number, draw in enumerate(both[1], start=1):
            numbered(draw.tables, own, number, chance)
        return rounds
    for number in range(1, rounds + 1):
        if method == "by-hand":
            order = chance.sample(range(1, size + 1), size)
            tables = tuple(zip(order[::2], order[1::2], strict=False))
            draws = [check_by_hand(tables, order[len(tables) * 2 :], field).draw for field in (plain, plain)]
        else:
            draws = [
                draw_round(method, scored(field, before), before, seed, apart)
                for field, before in zip((plain, own), past, strict=True)
            ]
        assert (draws[0].tables, draws[0].byes) == (draws[1].tables, draws[1].byes)
        numbers = numbered(draws[1].tables, own, number, chance)
        winners = frozenset(chance.choice(table) for table in draws[0].tables if chance.random() < 0.9)
        facts = draws[0].tables, draws[0].byes, winners
        past = History((*past[0].rounds, Played(*facts))), History((*past[1].rounds, Played(*facts, numbers)))
    return rounds


def scored(field: list[Entrant], past: History) -> list[Entrant]:
    return [replace(team, won=sum(team.number in played.winners for played in past.rounds)) for team in field]


def numbered(tables: tuple[tuple[int, ...], ...], field: list[Entrant], number: int, chance: Random) -> tuple[int, ...]:
    """The numbers of a round as they have to be: none twice, everybody at home, or a sentence that says why not."""
    previous = chance.choice([(), [chance.choice([None, *range(1, 30)]) for _ in tables]])
    numbers = table_numbers(tables, field, previous)
    homes = {entrant.number: entrant.table for entrant in field if entrant.table}
    assert len(set(numbers)) == len(numbers) == len(tables)
    away = [team for table, own in zip(tables, numbers, strict=True) for team in table if homes.get(team, own) != own]
    notes = moved_from_home(tables, numbers, field, number)
    assert [note.teams[1] for note in notes] == [f"Team {team}" for team in away]
    assert all(note.said == "both-stay" for note in notes)
    if not previous:
        free = set(range(1, max(numbers, default=0))) - set(numbers)
        # A gap is left only below a table where somebody stays.
        assert all(number in homes.values() for number in numbers if free and number > min(free))
    return numbers

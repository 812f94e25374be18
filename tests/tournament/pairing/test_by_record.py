"""Draws that follow results or chance: Swiss, random, winners up."""

import json
import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.field import entrants, history, most_byes, rematches, said, seated
from tournament.pairing.draw import (
    Draw,
    DrawOptions,
    Entrant,
    History,
    Played,
    Warned,
    check_by_hand,
    draw_all,
    draw_round,
)
from tournament.pairing.plan import RE_SEATED, Note, ShortNote, in_short
from tournament.pairing.round_robin import count_faults
from tournament.pairing.swiss import pair_in_order

APART = DrawOptions(apart=("city",))


def test_swiss_pairs_equal_records() -> None:
    field = [Entrant(1, won=2, points=9), Entrant(2, won=0), Entrant(3, won=1), Entrant(4, won=2, points=12),
             Entrant(5, won=1), Entrant(6, won=0)]  # fmt: skip
    draw = draw_round("swiss", field, seed=1)
    assert [set(table) for table in draw.tables] == [{4, 1}, {3, 5}, {2, 6}]
    assert draw.tables[0] == (4, 1)


def test_swiss_gives_the_bye_to_the_lowest_record_without_one() -> None:
    field = [Entrant(1, won=3), Entrant(2, won=2), Entrant(3, won=1), Entrant(4, won=1), Entrant(5, byes=1)]
    draw = draw_round("swiss", field, seed=1)
    assert draw.byes[0] in (3, 4)
    assert draw.notes == ()


def test_swiss_says_when_everybody_has_had_a_bye() -> None:
    field = [Entrant(number, byes=1) for number in (1, 2, 3)]
    assert said(draw_round("swiss", field))[0].endswith(" in game 1: no other way was found.")


def test_swiss_meets_again_only_where_it_must() -> None:
    before = History((Played(((1, 2), (3, 4))), Played(((1, 3), (2, 4)))))
    field = [Entrant(number, won=4 - number) for number in (1, 2, 3, 4)]
    assert set(map(frozenset, draw_round("swiss", field, before).tables)) == {frozenset({1, 4}), frozenset({2, 3})}
    all_met = before.after(Draw(((1, 4), (2, 3))))
    assert said(draw_round("swiss", field, all_met)) == (
        "Team 1 and Team 2 meet again in game 4; they met in game 1.",
        "Team 3 and Team 4 meet again in game 4; they met in game 1.",
    )


def test_swiss_looks_further_when_all_neighbors_have_met() -> None:
    before = History(
        tuple(Played(((1, rival),)) for rival in range(2, 16)) + tuple(Played(((16, rival),)) for rival in range(2, 15))
    )
    field = [Entrant(number, won=40 - number) for number in range(1, 17)]
    draw = draw_round("swiss", field, before)
    assert (1, 16) in draw.tables
    assert draw.notes == ()


def test_swiss_keeps_cities_apart_and_says_where_it_cannot() -> None:
    field = [Entrant(1, "Dayton"), Entrant(2, "Dayton"), Entrant(3, "Toledo"), Entrant(4, "Toledo")]
    tables = draw_round("swiss", field, options=APART).tables
    assert [sorted(team > 2 for team in table) for table in tables] == [[False, True]] * 2
    same = [Entrant(number, "Dayton") for number in range(1, 13)]
    assert len(draw_round("swiss", same, options=APART).notes) == 6


def test_swiss_stops_looking_for_other_cities_in_time() -> None:
    field = [
        Entrant(number, "Dayton" if number <= 80 else f"City {number}", won=200 - number) for number in range(1, 161)
    ]
    assert len(draw_round("swiss", field, options=APART).notes) < 20


def test_swiss_of_one_and_of_nobody() -> None:
    assert draw_round("swiss", entrants(1)) == Draw((), (1,))
    assert draw_round("swiss", []) == Draw(())


@pytest.mark.parametrize("method", ["swiss", "random", "winners-up", "moving", "round-robin"])
def test_entrant_twice_is_refused(method: str) -> None:
    with pytest.raises(ValueError, match="twice"):
        draw_round(method, [Entrant(1), Entrant(1), Entrant(2), Entrant(3)])


def test_same_seed_gives_the_same_draw_in_another_process() -> None:
    program = (
        "from tournament.pairing.draw import Entrant, draw_round;"
        "print(draw_round('swiss', [Entrant(n, won=n % 3) for n in range(1, 62)], seed=5).tables)"
    )
    field = [Entrant(number, won=number % 3) for number in range(1, 62)]
    expected = str(draw_round("swiss", field, seed=5).tables)
    for _ in range(2):
        printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        assert printed.strip() == expected
    assert str(draw_round("swiss", field, seed=6).tables) != expected


def test_random_draw_changes_from_round_to_round() -> None:
    first, second = draw_all("random", entrants(20), 2, seed=3)
    assert first == draw_round("random", entrants(20), seed=3)
    assert rematches((first, second)) == 0


def test_winners_go_up_and_losers_down_one_table_from_every_table() -> None:
    before = History((Played(((1, 2), (3, 4), (5, 6), (7, 8)), winners=frozenset({1, 4, 5, 8})),))
    assert draw_round("winners-up", entrants(8), before).tables == ((1, 4), (2, 5), (3, 8), (6, 7))


def test_winners_up_seats_newcomers_at_the_bottom_and_drops_leavers() -> None:
    before = History((Played(((1, 2), (3, 4)), byes=(5,), winners=frozenset({2, 3})),))
    now = [entrant for entrant in entrants(6) if entrant.number != 1]
    draw = draw_round("winners-up", now, before)
    assert (draw.tables, draw.byes) == (((2, 3), (4, 5)), (6,))


def test_winners_up_says_what_it_does_without_a_winner() -> None:
    before = History((Played(((1, 2), (3, 4)), winners=frozenset({3})),))
    draw = draw_round("winners-up", entrants(4), before)
    assert draw.tables == ((1, 3), (2, 4))
    assert said(draw) == ("Nobody won at table 1 of the last game: the side listed first moves up.",)


def test_winners_up_avoids_the_rematch_of_two_rounds_ago() -> None:
    before = History((Played(((1, 4), (2, 3))), Played(((1, 2), (4, 3)), winners=frozenset({1, 4}))))
    draw = draw_round("winners-up", entrants(4), before)
    assert rematches((draw,), before) == 0


def test_winners_up_starts_at_random() -> None:
    assert draw_round("winners-up", entrants(8), seed=2) == draw_round("random", entrants(8), seed=2)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 30), st.integers(1, 6), st.integers(0, 99), st.sampled_from(["swiss", "random", "winners-up"]))
def test_draws_seat_everybody_once_without_needless_rematches(size: int, rounds: int, seed: int, method: str) -> None:
    made = History()
    draws = []
    won = dict.fromkeys(range(1, size + 1), 0)
    for _ in range(rounds):
        field = [Entrant(number, won=won[number]) for number in won]
        draw = draw_round(method, field, made, seed)
        draws.append(draw)
        winners = frozenset(max(table, key=lambda team: (team * 7 + seed) % 11) for table in draw.tables)
        for team in (*winners, *draw.byes):
            won[team] += 1
        made = History((*made.rounds, Played(draw.tables, draw.byes, winners)))
    assert all(seated(draw) == list(range(1, size + 1)) for draw in draws)
    assert most_byes(draws) <= -(-rounds // size) if size % 2 else most_byes(draws) == 0
    if size >= 2 * rounds + 2:
        assert rematches(draws) == 0


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 7), st.data())
def test_matching_is_as_good_as_trying_everything(size: int, data: st.DataObject) -> None:
    pairs = [(low, high) for low in range(1, size + 1) for high in range(low + 1, size + 1)]
    met = data.draw(st.sets(st.sampled_from(pairs)))
    before = History(tuple(Played((pair,)) for pair in sorted(met)))
    draw = pair_in_order(entrants(size), before)
    assert rematches((draw,), before) == min(_rematches_of_all(list(range(1, size + 1)), met, size % 2))


def _rematches_of_all(teams: list[int], met: set[tuple[int, int]], spare: int) -> list[int]:
    if len(teams) < 2:
        return [0]
    first, *rest = teams
    counts = []
    for other in rest:
        left = [team for team in rest if team != other]
        counts += [count + ((first, other) in met) for count in _rematches_of_all(left, met, spare)]
    return counts + (_rematches_of_all(rest, met, 0) if spare else [])


def test_history_counts_meetings_and_byes() -> None:
    made = history((Draw(((2, 1),), (3,)), Draw(((1, 2),), (3,))))
    assert made.meetings() == {(1, 2): [1, 2]}
    assert [played.byes for played in made.rounds] == [(3,), (3,)]
    assert made.next_round == 3


def test_a_second_bye_within_the_plan_is_a_fault() -> None:
    twice = [Draw(((1, 2),), (3,)), Draw(((1, 2),), (3,))]
    assert count_faults(twice, entrants(3), History()) == (1, 1, 0)
    assert count_faults([twice[0], Draw(((1, 3),), (2,))], entrants(3), History()) == (0, 0, 0)
    field = [Entrant(1, "Dayton"), Entrant(2, "Dayton"), Entrant(3), Entrant(4)]
    assert count_faults([Draw(((1, 2), (3, 4)))], field, History(), ("city",)) == (0, 0, 1)
    assert count_faults([Draw(((1, 2),))], entrants(3), History()) == (0, 0, 0)


# A draw by hand is taken as it is made, with a warning for everything that looks wrong.
BEFORE = History((Played(((1, 3), (2, 4)), (5,)),))
UNSEATED, SECOND_BYE = Note("unseated", teams=("Team 6",)), Note("had-bye", teams=("Team 5",))
SAME_CITY = Note("together", 2, ("Team 1", "Team 2"), home="Dayton")
SAME_CLUB = SAME_CITY._replace(home="Kings")
REMATCH = Note("rematch", 2, ("Team 1", "Team 3"), (1,))
FIELD = [Entrant(1, "Dayton", "Kings"), Entrant(2, "Dayton", "Kings"), *entrants(6)[2:]]


def test_clean_draw_has_no_warnings() -> None:
    checked = check_by_hand([(1, 4), (2, 3)], [6], [entrant for entrant in FIELD if entrant.number != 5], BEFORE)
    assert checked.warnings == ()
    assert checked.draw == Draw(((1, 4), (2, 3)), (6,))


def test_every_warning_is_given_at_once() -> None:
    checked = check_by_hand([(1, 2), (3, 1), (4, 9), (3,)], [5], FIELD, BEFORE)
    assert checked.warnings == (
        Warned("double-seat", (1,), True, "Seated 2 times: Team 1."),
        Warned("double-seat", (3,), True, "Seated 2 times: Team 3."),
        Warned("unknown", (9,), True, "There is no number 9 in this event."),
        Warned("table-size", (3,), True, "Table 4 has 1 instead of 2."),
        Warned("unseated", (6,), False, "Not at a table, and without a bye: Team 6.", UNSEATED),
        Warned("second-bye", (5,), False, "Team 5 already had a bye.", SECOND_BYE),
        Warned("same-city", (1, 2), False, "Team 1 and Team 2, both of Dayton, meet in game 2.", SAME_CITY),
        Warned("same-club", (1, 2), False, "Team 1 and Team 2, both of Kings, meet in game 2.", SAME_CLUB),
        Warned("rematch", (1, 3), False, "Team 1 and Team 3 meet again in game 2; they met in game 1.", REMATCH),
    )
    assert checked.draw.notes == (UNSEATED, SECOND_BYE, SAME_CITY, SAME_CLUB, REMATCH)


def test_methods_that_need_results_cannot_be_drawn_ahead() -> None:
    from tournament.pairing.draw import FIXED, METHODS, draw_all

    for method in set(METHODS) - set(FIXED):
        with pytest.raises(ValueError, match="cannot be drawn ahead"):
            draw_all(method, entrants(4), 2)
    with pytest.raises(ValueError, match="roulette"):
        draw_round("roulette", entrants(4))


# What a draw could not avoid, counted where it is much.
def noted(draws: Sequence[Draw]) -> tuple[Note, ...]:
    return tuple(note for draw in draws for note in draw.notes)


def test_few_sentences_stand_by_themselves() -> None:
    notes = (Note(RE_SEATED), *noted(draw_all("round-robin", entrants(2), 3)))
    assert in_short(notes) == tuple(ShortNote(str(note)) for note in notes)


def test_many_rematches_and_byes_are_counted_by_kind() -> None:
    notes = noted(draw_all("groups", entrants(4), 6))
    (line,) = in_short(notes)
    assert (line.text, line.details) == ("30 rematches in games 2–6", tuple(map(str, notes)))
    short = in_short((Note(RE_SEATED), *noted(draw_all("round-robin", entrants(3), 9))))
    assert [line.text for line in short] == [
        str(Note(RE_SEATED)),
        "6 rematches in games 4–9",
        "6 second byes in games 4–9",
    ]


def test_rounds_are_named_one_by_one_where_some_are_missing() -> None:
    neighbors = [Entrant(number, city="Dayton") for number in range(1, 9)]
    first, *_, last = draw_all("round-robin", neighbors, 4, options=DrawOptions(apart=("city",)))
    assert [line.text for line in in_short(first.notes)] == ["4 meetings within a city or club in game 1"]
    both = in_short((*first.notes, *last.notes))
    assert [line.text for line in both] == ["8 meetings within a city or club in games 1, 4"]


@pytest.mark.parametrize(
    "note",
    [
        Note("rematch", 4, ("Aces", "Books"), (1, 3)),
        Note("rematch", 12, ("Aces", "Books"), (1,)),
        Note("second-bye", 3, ("Night Owls",)),
        Note("together", 2, ("Aces", "Books"), home="Dayton, Ohio"),
        Note("instead", 2),
        Note("instead", 13),
        Note(RE_SEATED),
        Note("no-winner", 7),
        Note("unseated", teams=("Aces",)),
        Note("had-bye", teams=("Aces",)),
        Note("text", teams=("What another program said.",)),
    ],
)
def test_a_note_is_stored_as_values(note: Note) -> None:
    assert Note.from_row(json.loads(json.dumps(note.row))) == note

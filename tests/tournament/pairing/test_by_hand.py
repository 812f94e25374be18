"""A draw by hand is taken as it is made, with a warning for everything that looks wrong."""

import pytest

from tests.tournament.pairing.field import entrants
from tournament.pairing.draw import Draw, DrawOptions, Entrant, History, Played, Warned, check_by_hand, draw_round
from tournament.pairing.plan import Note

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
        Warned("same-city", (1, 2), False, "Team 1 and Team 2, both of Dayton, meet in round 2.", SAME_CITY),
        Warned("same-club", (1, 2), False, "Team 1 and Team 2, both of Kings, meet in round 2.", SAME_CLUB),
        Warned("rematch", (1, 3), False, "Team 1 and Team 3 meet again in round 2; they met in round 1.", REMATCH),
    )
    assert checked.draw.notes == (UNSEATED, SECOND_BYE, SAME_CITY, SAME_CLUB, REMATCH)
    assert not checked.can_be_played


def test_draw_by_hand_through_the_door_keeps_its_warnings_as_notes() -> None:
    options = DrawOptions(tables=((1, 3), (2, 5)), byes=(4,))
    assert draw_round("by-hand", entrants(5), BEFORE, options=options) == Draw(((1, 3), (2, 5)), (4,), (REMATCH,))


def test_draw_by_hand_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="Seated 2 times: Team 1"):
        draw_round("by-hand", entrants(3), options=DrawOptions(tables=((1, 2), (1, 3))))


def test_methods_that_need_results_cannot_be_drawn_ahead() -> None:
    from tournament.pairing.draw import FIXED, METHODS, draw_all

    for method in set(METHODS) - set(FIXED):
        with pytest.raises(ValueError, match="cannot be drawn ahead"):
            draw_all(method, entrants(4), 2)
    with pytest.raises(ValueError, match="roulette"):
        draw_round("roulette", entrants(4))

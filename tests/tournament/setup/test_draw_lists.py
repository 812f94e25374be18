"""A draw that the club already has, what a new draw would lose, and what is said of rematches wherever seats change."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.factories import confirmed_in, draw_by_hand, impact_of, make_event, make_teams, page_of, signed_in
from tests.sure import fresh, statements_of
from tests.tournament.setup.rosters import workbook
from tests.tournament.setup.test_rounds import drawn, finish
from tests.tournament.setup.test_teamchange import LATE
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict
from tournament.forms.draw import read_draw
from tournament.models import Event, Journal, Round
from tournament.queries.draws import draw_overview, lost_by_redraw, seats_words
from tournament.queries.roster import RosterRow
from tournament.services.draws import draw_rounds
from tournament.services.substitutions import change_and_reseat, swap_teams
from tournament.services.teams import add_team, withdraw_team
from tournament.services.transactions import note_printed, writing

TEAMS = {1: "Aces", 2: "Books", 3: "Night Owls", 4: "Eagles", 9: "Five or Better"}
TWO = [(1, 2), (3, 4)]


@pytest.mark.parametrize(
    "line",
    [
        "3: Aces – Night Owls",
        "Table 3: Aces vs. Night Owls",
        "3\tAces\tNight Owls",
        "3;1;3",
        "3, 1, 3",
        "3 1 3",
        "T3  1-3",
        "• 3. aces - night owls",
        "3 | 1 Aces | 3 Night Owls",
        "1,3,1,3",
    ],
)
def test_a_table_is_read_as_clubs_write_it(line: str) -> None:
    read = read_draw(line, TEAMS, (2,), 1)
    assert (read.rounds, read.faults) == ({1: [(3, (1, 3))]}, [])


def test_a_whole_evening_is_read_with_headings_and_byes() -> None:
    text = "Table, Team, Team\nRound 1\n1, 2\n3, 4\nBye: Five or Better\n\nRound 2:\n7: 1 – 9\n2 – 3\n"
    read = read_draw(text, TEAMS, (2,), 1)
    assert read.faults == []
    assert {number: (one.tables, one.numbers) for number, one in read.by_hand().items()} == {
        1: (((1, 2), (3, 4)), (0, 0)),
        2: (((1, 9), (2, 3)), (7, 0)),
    }


def test_what_cannot_be_read_is_said_with_its_row_and_its_field() -> None:
    read = read_draw("1: Aces – Books\n2: Aces – 99\n\n3: Eagles", TEAMS, (2,), 1)
    assert [fault.text for fault in read.faults] == [
        "Row 2, name 2: nobody called “99” is entered.",
        "Row 2, name 1: already in row 1: Aces.",
        "Row 4: 1 name here, and 2 play at a table.",
    ]


def test_rounds_are_pasted_with_their_table_numbers(four: Event, dana: User) -> None:
    text = "Game 1\n4: 1 – 2\n7: 3 – 4\nRound 2\n4: 1 – 3\n7: 2 – 4"
    assert signed_in(dana).post(f"/desk/{four.slug}/draw/1/by-hand/", {"text": text}).status_code == 302
    assert [[(table.table, list(table.teams)) for table in round_.tables] for round_ in draw_overview(four).rounds] == [
        [(4, [1, 2]), (7, [3, 4])],
        [(4, [1, 3]), (7, [2, 4])],
    ]
    assert seats_words(four, draw_overview(four)) == "By hand"


def test_a_round_comes_from_a_file_and_a_wrong_one_stays_in_the_field(four: Event, dana: User) -> None:
    client, to = signed_in(dana), f"/desk/{four.slug}/draw/1/by-hand/"
    wrong = client.post(to, {"file": SimpleUploadedFile("draw.csv", b"1,Aces,Books\n2,Night Owls,Egales\n")})
    shown = page_of(wrong)
    assert (wrong.status_code, Round.objects.count()) == (422, 0)
    assert "Row 2, name 2: nobody called “Egales” is entered." in shown and "2,Night Owls,Egales" in shown
    right = client.post(to, {"file": SimpleUploadedFile("draw.csv", b"Table,A,B\n1,Aces,Books\n2,Night Owls,Eagles\n")})
    assert (right.status_code, drawn(four)) == (302, [TWO])


def test_a_draw_of_a_workbook_is_shown_with_the_sheets_that_were_not_read(four: Event, dana: User) -> None:
    client, to = signed_in(dana), f"/desk/{four.slug}/draw/1/by-hand/"
    old = {"title": "Last year", "hidden": True, "rows": [["Table", "A", "B"], [1, "Aces", "Eagles"]]}
    new = {"title": "Tonight", "rows": [["Table", "A", "B"], [1, "Aces", "Books"], [2, "Night Owls", "Eagles"]]}
    cover = {"title": "Cover", "rows": [["Welcome"]]}
    looked = client.post(to, {"file": SimpleUploadedFile("draw.xlsx", workbook([old, cover, new]))})
    said = "Read from the sheet “Tonight”; skipped: “Cover”, “Last year” (hidden)."
    assert (looked.status_code, said in page_of(looked), drawn(four)) == (422, True, [])
    assert client.post(to, {"text": looked.context["form"].data["text"]}).status_code == 302
    assert drawn(four) == [TWO]


def test_a_rematch_in_a_list_is_drawn_by_one_more_press(four: Event, dana: User) -> None:
    client, to = signed_in(dana), f"/desk/{four.slug}/draw/1/by-hand/"
    text = "Game 1\n1 – 2\n3 – 4\nRound 2\n1 – 2\n3 – 4"
    asked = client.post(to, {"text": text})
    page = page_of(asked)
    warned = "Game 2: Aces and Books meet again in game 2; they met in game 1."
    assert "Check this before you draw:" in page
    # The button is beside the warning, not below the tables.
    assert page.index(warned) < page.index('">Draw it anyway') < page.index('name="text"')
    assert (asked.status_code, Round.objects.count()) == (422, 0)
    assert client.post(to, {"text": text, "confirmed": asked.context["impact"].key}).status_code == 302
    assert drawn(four) == [TWO, TWO]


def test_same_cities_are_no_matter_where_nobody_keeps_them_apart(four: Event, dana: User) -> None:
    draw_by_hand(Actor(dana), four, 1, TWO)
    assert draw_overview(four).notes == ()
    Event.objects.update(keep_apart=True)
    answer = signed_in(dana).post(f"/desk/{four.slug}/draw/2/by-hand/", {"text": "1 – 3\n2 – 4"})
    assert "Aces and Night Owls, both of Columbus, meet in game 2." in page_of(answer)


def test_a_team_at_two_tables_is_marked_at_both_and_who_has_no_seat_is_named(four: Event, dana: User) -> None:
    said = {"t1s0": "1", "t1s1": "2", "t2s0": "3", "t2s1": "1", "n1": "5", "n2": "8"}
    form = signed_in(dana).post(f"/desk/{four.slug}/draw/1/by-hand/", said).context["form"]
    text = "Seated 2 times: Aces (tables 5 and 8). At no table: Eagles."
    assert dict(form.errors) == {"t1s0": [text], "t2s1": [text]}


def test_a_swap_that_makes_a_rematch_says_so_before_and_after(four: Event, dana: User) -> None:
    draw_by_hand(Actor(dana), four, 1, TWO)
    draw_by_hand(Actor(dana), four, 2, [(1, 3), (2, 4)])
    impact = impact_of(partial(swap_teams, Actor(dana), four, 2, 2, 3, "wrong seats"))
    [change] = [one for one in impact.changes if one.place == "Who meets whom"]
    assert (change.what, change.before, change.after) == (
        "Game 2",
        "–",
        "Aces and Books meet again in game 2; they met in game 1. "
        "Night Owls and Eagles meet again in game 2; they met in game 1.",
    )
    swap_teams(Actor(dana), four, 2, 2, 3, "wrong seats")
    assert len(draw_overview(four).rounds[1].notes) == 2
    swap_teams(Actor(dana), four, 2, 2, 3, "and back")
    assert draw_overview(four).rounds[1].notes == ()


def test_drawing_again_over_rounds_by_hand_says_first_what_is_lost(four: Event, dana: User) -> None:
    draw_rounds(Actor(dana), four, seed=1)
    draw_by_hand(Actor(dana), four, 2, [(1, 3), (2, 4)], numbers=(5, 6))
    client, to = signed_in(dana), f"/desk/{four.slug}/draw/"
    note_printed(Actor(dana), four, ["a code"])
    asked = client.post(to, {"seats": "lot", "seed": "7"})
    shown = page_of(asked)
    assert "Seated by hand: game 2." in shown and "Papers of this draw were printed at" in shown
    assert (asked.status_code, [round_.by_hand for round_ in draw_overview(four).rounds][1]) == (200, True)
    form = {"seats": "lot", "seed": "7", "confirmed": confirmed_in(shown)}
    assert client.post(to, form).status_code == 302
    assert (fresh(four).seed, any(round_.by_hand for round_ in draw_overview(four).rounds)) == (7, False)


def test_a_new_draw_says_that_the_evenings_papers_were_printed(four: Event, dana: User) -> None:
    draw_rounds(Actor(dana), four, seed=1)
    to = reverse("print-choice", kwargs={"slug": four.slug, "job": "tonight"})
    assert signed_in(dana).post(to, {"part": ["seating", "slips"]}).status_code == 302
    assert Journal.objects.get(event=four, action="print").text == "Printed: seating, slips"
    [lost] = lost_by_redraw(four)
    assert lost.startswith("Papers of this draw were printed at")


def after_game_1(dana: User, teams: int, **fields: Any) -> Event:
    event = make_event("Evening", dana, rounds_planned=3, teams=teams, **fields)
    draw_rounds(Actor(dana), event, seed=1)
    finish(event, dana, 1)
    return event


def test_moving_teams_that_are_drawn_again_in_play_are_said_to_be_the_same(dana: User) -> None:
    event = after_game_1(dana, 8)
    answer = signed_in(dana).post(f"/desk/{event.slug}/draw/", {"seed": "7"}, follow=True)
    assert "2 games drawn: every table is the same as before" in answer.content.decode()


def test_by_number_says_how_many_were_moved_to_keep_cities_apart(dana: User) -> None:
    event = make_event("Evening", dana, keep_apart=True, rounds_planned=2)
    for team in make_teams(event, 8):
        team.city = "Dayton" if team.number in (1, 5) else f"City {team.number}"
        team.save()
    draw_rounds(Actor(dana), event, seed=1, by_number=True)
    event.refresh_from_db()
    plain = [(number, number + 4) for number in range(1, 5)]
    moved = sum(
        (table, side) != (number - 1 if number < 5 else number - 5, number > 4)
        for table, teams in enumerate(drawn(event)[0])
        for side, number in enumerate(teams)
    )
    assert drawn(event)[0] != plain
    assert seats_words(event, draw_overview(event)) == f"By number, moved to keep cities apart ({moved} teams)"


def test_a_team_that_leaves_leaves_its_table_empty(dana: User) -> None:
    event = after_game_1(dana, 8)
    old = [{frozenset(t.teams): t.table for t in round_.tables} for round_ in draw_overview(event).rounds]
    change_and_reseat(Actor(dana), event, lambda: withdraw_team(Actor(dana), event, 1, 1))
    new = [{frozenset(t.teams): t.table for t in round_.tables} for round_ in draw_overview(event).rounds]
    same = [
        (at, old[number][pair]) for number, one in enumerate(new) for pair, at in one.items() if pair in old[number]
    ]
    assert same and all(at == before for at, before in same)


def test_a_late_teams_preview_has_its_summary_on_top(dana: User) -> None:
    event = after_game_1(dana, 7)
    announced = impact_of(partial(change_and_reseat, Actor(dana), event, partial(add_team, Actor(dana), event, LATE)))
    assert announced.summary == ("Game 2: 4 tables, no bye, no rematch", "Game 3: 4 tables, no bye, no rematch")
    form = {"name": LATE.name, "player1": LATE.players[0], "player2": LATE.players[1]}
    page = signed_in(dana).post(f"/desk/{event.slug}/teams/", form).content.decode()
    places = [page.index(one) for one in (announced.summary[0], 'name="confirmed"', "<h4>Game 2")]
    assert places == sorted(places)


def test_rounds_by_hand_stay_by_hand_through_the_event_file(four: Event, dana: User) -> None:
    draw_rounds(Actor(dana), four, seed=1)
    draw_by_hand(Actor(dana), four, 2, [(1, 3), (2, 4)])
    four.refresh_from_db()
    copied = import_event(Actor(dana), json.loads(json.dumps(export_event(four))))
    first, second, *_ = (round_.by_hand for round_ in draw_overview(copied).rounds)
    assert (first, second) == (False, True)
    assert seats_words(copied, draw_overview(copied)) == seats_words(four, draw_overview(four))
    asked = signed_in(dana).post(f"/desk/{copied.slug}/draw/", {"seats": "lot", "seed": "7"})
    assert "Seated by hand: game 2." in page_of(asked)


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("seating-pdf", {"number": 1}),
        ("event-pdf", {"name": "slips"}),
        ("round-pdf", {"number": 1}),
    ],
)
def test_a_new_draw_says_that_slips_and_lists_were_printed(
    four: Event, dana: User, name: str, where: dict[str, Any]
) -> None:
    draw_rounds(Actor(dana), four, seed=1)
    client, to = signed_in(dana), f"/desk/{four.slug}/draw/"
    client.get(reverse("event-pdf", kwargs={"slug": four.slug, "name": "rules"}))
    assert lost_by_redraw(four) == ()
    # Without anything to lose, nothing is asked.
    assert client.post(to, {"seats": "lot", "seed": "1"}).status_code == 302
    for _ in range(2):
        assert client.get(reverse(name, kwargs={"slug": four.slug, **where})).status_code == 200
    acts = Journal.objects.filter(event=four, action="print")
    assert [(act.user, act.text.startswith("Printed: s")) for act in acts] == [(dana, True)]
    assert "Papers of this draw were printed at" in client.post(to, {"seats": "lot", "seed": "7"}).content.decode()
    draw_rounds(Actor(dana), four, seed=7)
    assert lost_by_redraw(four) == ()


# A draw is made from what was read once. Changes in the meantime are noticed; otherwise nothing is planned twice.
def draw_while(event: Event, dana: User, act: Callable[[], object]) -> None:
    """Draw, and let somebody else act when the plan is made and the event is not locked yet."""
    plan_is_made = False

    def run(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal plan_is_made
        if "tournament_bye" in sql and not plan_is_made:
            plan_is_made = True
            answer = execute(sql, *rest)
            act()
            return answer
        return execute(sql, *rest)

    with connection.execute_wrapper(run):
        draw_rounds(Actor(dana), event, seed=7)


@pytest.fixture
def swiss(dana: User) -> Event:
    return after_game_1(dana, 6, movement="swiss")


def test_a_team_that_comes_while_a_draw_is_made_is_not_left_out(swiss: Event, dana: User) -> None:
    with pytest.raises(Conflict, match="Please draw again"):
        draw_while(
            swiss, dana, lambda: add_team(Actor(dana), swiss, RosterRow(name="Late Birds", players=("Al", "Bo")))
        )
    assert len(drawn(swiss)) == 1


def test_what_changes_nothing_of_the_draw_does_not_hinder_it(swiss: Event, dana: User) -> None:
    def write() -> None:
        with writing(swiss):
            pass

    draw_while(swiss, dana, write)
    assert len(drawn(swiss)) == 2


@pytest.mark.parametrize("teams", [8, 24])
def test_a_draw_takes_as_many_statements_for_many_teams_as_for_few(dana: User, teams: int, desk: Client) -> None:
    event = after_game_1(dana, teams, movement="swiss")
    assert statements_of(lambda: desk.post("/desk/evening/draw/", {"seats": "lot"}), 302) == 26
    assert len(drawn(event)) == 2

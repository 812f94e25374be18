"""Check-in: phones for their own team, a shared tablet, the desk; who has not come is left out and comes back."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.factories import confirmed_in, make_event, make_teams, page_of, play, words_of
from tests.sure import fresh, refusal_of, statements_of, sure
from tests.tournament.test_rights_by_content import text_of
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Event, Game, Journal, Side, Team
from tournament.queries.checkin import no_shows
from tournament.queries.todo_next import checklist
from tournament.reports.pdf.catalog import Wanted, printed
from tournament.services.corrections import apply_ruling
from tournament.services.devices import issue_card, pair_device
from tournament.services.draws import draw_rounds
from tournament.services.events import copy_event
from tournament.services.rounds import close_round, start_round
from tournament.services.teams import check_in, come, leave_out, withdraw_team

PAGE, DESK = "/e/door/check-in/", "/desk/door/check-in/"


@pytest.fixture
def door(dana: User) -> Event:
    event = make_event("Door", dana, checks_in=True, seed=5)
    make_teams(event, 6)
    return event


@pytest.fixture
def code(door: Event) -> str:
    return door.wall_code


def press(client: Client, number: int, code: str = "", **more: str) -> tuple[int, str]:
    """What the page answers to a press, and what is read there."""
    answer = client.post(PAGE, {"number": str(number), "code": code, **more}, follow=True)
    return answer.status_code, words_of(answer)


def here(event: Event) -> list[int]:
    return list(event.teams.exclude(here_at=None).values_list("number", flat=True))


def test_a_phone_checks_in_its_own_team_and_no_other(door: Event, code: str) -> None:
    phone = Client()
    assert "Night Owls Ann 3 & Bea 3 We are here" in words_of(phone.get(PAGE, {"code": code, "team": "night"}))
    status, words = press(phone, 3, code)
    assert (status, "3 Night Owls You are checked in." in words, here(door)) == (200, True, [3])
    # Twice is once.
    assert press(phone, 3, code)[0] == 200
    status, words = press(phone, 4, code)
    assert (status, here(door)) == (409, [3])
    assert "This phone checked in 3 Night Owls. For another team, please go to the desk." in words
    # Nobody outside reads in a refusal who did what.
    assert "The last change here" not in words
    assert [act.text for act in Journal.objects.filter(action="check-in")] == ["3 Night Owls checked in from a phone"]
    # Its cookie is enough, even without the code.
    assert "You are checked in." in words_of(phone.get(PAGE))
    assert press(phone, 3, here="no")[0] == 200
    assert here(door) == []
    # A player who pressed for the wrong team starts again.
    assert press(phone, 4, code)[0] == 200
    assert here(door) == [4]


def test_two_phones_of_a_team_count_once_and_only_the_first_takes_it_back(door: Event, code: str) -> None:
    first, second = Client(), Client()
    assert "You are checked in." in press(first, 1, code)[1]
    assert "You are checked in." in press(second, 1, code)[1]
    assert press(second, 2, code)[0] == 409
    assert press(second, 1, code, here="no")[0] == 409
    assert "Undo check-in" not in words_of(second.get(PAGE))
    assert Journal.objects.filter(action="check-in").count() == 1
    press(first, 1, here="no")
    assert "You are not checked in." in words_of(second.get(PAGE))


def test_without_the_code_of_the_wall_nobody_is_checked_in(door: Event, code: str, dana: User) -> None:
    for named in (False, True):
        # Before the draw strangers are not told what the event is called; the poster's address asks for its code.
        assert ("Scan the code on the wall" in (page := words_of(Client().get(PAGE))), "Door" in page) == (True, named)
        page = words_of(Client().get(PAGE, {"code": "AAAAAA"}))
        assert ("This is not the code on the wall." in page, "Door" in page) == (True, named)
        draw_rounds(Actor(dana), door, seed=5)
    assert "Aces" not in words_of(Client().get(PAGE, {"code": "AAAAAA", "team": "aces"}))
    for wrong in ("", "AAAAAA", "x" * 5000, "\u00e9"):
        assert press(Client(), 1, wrong)[0] == 422
    assert here(door) == []
    forged = Client()
    forged.cookies["uptown_here"] = "1|:forged"
    assert press(forged, 1)[0] == 422
    # As it is read aloud: in small letters, with a space.
    assert press(Client(), 1, f"{code[:3]} {code[3:]}".lower())[0] == 200


def test_a_hundred_wrong_codes_are_not_judged_and_the_right_one_never_counts(door: Event, code: str) -> None:
    for _ in range(40):
        assert Client().get(PAGE, {"code": code}).status_code == 200
    statuses = [Client().get(PAGE, {"code": f"AAAA{count:02}"}).status_code for count in range(100)]
    assert (statuses[0], statuses[-1], statuses.count(429)) == (200, 429, 70)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("9", "Number 9 is no longer in the list."),
        ("", "no longer in the list."),
        ("\u0663", "no longer in the list."),
        ("99999999999", "no longer in the list."),
        ("6", "6 High Rollers is withdrawn. The desk can bring them back."),
    ],
)
def test_an_unknown_team_and_one_that_left_get_a_clear_answer(
    door: Event, dana: User, code: str, number: str, text: str
) -> None:
    phone = Client()
    press(phone, 6, code)
    draw_rounds(Actor(dana), door, seed=5)
    withdraw_team(Actor(dana), door, 6, 0)
    answer = Client().post(PAGE, {"number": number, "code": code})
    assert (answer.status_code, text in words_of(answer)) == (409, True)
    assert "please ask the desk" in words_of(Client().get(PAGE, {"code": code, "team": "6"}))
    # On its own phone, too, where it was checked in before and is withdrawn while it is drawn.
    assert press(phone, 6, here="no")[0] == 409
    assert "6 High Rollers is withdrawn. The desk can bring you back." in words_of(phone.get(PAGE))


def test_once_game_1_is_started_players_go_to_the_desk(door: Event, dana: User, code: str, desk: Client) -> None:
    draw_rounds(Actor(dana), door, seed=5)
    start_round(Actor(dana), door, 1)
    late = "Game 1 has started. Please go to the desk: it seats latecomers."
    assert late in words_of(Client().get(PAGE, {"code": code}))
    status, words = press(Client(), 1, code)
    assert (status, late in words, here(door)) == (409, True, [])
    # The desk still notes who comes.
    assert desk.post(DESK, {"number": "1", "here": "yes"}).status_code == 302
    Event.objects.filter(pk=door.pk).update(stage="over")
    assert press(Client(), 2, code)[0] == 409
    assert "This event is over." in words_of(Client().get(PAGE, {"code": code}))


def test_a_shared_tablet_checks_in_one_team_after_the_other(door: Event, dana: User) -> None:
    tablet, foreign = Client(), Client()
    tablet.cookies[TABLE_COOKIE] = pair_device(Actor(), issue_card(Actor(dana), door, 1))
    other = make_event("Other", dana, checks_in=True)
    foreign.cookies[TABLE_COOKIE] = pair_device(Actor(), issue_card(Actor(dana), other, 1))
    assert "2 Books: here." in press(tablet, 2)[1]
    assert "5 Full Deck: here." in press(tablet, 5)[1]
    assert "5 Full Deck: not here." in press(tablet, 5, here="no")[1]
    assert here(door) == [2]
    assert "Full Deck Ann 5 & Bea 5 We are here" in words_of(tablet.get(PAGE, {"team": "5"}))
    assert press(foreign, 3)[0] == 422
    first = sure(Journal.objects.filter(action="check-in").order_by("pk").first())
    assert (first.text, first.who) == ("2 Books checked in on a shared tablet", "Table 1")


def test_where_nobody_checks_in_there_is_nothing_of_it(door: Event, dana: User, code: str, desk: Client) -> None:
    Event.objects.filter(pk=door.pk).update(checks_in=False)
    assert Client().get(PAGE, {"code": code}).status_code == 404
    assert "Teams do not check in at this event." in words_of(desk.get(DESK))
    assert {"Check-in", "Here"}.isdisjoint(words_of(desk.get("/desk/door/teams/")).split())
    assert "here" not in [item.key for item in checklist(fresh(door)).items]
    assert refusal_of(lambda: check_in(Actor(dana), door, 1, "desk"), Conflict).status == 409
    # A rehearsal is nobody's business outside.
    Event.objects.filter(pk=door.pk).update(checks_in=True, slug="_door")
    assert Client().get("/e/_door/check-in/", {"code": code}).status_code == 404


def test_the_desk_checks_in_by_one_press_a_row(door: Event, desk: Client) -> None:
    assert "0 here 6 not yet" in words_of(desk.get(DESK))
    answer = desk.post(DESK, {"number": "2", "here": "yes"}, headers={"HX-Request": "true"})
    assert (answer.status_code, "1 here 5 not yet" in words_of(answer)) == (200, True)
    assert "Drop the 5 no-shows" in words_of(answer)
    row = words_of(desk.get("/desk/door/teams/"))
    assert "Here" in row
    desk.post(DESK, {"number": "2", "here": "no"})
    assert here(door) == []
    assert [desk.post(DESK, {"number": wrong}).status_code for wrong in ("77", "x", "", "-1")] == [409] * 4
    assert [act.text for act in Journal.objects.filter(action="check-in").order_by("pk")] == [
        "2 Books checked in at the desk",
        "2 Books: check-in undone, at the desk",
    ]


def test_who_has_not_come_is_left_out_in_one_act_and_comes_back_in_one(door: Event, dana: User, desk: Client) -> None:
    for number in (1, 2, 3, 4):
        check_in(Actor(dana), door, number, "desk")
    asked = {"numbers": "5,6,x,9"}
    shown = page_of(desk.post(f"{DESK}absent/", asked))
    assert "Drop 2 teams not here yet?" in shown
    assert "5 Full Deck" in shown
    assert door.teams.filter(status="left").count() == 0
    desk.post(f"{DESK}absent/", asked | {"confirmed": confirmed_in(shown)})
    assert list(door.teams.filter(status="left", left_after=0).values_list("number", flat=True)) == [5, 6]
    draw_rounds(Actor(dana), fresh(door), seed=5)
    assert "Dropped 5 Full Deck" in words_of(desk.get(DESK))
    # With a draw, what it does to the tables is shown before.
    page = page_of(desk.post(f"{DESK}5/"))
    assert "Full Deck came" in page
    desk.post(f"{DESK}5/", {"confirmed": confirmed_in(page)})
    assert (here(door), fresh(door).teams.get(number=5).status) == ([1, 2, 3, 4, 5], "playing")
    assert door.rounds.get(number=1).byes.count() == 1
    # And the same the other way round.
    check_in(Actor(dana), door, 5, "desk", here=False)
    page = page_of(desk.post(f"{DESK}absent/", {"numbers": "5"}))
    assert "Drop 1 team not here yet?" in page and "5 Full Deck" in page
    desk.post(f"{DESK}absent/", {"numbers": "5", "confirmed": confirmed_in(page)})
    assert door.rounds.get(number=1).byes.count() == 0


def test_who_comes_while_it_is_asked_about_stays_in(door: Event, dana: User, desk: Client) -> None:
    check_in(Actor(dana), door, 5, "desk")
    assert leave_out(Actor(dana), door, [5, 6]) == (Team.objects.get(event=door, number=6).in_full,)
    assert desk.post(f"{DESK}absent/", {"numbers": "5,6"}).status_code == 409
    come(Actor(dana), door, 6)
    come(Actor(dana), door, 6)
    assert here(door) == [5, 6]
    draw_rounds(Actor(dana), door, seed=5)
    start_round(Actor(dana), door, 1)
    assert refusal_of(lambda: leave_out(Actor(dana), door, [1]), Conflict).status == 409


def test_what_is_to_do_says_who_has_not_checked_in(door: Event, dana: User, desk: Client) -> None:
    check_in(Actor(dana), door, 1, "desk")
    [item] = [item for item in checklist(door).items if item.key == "here"]
    assert (item.text, item.done, item.needed) == ("5 teams have not checked in", False, False)
    draw_rounds(Actor(dana), door, seed=5)
    for count in range(2, 7):
        words = f"{7 - count} team{'s have' if count < 6 else ' has'} not checked in."
        assert words in words_of(desk.get("/desk/door/tablets/parked/"))
        check_in(Actor(dana), door, count, "desk")
    assert "not checked in" not in words_of(desk.get("/desk/door/tablets/parked/"))


def test_a_no_show_of_game_1_is_asked_about_before_game_2(door: Event, dana: User, desk: Client) -> None:
    for number in (1, 2, 3):
        check_in(Actor(dana), door, number, "desk")
    draw_rounds(Actor(dana), door, seed=5)
    start_round(Actor(dana), door, 1)
    round_ = door.rounds.get(number=1)
    gone = Side.objects.filter(round=round_, team__number__in=(4, 5, 6)).select_related("team")[0]
    for game in Game.objects.filter(round=round_):
        if game.pk == gone.game_id:
            apply_ruling(Actor(dana), game, {"entry": "award", "rule": "13", "to": 1 - gone.index})
            play(dana, game)
        else:
            play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 13})
    asked = f"{gone.team.name} did not come to game 1: still in?"
    assert no_shows(fresh(door)) == (0, [])
    close_round(Actor(dana), door, 1)
    assert no_shows(fresh(door)) == (1, [gone.team])
    page = words_of(desk.get("/desk/door/tablets/parked/"))
    assert f"{asked} Still in Withdraw" in page
    assert words_of(desk.post(f"/desk/door/teams/{gone.team.number}/withdrawal/", {"after_round": "1"})).count(
        "Withdraw"
    )
    desk.post(DESK, {"number": str(gone.team.number)})
    assert asked not in words_of(desk.get("/desk/door/tablets/parked/"))
    check_in(Actor(dana), door, gone.team.number, "desk", here=False)
    start_round(Actor(dana), door, 2)
    assert no_shows(fresh(door)) == (0, [])


def test_who_came_to_game_1_and_not_to_game_2_is_asked_about_before_game_3(
    door: Event, dana: User, desk: Client
) -> None:
    for number in range(1, 7):
        check_in(Actor(dana), door, number, "desk")
    draw_rounds(Actor(dana), door, seed=5)
    for number, comes in ((1, True), (2, False)):
        start_round(Actor(dana), door, number)
        for game in Game.objects.filter(round__event=door, round__number=number).order_by("table"):
            if game.table == 1 and not comes:
                apply_ruling(Actor(dana), game, {"entry": "award", "rule": "13", "to": 0})
                play(dana, game)
            else:
                play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 13})
        close_round(Actor(dana), door, number)
    gone = Side.objects.get(round__number=2, game__table=1, index=1).team
    came, page = gone.here_at, "/desk/door/tablets/parked/"
    assert no_shows(fresh(door)) == (2, [gone])
    assert f"{gone.name} did not come to game 2: still in? Still in Withdraw" in words_of(desk.get(page))
    assert 'name="after_round" value="2"' in page_of(desk.get(page))
    # Said once, it is not asked again, and the log has it; who plays on is not asked about at all.
    for _ in range(2):
        desk.post(DESK, {"number": str(gone.number)})
    said = [act.text for act in door.journal.filter(action="check-in", code="still")]
    assert (no_shows(fresh(door)), said) == ((2, []), [f"{gone}: still in, at the desk"])
    assert came is not None and sure(fresh(gone).here_at) > came
    Team.objects.filter(pk=gone.pk).update(here_at=came)
    start_round(Actor(dana), door, 3)
    assert no_shows(fresh(door)) == (0, [])


def test_file_and_copy_carry_it_and_the_poster_brings_the_code(
    door: Event, dana: User, desk: Client, code: str
) -> None:
    check_in(Actor(dana), door, 2, "desk")
    again = import_event(Actor(dana), export_event(fresh(door)))
    assert (again.checks_in, here(again)) == (True, [2])
    assert again.teams.get(number=2).here_at == door.teams.get(number=2).here_at
    copy = copy_event(Actor(dana), fresh(door), "Next", door.date, with_teams=True)
    assert (copy.checks_in, here(copy)) == (True, [])
    poster = text_of(printed(Wanted(door), ["check-in"], "Poster", "http://hall.example/"))
    assert all(words in poster for words in ("Check in here", f"{code[:3]} {code[3:]}", "http://hall.example/e/door/"))
    draw_rounds(Actor(dana), door, seed=5)
    assert "Check-in poster" in words_of(desk.get("/desk/door/papers/"))
    assert desk.get("/desk/door/papers/check-in.pdf").status_code == 200


def test_the_pages_ask_the_database_as_often_for_many_teams(door: Event, dana: User, desk: Client, code: str) -> None:
    phone = Client()
    few = [statements_of(lambda: desk.get(DESK)), statements_of(lambda: phone.get(PAGE, {"code": code, "team": "e"}))]
    Team.objects.bulk_create(
        Team(event=door, number=number, name=f"Eagle {number}", key=f"eagle{number}", here_at=timezone.now())
        for number in range(10, 60)
    )
    assert few == [
        statements_of(lambda: desk.get(DESK)),
        statements_of(lambda: phone.get(PAGE, {"code": code, "team": "e"})),
    ]

"""The desk pages: who may open them, what they refuse, and that they ask the database a constant number of times."""

from __future__ import annotations

import datetime
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    MADE_FIVE,
    ODD,
    confirmed_in,
    make_event,
    make_round,
    make_teams,
    page_of,
    pairs_of,
    play,
    signed_in,
)
from tests.quick import remembered
from tests.sure import fresh, statements_of, sure
from tests.tournament.desk.test_games import at
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Round, Side
from tournament.services.corrections import apply_ruling, withdraw_ruling
from tournament.services.entries import record_entry
from tournament.services.rounds import call_director, go_to_call
from tournament.site import sessions

THREE = {"entry": "hand", "bidder": 0, "seat": 0, "bid": "3", "books": 9}
PAGES = ("desk", "desk-rulings", "desk-log")
HAND = {"seat": "0", "bid": "3", "books": "9", "position": "1"}


def page(name: str, event: Event) -> str:
    return reverse(name, args=[event.slug])


TABS = ["Game", "Teams", "Draw", "Standings", "Playoffs", "Boston pot", "Money", "Rulings", "Tablets"]
TABS += ["Print &amp; files", "Log", "Setup"]
FOR_DIRECTORS = {"Teams", "Draw", "Money", "Setup"}


@pytest.mark.parametrize(("who", "hidden"), [("dana", set()), ("vic", FOR_DIRECTORS)])
def test_desk_shows_only_the_tabs_that_open(
    client: Client, event: Event, request: pytest.FixtureRequest, who: str, hidden: set[str]
) -> None:
    client.force_login(request.getfixturevalue(who))
    Event.objects.update(pot_cents=1000)
    nav = client.get(page("desk", event)).content.decode().partition('aria-label="Desk"')[2].partition("</nav>")[0]
    tabs = re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', nav)
    assert [words for _, words in tabs] == [words for words in TABS if words not in hidden]
    assert {client.get(url).status_code for url, _ in tabs} == {200}


@pytest.mark.parametrize(("who", "ways"), [("vic", ["/desk/columbus-open/", "/"]), ("stranger", ["/"])])
def test_forbidden_page_leads_back_to_the_desk_of_whoever_may_see_it(
    client: Client, event: Event, request: pytest.FixtureRequest, who: str, ways: list[str]
) -> None:
    client.force_login(request.getfixturevalue(who))
    answer = client.get(page("desk-draw", event))
    shown = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    assert (answer.status_code, re.findall(r'href="([^"]+)"', shown)) == (403, ways)


def test_desk_acts_refuse_get(desk: Client, game: Game) -> None:
    names = ("game-entry", "game-undo", "game-opening", "game-witness", "game-seat")
    assert [desk.get(at(name, game)).status_code for name in names] == [405] * 5


def test_desk_of_another_event_does_not_show_the_game(desk: Client, game: Game, dana: User) -> None:
    other = make_event("Dayton Open", director=dana)
    assert desk.get(reverse("desk-game", args=[other.slug, game.pk])).status_code == 404


@remembered
def _hall(dana: User, tables: int) -> Event:
    event = make_event(f"Hall of {tables}", director=dana)
    for index, game in enumerate(make_round(event, pairs_of(make_teams(event, tables * 2))).games.all()):
        if index % 3 == 0:
            play(dana, game, MADE_FIVE)
        elif index % 3 == 1:
            record_entry(Actor(dana), game, THREE, source="desk")
            apply_ruling(Actor(dana), game, {"entry": "ruling", "rule": "32", "choice": "play-on", "side": 1})
        else:
            call_director(Actor(), game, "count")
    return event


@pytest.mark.parametrize("name", PAGES)
def test_desk_page_asks_as_often_for_two_tables_as_for_thirty(dana: User, name: str, desk: Client) -> None:
    few, many = (page(name, _hall(dana, tables)) for tables in (2, 30))
    assert statements_of(lambda: desk.get(few)) == statements_of(lambda: desk.get(many))


def test_desk_poll_with_nothing_new_is_204(desk: Client, game: Game) -> None:
    path = page("desk", game.round.event)
    version, later = "", None
    # The ages on the page begin a new version every few seconds: asked again where that fell in between.
    while version != later:
        version = desk.get(path).context["version"]
        again = desk.get(path, {"version": version}, headers={"HX-Request": "true"})
        later = desk.get(path).context["version"]
    other = desk.get(path, {"version": "old"}, headers={"HX-Request": "true"})
    assert (again.status_code, other.status_code) == (204, 200)
    assert b"<html" not in other.content


def test_desk_shows_each_table_in_its_state(desk: Client, event: Event, dana: User) -> None:
    round_ = make_round(event, pairs_of(make_teams(event, 12)))
    called, late, playing, signing, final, _ = round_.games.all()
    Side.objects.filter(game__in=[called, playing, signing, final]).update(seated_at=timezone.now())
    Side.objects.filter(game=late, index=0).update(seated_at=timezone.now())
    Round.objects.filter(pk=round_.pk).update(started_at=timezone.now() - datetime.timedelta(seconds=310))
    play(dana, playing, THREE)
    play(dana, signing, MADE_FIVE, sign=False)
    play(dana, final, MADE_FIVE)
    call_director(Actor(), called, "renege")
    context = desk.get(page("desk", event)).context
    assert [(card.table, card.state, card.words) for card in context["tables"]] == [
        (1, "called", "Director called"),
        (2, "late", "Late"),
        (3, "playing", "Playing"),
        (4, "to-sign", "To sign"),
        (5, "final", "Final"),
        (6, "late", "Late"),
    ]
    assert [(need.place, need.link, need.query) for need in context["needs"]] == [
        ("Table 1", "ruling", "rule=41"),
        ("Table 2", "award", "rule=13&choice=award&side=1"),
        ("Table 6", "award", "rule=13&choice=both-late"),
        ("Table 4", "game", ""),
    ]


def test_a_table_that_has_not_sat_down_plays_on_no_page(desk: Client, game: Game, dana: User) -> None:
    event, team = game.round.event, sure(game.sides.first()).team
    pages = (
        at("desk-game", game),
        reverse("team", args=[event.slug, team.number]),
        reverse("public-game", args=[event.slug, game.pk]),
        reverse("schedule", args=[event.slug]),
    )
    for path in pages:
        content = desk.get(path).content.decode()
        assert ("Not seated" in content, "Playing" in content) == (True, False), path
    assert "Nothing. 1 table not marked as seated." in desk.get(page("desk", event)).content.decode()
    play(dana, game, THREE)
    for path in pages:
        content = desk.get(path).content.decode()
        assert ("Not seated" in content, "Playing" in content) == (False, True), path
    assert "Nothing. All tables are playing." in desk.get(page("desk", event)).content.decode()


def test_desk_never_awards_a_game_by_itself(desk: Client, game: Game) -> None:
    Round.objects.filter(pk=game.round_id).update(started_at=timezone.now() - datetime.timedelta(hours=2))
    desk.get(page("desk", game.round.event))
    assert (Entry.objects.count(), Game.objects.get(pk=game.pk).state) == (0, "playing")


def test_desk_finds_tables_by_number_team_and_state(desk: Client, event: Event, dana: User) -> None:
    teams = make_teams(event, 8)
    make_round(event, pairs_of(teams))
    path = page("desk", event)
    rows = [
        [card.table for card in desk.get(path, asked).context["tables"]]
        for asked in ({"q": "3"}, {"q": "owls"}, {"q": "bea 4"}, {"q": "ann"}, {"show": "final"}, {"q": "nobody"})
    ]
    assert rows == [[3], [2], [2], [1, 2, 3, 4], [], []]
    make_round(event, [(teams[0], teams[1])], number=2, state="planned").byes.create(team=teams[6])
    shown = desk.get(path, {"q": "bea", "round": "2"}).content.decode()
    assert ["Ann 2 & Bea 2" in shown, "Ann 7 & Bea 7" in shown] == [True, True]


@pytest.mark.parametrize("asked", ["abc", "99999999999999999999", "-1", "²"])
def test_desk_with_a_round_that_is_none_shows_the_current(desk: Client, game: Game, asked: str) -> None:
    assert desk.get(page("desk", game.round.event), {"round": asked}).context["desk"].number == 1


def test_desk_without_teams_leads_to_the_teams_first(desk: Client, event: Event) -> None:
    page = desk.get(f"/desk/{event.slug}/").content.decode()
    assert ("Enter the teams" in page, "Draw the rounds" in page) == (True, False)


def test_desk_before_any_draw_leads_a_verifier_nowhere_that_is_closed(client: Client, event: Event, vic: User) -> None:
    client.force_login(vic)
    shown = client.get("/desk/columbus-open/").content.decode().partition("<main")[2].partition("</main>")[0]
    assert ("No game is drawn yet" in shown, re.findall(r'href="([^"]+)"', shown)) == (True, [])


def test_desk_leads_to_the_sheets_from_paper_while_none_waits(desk: Client, game: Game) -> None:
    assert 'href="/desk/columbus-open/verify/"' in desk.get("/desk/columbus-open/").content.decode()


def test_desk_poll_after_the_sign_in_has_ended_is_401(client: Client, game: Game) -> None:
    asked = client.get("/desk/columbus-open/?version=1", headers={"HX-Request": "true"})
    assert (asked.status_code, asked.content.decode()) == (401, "You are no longer signed in.")


def test_desk_says_why_a_round_cannot_be_closed_and_when_it_can(desk: Client, game: Game, dana: User) -> None:
    path = page("desk", game.round.event)
    assert desk.get(path).context["desk"].refusal == "Not final yet: table 1."
    play(dana, game, MADE_FIVE)
    assert desk.get(path).context["desk"].refusal == ""


def test_seat_everybody_stops_every_clock(desk: Client, game: Game) -> None:
    desk.post(reverse("round-seats", args=[game.round.event.slug, 1]))
    assert [card.state for card in desk.get(page("desk", game.round.event)).context["tables"]] == ["playing"]


def test_call_is_answered_from_the_desk(desk: Client, game: Game) -> None:
    call = call_director(Actor(), game, "score")
    assert desk.post(reverse("call-answer", args=[game.round.event.slug, call.pk])).status_code == 302
    assert (fresh(call).answered_at is not None, sure(call.answered_by).username) == (True, "dana")


def test_a_director_says_to_be_on_the_way_once_and_an_answered_call_is_nobodys(
    desk: Client, dana: User, vic: User, game: Game
) -> None:
    call, slug = call_director(Actor(), game, "score"), game.round.event.slug
    way, answer = (reverse(name, args=[slug, call.pk]) for name in ("call-way", "call-answer"))
    assert "On my way" in desk.get(page("desk", game.round.event)).content.decode()
    assert desk.post(way).status_code == 302
    go_to_call(Actor(vic), call)
    assert (fresh(call).coming_at is not None, sure(fresh(call).coming_by).username) == (True, "dana")
    for path in (page("desk", game.round.event), at("desk-game", game), at("game-ruling", game)):
        text = desk.get(path).content.decode()
        assert ("dana is on the way" in text, "On my way" in text) == (True, False), path
    desk.post(answer)
    again = desk.post(way)
    assert (again.status_code, "closed already" in again.content.decode()) == (409, True)


def test_log_is_searched_paged_and_downloaded(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, THREE)
    path = page("desk-log", game.round.event)
    found_page = desk.get(path, {"q": "hand written"}).context["table"].page
    assert [row.record.text for row in found_page] == ["Game 1, table 1: hand 1 written"]
    nothing = desk.get(path, {"q": "no such words"})
    assert (len(nothing.context["table"].data), "Nothing found. " in nothing.text) == (0, True)
    assert desk.get(path, {"page": "99999999999999999999"}).status_code == 200
    file = desk.get(path, {"format": "csv"})
    assert (file["Content-Type"], b"hand 1 written" in file.content) == ("text/csv; charset=utf-8", True)


def test_journal_names_stay_text_on_the_page(desk: Client, game: Game, dana: User) -> None:
    bad = "<script>alert(1)</script>"
    apply_ruling(Actor(dana), game, {"entry": "ruling", "rule": "42", "choice": "warning", "side": 0, "reason": bad})
    withdraw_ruling(Actor(dana), game, position=1, revision=0, reason=bad)
    for path in (page("desk-rulings", game.round.event), page("desk-log", game.round.event), at("desk-game", game)):
        page_text = desk.get(path).text
        assert ("<script>alert" in page_text, "&lt;script&gt;alert(1)&lt;/script&gt;" in page_text) == (False, True), (
            path
        )


def test_a_signed_game_with_an_open_call_is_final_and_the_round_closes(desk: Client, dana: User, game: Game) -> None:
    play(dana, game, MADE_FIVE)
    call_director(Actor(), game, "score")
    page = desk.get(reverse("desk", args=[game.round.event.slug])).content.decode()
    assert "Director called" in page and "1 of 1 final" in page
    assert "Not final yet" not in page and "signed on paper" not in page


def test_an_imported_line_names_no_writer(desk: Client, event: Event) -> None:
    make_teams(event, 2)
    game = played_round(event, [(1, 2, win(0))]).games.get()
    page = desk.get(f"/desk/{event.slug}/games/{game.pk}/").content.decode()
    assert re.findall(r'class="author">\s*(.*?)\s', page) == ["import"]


# What the desk costs the database: as many statements for many tables as for few, and each thing read once.
def evening(dana: User, pairs: int, source: str = "desk") -> Event:
    """One round that is closed, and one in play in which every other sheet comes from `source`."""
    event = make_event("Sizes", dana, slug=f"of-{pairs}-{source}", rounds_planned=3)
    teams = make_teams(event, 2 * pairs)
    half = list(zip(teams[:pairs], teams[pairs:], strict=True))
    for game in make_round(event, half).games.all():
        play(dana, game, MADE_FIVE)
    Round.objects.filter(event=event).update(state="closed")
    for game in make_round(event, [(other, first) for first, other in half], number=2).games.filter(table__gt=1):
        record_entry(Actor(dana), game, ODD, source=source if game.table % 2 else "desk")
    return event


def asked(queries: CaptureQueriesContext) -> int:
    """How many there were, without those that begin and end a transaction: not every database counts them."""
    marks = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
    return sum(not query["sql"].startswith(marks) for query in queries.captured_queries)


def at_the_desk(dana: User) -> Client:
    """The official has just typed the password."""
    client = signed_in(dana)
    session = client.session
    sessions.begin(session)
    session.save()
    return client


def test_the_desk_takes_as_many_statements_for_many_tables_as_for_few(dana: User) -> None:
    client, counts = signed_in(dana), []
    for pairs, source in ((3, "desk"), (12, "desk"), (3, "paper"), (12, "paper")):
        event = evening(dana, pairs, source)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/desk/{event.slug}/").status_code == 200
        counts.append(len(queries))
    # Sheets from paper took ten more: they were read for the round, and again for all that waits.
    assert counts == [26, 26, 28, 28]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("state", ["running", "closed"])
@pytest.mark.parametrize("pairs", [3, 12])
def test_a_correction_takes_few_statements_until_the_new_standings_are_out(dana: User, pairs: int, state: str) -> None:
    event, client = evening(dana, pairs), at_the_desk(dana)
    Round.objects.filter(event=event, number=2).update(state=state)
    game = Game.objects.get(round__event=event, round__number=1, table=1)
    form = {"seat": "0", "bid": "4", "books": "12", "revision": "0", "reason": "twelve books"}
    to, page = f"/desk/{event.slug}/games/{game.pk}/entries/1/revisions/", f"/e/{event.slug}/"
    visitor = Client()
    assert visitor.get(page).status_code == 200
    with CaptureQueriesContext(connection) as announced:
        key = confirmed_in(client.post(to, form).content.decode())
    assert Entry.objects.filter(game=game).count() == 1
    with CaptureQueriesContext(connection) as done:
        assert client.post(to, form | {"confirmed": key}).status_code == 302
    with CaptureQueriesContext(connection) as shown:
        assert visitor.get(page).status_code == 200
    assert Entry.objects.filter(game=game).count() == 2
    # A Boston pot takes two more when it is announced, and when it is done.
    assert asked(announced) <= 40
    assert asked(done) + asked(shown) <= 40


def test_the_desk_goes_on_to_the_next_game_unless_one_was_chosen(desk: Client, four: Event) -> None:
    pairs = pairs_of(list(four.teams.all()))
    make_round(four, pairs, 1, state="closed")
    make_round(four, pairs, 2)
    to = reverse("desk", args=[four.slug])
    polled = re.compile(r'<div id="round"[^>]*hx-get="([^"]+)"')
    page = page_of(desk.get(to))
    assert "round=" not in sure(polled.search(page))[1] and "is in play: <a" not in page
    page = page_of(desk.get(to, {"round": "1"}))
    assert sure(polled.search(page))[1].endswith("&round=1") and "Game 2 is in play: <a" in page

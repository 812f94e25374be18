"""Teams that join, leave, come back, merge, substitute or sat in the wrong place while the event goes on."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import (
    MADE_FIVE,
    PASSWORD,
    confirmed_in,
    impact_of,
    make_event,
    make_round,
    make_teams,
    page_of,
    pairs_of,
    play,
    revise_entry,
    signed_in,
)
from tests.quick import remembered
from tests.sure import fresh, sure
from tests.tournament.results.evenings import played_round, win
from tests.tournament.test_sessions import typed_long_ago
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, ValidationFailed
from tournament.models import Bye, Event, Game, Notice, Round, Substitution, Team
from tournament.queries.corrections import impact, picture
from tournament.queries.draws import draw_overview
from tournament.queries.lineups import substitutions_of
from tournament.queries.roster import RosterRow, row_of
from tournament.queries.rules import EVERYTHING
from tournament.queries.schedule import RoundCard, all_rounds, round_cards
from tournament.queries.sheet import sheet_now
from tournament.queries.signatures import standing_signatures
from tournament.queries.standings import standings
from tournament.services.corrections import apply_ruling
from tournament.services.draws import draw_rounds
from tournament.services.rounds import close_round, start_round
from tournament.services.substitutions import (
    change_and_reseat,
    seat_late,
    substitute,
    swap_teams,
)
from tournament.services.teams import add_team, merge_teams, withdraw_team

LATE = RosterRow(name="Late Birds", players=("Al", "Bo"))
SWAPS, WRONG_TABLES = "/desk/fours/rounds/1/swaps/", {"first": "1", "second": "3", "reason": "wrong tables"}


@pytest.fixture
@remembered
def seven(dana: User) -> Event:
    """Seven teams, four rounds drawn, the first in play."""
    event = make_event("Sevens", dana, rounds_planned=4, movement="round-robin", teams=7)
    draw_rounds(Actor(dana), event, seed=5)
    start_round(Actor(dana), event, 1)
    return fresh(event)


def tables(event: Event) -> list[tuple[int, list[tuple[int, ...]], list[int]]]:
    return [
        (
            round_.number,
            [table.teams for table in round_.tables],
            [seat.number for seat in round_.byes],
        )
        for round_ in draw_overview(event).rounds
    ]


def test_late_team_plays_the_one_with_the_bye_and_the_bye_can_come_back(seven: Event, dana: User) -> None:
    """In one act, for the round in play; later rounds are drawn again as for everybody who joins."""
    desk, rows = signed_in(dana), (tables(seven), table_of_places(seven))
    waits = seven.rounds.get(number=1).byes.get().team
    change_and_reseat(Actor(dana), seven, partial(add_team, Actor(dana), seven, LATE), redraw=False)
    assert f"Seat them with {waits.name} now" in page_of(desk.get("/desk/sevens/"))
    assert desk.post("/desk/sevens/rounds/1/late/", {"late": "8"}).status_code == 302
    assert tables(seven)[0] == (1, [*rows[0][0][1], (waits.number, 8)], [])
    assert table_of_places(seven) == {**rows[1], waits.number: (0, 0), 8: (0, 0)}
    assert (
        sure(seven.journal.first()).text == f"Game 1, table 4: 8 Late Birds came late and plays {waits}, who had a bye"
    )
    assert desk.post("/desk/sevens/rounds/1/late/", {"late": "8"}).status_code == 409
    assert "Table 4 was added for a team that came late." in page_of(desk.get("/desk/sevens/"))
    assert desk.post("/desk/sevens/rounds/1/late/", {"undo": "4"}).status_code == 302
    assert (tables(seven)[0], table_of_places(seven)) == (rows[0][0], {**rows[1], 8: (0, 0)})
    assert (seven.teams.get(number=8).joined_in, "Seat them with" in page_of(desk.get("/desk/sevens/"))) == (2, True)
    seat_late(Actor(dana), seven, 1, 8)
    play(dana, Game.objects.get(round__number=1, table=4), MADE_FIVE)
    assert desk.post("/desk/sevens/rounds/1/late/", {"undo": "4"}).status_code == 409


def table_of_places(event: Event) -> dict[int, tuple[int, int]]:
    """Games won and points of each team."""
    return {place.team: (place.record.won, place.record.points) for place in standings(fresh(event)).places}


def test_late_team_reseats_only_the_rounds_that_have_not_started(seven: Event, dana: User) -> None:
    before = tables(seven)
    act = partial(add_team, Actor(dana), seven, LATE)
    announced = impact_of(partial(change_and_reseat, Actor(dana), seven, act))
    assert (tables(seven), Team.objects.count()) == (before, 7)
    change_and_reseat(Actor(dana), seven, act)
    after = tables(seven)
    assert after[0] == before[0]
    assert [byes for _, _, byes in after[1:]] == [[], [], []]
    assert all(8 in {team for table in at for team in table} for _, at, _ in after[1:])
    lines = {(line.place, line.what): line.after for line in announced.changes}
    for round_ in draw_overview(seven).rounds[1:]:
        for at in round_.tables:
            words = " – ".join(seat.team for seat in at.seats)
            assert lines.get((round_.title, f"Table {at.table}"), words) == words


def test_rounds_that_were_drawn_by_number_are_seated_by_number_again(dana: User) -> None:
    event = make_event("Sixes", dana, rounds_planned=3, teams=6)
    draw_rounds(Actor(dana), event, by_number=True)
    assert tables(event)[0][1] == [(1, 4), (2, 5), (3, 6)]
    event = import_event(Actor(dana), export_event(Event.objects.get()))
    for late in (LATE, RosterRow(name="Later Birds", players=("Cy", "Di"))):
        change_and_reseat(Actor(dana), event, partial(add_team, Actor(dana), event, late))
    assert tables(event)[0] == (1, [(1, 5), (2, 6), (3, 7), (4, 8)], [])
    assert "By number" in signed_in(dana).get(f"/desk/{event.slug}/draw/").content.decode()
    draw_rounds(Actor(dana), event, seed=3)
    assert "Draw number 3" in signed_in(dana).get(f"/desk/{event.slug}/draw/").content.decode()


def test_team_that_leaves_is_in_no_later_round(seven: Event, dana: User) -> None:
    change_and_reseat(Actor(dana), seven, lambda: withdraw_team(Actor(dana), seven, 3, 1))
    later = tables(seven)[1:]
    assert later
    for _, at, byes in later:
        assert 3 not in {*(team for table in at for team in table), *byes}
        assert byes == []


def test_team_that_leaves_without_a_new_draw_forfeits_what_remains(seven: Event, dana: User) -> None:
    number = next(team for team in (1, 2, 3) if team not in tables(seven)[1][2])
    change_and_reseat(Actor(dana), seven, lambda: withdraw_team(Actor(dana), seven, number, 1), redraw=False)
    for game in Game.objects.filter(round__event=seven, round__number=1):
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), seven, 1)
    start_round(Actor(dana), seven, 2)
    game = Game.objects.get(round__event=seven, round__number=2, sides__team__number=number)
    winner = game.sides.get(index=sure(game.result.winner)).team.number
    assert (game.state, winner != number, max(game.result.points)) == ("final", True, 5)


def test_page_shows_what_changes_and_then_does_it(seven: Event, desk: Client) -> None:
    typed = {"name": "Late Birds", "player1": "Al", "player2": "Bo"}
    shown = desk.post("/desk/sevens/teams/", typed)
    assert (shown.status_code, Team.objects.count()) == (200, 7)
    page = shown.content.decode()
    assert "Enter Late Birds" in page and "Enter and re-seat" in page
    key = confirmed_in(page)
    assert desk.post("/desk/sevens/teams/", typed | {"confirmed": "stale"}).status_code == 200
    assert desk.post("/desk/sevens/teams/", typed | {"confirmed": key}).status_code == 302
    assert (Team.objects.count(), tables(seven)[1][2]) == (8, [])
    leave = {"after_round": "1"}
    leave |= {"confirmed": confirmed_in(page_of(desk.post("/desk/sevens/teams/3/withdrawal/", leave)))}
    gone = desk.post("/desk/sevens/teams/3/withdrawal/", leave | {"seating": "keep"})
    assert (gone.status_code, Team.objects.get(number=3).status) == (302, "left")
    # The same press again is its echo; another one is not.
    assert desk.post("/desk/sevens/teams/3/withdrawal/", {"after_round": "1"}).status_code == 302
    assert desk.post("/desk/sevens/teams/3/withdrawal/", {"after_round": "2"}).status_code == 409


def test_rounds_drawn_by_hand_are_left_to_the_hand(event: Event, dana: User) -> None:
    Event.objects.update(movement="by-hand")
    first, two, three, four = make_teams(event, 4)
    make_round(event, [(first, two), (three, four)])
    make_round(event, [(first, three), (two, four)], number=2, state="planned")
    act = partial(add_team, Actor(dana), event, LATE)
    announced = impact_of(partial(change_and_reseat, Actor(dana), fresh(event), act))
    assert announced.why_not == "The games are drawn by hand: seat their tables again on the Draw page."


# Substitutes
def names(game: Game) -> list[tuple[str, ...]]:
    return [side.players for side in sheet_now(game).sides]


@pytest.fixture
def second(game: Game, dana: User) -> Game:
    """Game 1 is final and closed; the same two teams meet again in game 2."""
    event = game.round.event
    play(dana, game, MADE_FIVE)
    Round.objects.update(state="closed")
    return make_round(event, [tuple(event.teams.all())], number=2).games.get()


def test_substitute_stands_on_sheets_from_his_game_on(game: Game, second: Game, dana: User) -> None:
    substitute(Actor(dana), game.round.event, 2, position=1, into="Cal", from_round=2, reason="Bea is ill")
    assert names(game) == [("Ann 1", "Bea 1"), ("Ann 2", "Bea 2")]
    assert names(second) == [("Ann 1", "Bea 1"), ("Ann 2", "Cal")]
    assert substitutions_of(Team.objects.get(number=2)) == (
        "Cal for Bea 2 from game 2 on, approved by dana: Bea is ill",
    )


def test_substitute_for_one_game_only_leaves_again(second: Game, dana: User) -> None:
    event = second.round.event
    substitute(Actor(dana), event, 2, position=1, into="Cal", from_round=2, only=True)
    third = make_round(event, [tuple(event.teams.all())], number=3, state="planned").games.get()
    assert names(third)[1] == ("Ann 2", "Bea 2")


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("into", "Ann 1", "Ann 1 already plays for Aces."),
        ("into", "Ann 2", "Ann 2 already plays for Books."),
        ("from_round", 0, "A substitute plays from the game in play on, or from a later one."),
        ("from_round", 1, "A substitute plays from the game in play on, or from a later one."),
        ("position", 7, "Choose the player who does not play."),
        ("into", "\u202eCal", "The character U+202E cannot be used in a name."),
    ],
)
def test_substitute_that_cannot_be_is_refused(second: Game, dana: User, field: str, value: Any, text: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        substitute(Actor(dana), second.round.event, 2, **{"position": 1, "into": "Cal", "from_round": 2, field: value})
    assert [(fault.field, fault.text) for fault in refused.value.faults] == [(field, text)]
    assert not Substitution.objects.exists()


def test_substitute_of_a_team_that_left_may_sit_in(second: Game, dana: User) -> None:
    event = second.round.event
    withdraw_team(Actor(dana), event, 1, 1)
    event.teams.filter(number=1).update(name="Deb W.")
    with pytest.raises(Conflict, match=r"Already withdrawn: Deb W\. No"):
        substitute(Actor(dana), event, 1, position=0, into="Cal", from_round=2)
    assert substitute(Actor(dana), event, 2, position=0, into="Ann 1", from_round=2).out == "Ann 2"


def test_substitute_is_approved_on_the_teams_page(second: Game, desk: Client) -> None:
    typed = {"position": "1", "into": "Cal", "from_round": "2", "reason": "ill"}
    assert desk.post("/desk/columbus-open/teams/2/substitutes/", typed | {"into": "Ann 1"}).status_code == 422
    assert desk.post("/desk/columbus-open/teams/2/substitutes/", typed).status_code == 302
    assert "Cal for Bea 2 from game 2 on" in desk.get("/desk/columbus-open/teams/2/").content.decode()
    assert "Cal for Bea 2 from game 2 on" in desk.get("/e/columbus-open/teams/2/").content.decode()


# Mergers
def test_two_singles_become_a_team_before_the_event_opens(event: Event, dana: User) -> None:
    add_team(Actor(dana), event, RosterRow(number=1, name="Ann", players=("Ann",)))
    add_team(Actor(dana), event, RosterRow(number=2, name="Bo", players=("Bo",)))
    merge_teams(Actor(dana), event, 1, 2, "Ann and Bo")
    assert [(team.number, team.name, [player.name for player in team.players.all()]) for team in event.teams.all()] == [
        (1, "Ann and Bo", ["Ann", "Bo"])
    ]


def test_merger_in_the_middle_keeps_what_both_played(game: Game, dana: User) -> None:
    event = game.round.event
    with pytest.raises(Conflict, match="Merge when that game is signed"):
        merge_teams(Actor(dana), event, 1, 2)
    play(dana, game, MADE_FIVE)
    merge_teams(Actor(dana), event, 1, 2)
    lines = standings(event).index_lines()
    assert (Team.objects.get(number=2).status, lines[1].won, lines[2].played) == ("left", 1, 1)
    with pytest.raises(Conflict, match="Already withdrawn: Books"):
        merge_teams(Actor(dana), event, 1, 2)


# Teams in the wrong place
@pytest.fixture
@remembered
def four(dana: User) -> Event:
    """Two tables of game 1: Aces – Books is final, Night Owls – Eagles in play with a hand; Full Deck has a bye."""
    event = make_event("Fours", dana)
    *paired, fifth = make_teams(event, 5)
    round_ = make_round(event, pairs_of(paired))
    Bye.objects.create(round=round_, team=fifth)
    games = list(round_.games.all())
    play(dana, games[0], MADE_FIVE)
    play(dana, games[1], {"entry": "hand", "bidder": 0, "bid": "2", "books": 8})
    return event


def seats(event: Event) -> list[tuple[str, list[int], tuple[int, ...]]]:
    return [
        (game.state, [side.team.number for side in game.sides.all()], tuple(game.result.scores))
        for game in Game.objects.filter(round__event=event).select_related("result")
    ]


def test_teams_at_each_others_tables_are_put_right(four: Event, dana: User) -> None:
    swap_teams(Actor(dana), four, 1, 1, 3, "they took the wrong table")
    assert seats(four) == [("to-sign", [3, 2], (5, 0)), ("playing", [1, 4], (2, 0))]
    assert (
        four.journal.get(action="swap").text
        == "Game 1: 1 Aces and 3 Night Owls were swapped: they took the wrong table"
    )
    assert {notice.team.number for notice in Notice.objects.all()} == {2, 3}


def test_sides_of_one_sheet_are_swapped(four: Event, dana: User) -> None:
    swap_teams(Actor(dana), four, 1, 1, 2, "written on the wrong side")
    assert seats(four)[0] == ("to-sign", [2, 1], (5, 0))


def test_team_that_played_for_one_with_a_bye_is_put_right(four: Event, dana: User) -> None:
    swap_teams(Actor(dana), four, 1, 5, 2, "Books had the bye")
    assert (seats(four)[0][1], [bye.team.number for bye in Bye.objects.all()]) == ([1, 5], [2])


def test_closed_round_stays_final_with_new_signatures(four: Event, dana: User) -> None:
    play(dana, Game.objects.get(table=2), MADE_FIVE)
    Round.objects.update(state="closed")
    swap_teams(Actor(dana), four, 1, 2, 4, "wrong tables")
    assert seats(four) == [("final", [1, 4], (5, 0)), ("final", [3, 2], (7, 0))]


@pytest.mark.django_db(transaction=True)
def test_team_pages_show_what_changes_in_a_round_that_is_closed(four: Event, dana: User) -> None:
    """A closed round is kept for all team pages: every act upon it must be seen there at once."""

    def rounds() -> tuple[RoundCard, ...]:
        return all_rounds(four, EVERYTHING, tuple(four.teams.values_list("number", "name")))

    play(dana, Game.objects.get(table=2), MADE_FIVE)
    Round.objects.update(state="closed")
    assert rounds()[0] is rounds()[0]
    acts: dict[str, Callable[[], Any]] = {
        "a swap": lambda: swap_teams(Actor(dana), four, 1, 2, 4, "wrong tables"),
        "a bye": lambda: swap_teams(Actor(dana), four, 1, 5, 1, "Aces had the bye"),
        "a correction": lambda: revise_entry(
            Actor(dana), Game.objects.get(table=1), position=1, revision=0, facts=MADE_FIVE | {"books": 12}, reason="x"
        ),
        "a name": lambda: Team.objects.filter(number=3).update(name="Larks"),
        "a restore": lambda: Event.objects.update(epoch=uuid.uuid4()),
    }  # fmt: skip
    for act, do in acts.items():
        before = rounds()
        do()
        four.refresh_from_db()
        assert (rounds() != before) == (act != "a restore"), act
        assert rounds() == round_cards(four.rounds.all(), EVERYTHING), act


def test_announced_swap_is_what_changes(four: Event, dana: User) -> None:
    games = list(Game.objects.order_by("table").values_list("pk", flat=True))
    before = picture(four, *games)
    announced = impact_of(partial(swap_teams, Actor(dana), four, 1, 1, 3, "x"))
    assert impact(before, picture(four, *games)).changes == ()
    swap_teams(Actor(dana), four, 1, 1, 3, "x")
    assert impact(before, picture(four, *games)).changes == announced.changes
    assert ("Standings", "3 Night Owls") in [change[:2] for change in announced.changes]


def test_merging_before_the_start_draws_the_rounds_anew(dana: User) -> None:
    event = make_event("Sixes", dana, rounds_planned=2, teams=6)
    draw_rounds(Actor(dana), event, seed=3)
    client, address, form = signed_in(dana), f"/desk/{event.slug}/teams/1/merger/", {"other": "2", "new_name": ""}
    page = client.post(address, form).content.decode()
    assert "and re-seat" in page and "keep the draw" not in page
    assert client.post(address, form | {"confirmed": confirmed_in(page)}).status_code == 302
    assert [sorted({*(team for table in at for team in table), *byes}) for _, at, byes in tables(fresh(event))] == [
        [1, 3, 4, 5, 6],
        [1, 3, 4, 5, 6],
    ]
    assert event.seed == 3


def test_swap_page_announces_first(four: Event, desk: Client) -> None:
    assert desk.get(f"{SWAPS}?first=1&second=3").status_code == 200
    page = desk.post(SWAPS, WRONG_TABLES).content.decode()
    key = confirmed_in(page)
    assert "Table 1: Points of Night Owls" in page and seats(four)[0][1] == [1, 2]
    assert desk.post(SWAPS, WRONG_TABLES | {"confirmed": key}).status_code == 302
    assert seats(four)[0][1] == [3, 2]
    assert desk.post(SWAPS, {"first": "1"}).status_code == 422


def test_swap_asks_for_the_password_before_it_is_done(four: Event, dana: User) -> None:
    desk = typed_long_ago(dana)
    key = confirmed_in(desk.post(SWAPS, WRONG_TABLES).content.decode())
    asked = desk.post(SWAPS, WRONG_TABLES | {"confirmed": key})
    assert (asked.status_code, "again_password" in asked.content.decode()) == (422, True)
    assert seats(four)[0][1] == [1, 2]
    assert desk.post(SWAPS, WRONG_TABLES | {"confirmed": key, "again_password": PASSWORD}).status_code == 302
    assert seats(four)[0][1] == [3, 2]


def test_ruling_that_sends_a_team_away_shows_the_new_seating_first(seven: Event, dana: User) -> None:
    game = sure(Game.objects.filter(round__event=seven, round__number=1).first())
    team, client, before = game.sides.get(index=1).team, signed_in(dana), tables(seven)
    address = f"/desk/sevens/games/{game.pk}/rulings/"
    form = {"rule": "46", "choice": "forfeit", "side": "1", "leaves": "yes", "leaves_asked": "1", "position": "1"}
    page = client.post(address, form).content.decode()
    key = confirmed_in(page)
    assert (
        f"Withdraw {team.name}" in page and "Re-seated" in page and (tables(seven), game.entries.count()) == (before, 0)
    )
    assert client.post(address, form | {"confirmed": key})["Location"] == f"/desk/sevens/games/{game.pk}/"
    assert (fresh(team).status, game.entries.count()) == ("left", 1)
    for _, at, byes in tables(seven)[1:]:
        assert team.number not in {*(team_at for table in at for team_at in table), *byes}


def test_withdrawn_ruling_that_sent_a_team_away_leads_to_that_team(seven: Event, dana: User) -> None:
    game = sure(Game.objects.filter(round__event=seven, round__number=1).first())
    team, client = game.sides.get(index=1).team, signed_in(dana)
    apply_ruling(Actor(dana), game, {"entry": "ruling", "rule": "46", "choice": "forfeit", "side": 1}, leaves=True)
    address = f"/desk/sevens/games/{game.pk}/entries/1/revisions/"
    form = {"what": "remove", "revision": "0", "reason": "they were in the hall"}
    key = confirmed_in(client.post(address, form).content.decode())
    answer = client.post(address, form | {"confirmed": key}, follow=True)
    assert answer.redirect_chain == [(f"/desk/sevens/teams/{team.number}/", 302)]
    page = answer.content.decode()
    assert f"Still withdrawn: {team.name}. If that is no longer right, change it here." in page
    assert f"/desk/sevens/teams/{team.number}/comeback/" in page


# A team that leaves while its game is played, and a name that is put right when the sheets are signed.
def test_a_team_that_leaves_in_a_round_is_settled_in_that_round(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=3, teams=4)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    running = played_round(event, [(1, 3, []), (2, 4, [])], state="running")
    client, to = signed_in(dana), f"/desk/{event.slug}/teams/4/withdrawal/"
    page = page_of(client.post(to, {"after_round": "1"}))
    sentence = "Game 2, table 2: the game goes to Books (rule 46)."
    assert (sentence in page, event.teams.get(number=4).status) == (True, "playing")
    assert client.post(to, {"after_round": "1", "confirmed": confirmed_in(page)}).status_code == 302
    game = running.games.get(table=2)
    assert (game.state, game.result.winner, event.teams.get(number=4).left_after) == ("final", 0, 1)
    assert running.games.get(table=1).state == "playing"


def test_a_name_is_put_right_after_the_signatures_which_keep_who_signed(dana: User, desk: Client) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=2)
    game, team = played_round(event, [(1, 2, win(0))]).games.get(), event.teams.get(number=1)
    before = list(game.signatures.values_list("side", "name", "code"))
    old = sure(team.players.first()).name
    row = row_of(team)
    names = {f"player{number}": name for number, name in enumerate(("Anne Put-Right", *row.players[1:]), start=1)}
    form = {"number": "1", "name": "Aces High!", **names, "paid": "", "in_pot": ""}
    assert desk.post(f"/desk/{event.slug}/teams/1/", form).status_code == 302
    team.refresh_from_db()
    game.refresh_from_db()
    assert (team.name, sure(team.players.first()).name, old) == ("Aces High!", "Anne Put-Right", old)
    assert (game.state, list(game.signatures.values_list("side", "name", "code"))) == ("final", before)
    assert len(standing_signatures(game.signatures.all(), game.result.code)) == 2

"""Rounds open, run and close; the first start pins the rule sheet."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.factories import (
    MADE_FIVE,
    begin,
    confirmed_in,
    make_event,
    make_round,
    make_teams,
    page_of,
    pairs_of,
    play,
    signed_in,
    words_of,
)
from tests.sure import fresh, refusal_of, statements_of, sure
from tests.tournament.setup.test_events import fields
from tournament.access import Actor
from tournament.errors import Conflict
from tournament.forms.event import EventForm
from tournament.models import Event, Game, Journal, Round, Team
from tournament.queries.draws import draw_overview
from tournament.queries.events import blank_event, event_fields
from tournament.queries.ledger import cash
from tournament.queries.rules import ruleset_of
from tournament.queries.schedule import Seat
from tournament.queries.todo_next import checklist
from tournament.services.draws import draw_rounds
from tournament.services.events import change_options
from tournament.services.rounds import close_round, start_round
from tournament.services.teams import withdraw_team

pytestmark = pytest.mark.both_databases


def test_start_round_opens_every_table_and_pins_the_sheet_and_starts_alone(four: Event, dana: User) -> None:
    draw_rounds(Actor(dana), four)
    started = start_round(Actor(dana), four, 1)
    assert (started.state, fresh(four).stage, four.frozen_at is not None) == ("running", "playing", True)
    assert set(started.games.values_list("state", flat=True)) == {"playing"}
    assert [game.result.scores for game in started.games.all()] == [[0, 0], [0, 0]]
    assert list(Journal.objects.values_list("action", flat=True))[:2] == ["start", "freeze"]
    with pytest.raises(Conflict, match="Game 1 is still in play"):
        start_round(Actor(dana), four, 2)


def test_start_round_with_something_missing_says_what(event: Event, dana: User) -> None:
    aces, books, _ = make_teams(event, 3)
    make_round(event, [(aces, books)], state="planned")
    answer = signed_in(dana).post(f"/desk/{event.slug}/rounds/1/start/")
    assert (answer.status_code, "Not in game 1: Night Owls. Draw again." in answer.content.decode()) == (422, True)
    assert (fresh(event).stage, event.frozen_at) == ("setup", None)


def test_close_round_names_every_table_that_is_missing_and_why(event: Event, dana: User) -> None:
    round_ = make_round(event, pairs_of(make_teams(event, 6)))
    first, second, third = round_.games.all()
    play(dana, first, MADE_FIVE)
    play(dana, second, MADE_FIVE, sign=False)
    play(dana, third, {"entry": "hand", "bidder": 0, "bid": "3", "books": 9})
    answer = signed_in(dana).post(f"/desk/{event.slug}/rounds/1/closure/")
    assert answer.status_code == 422
    page = page_of(answer)
    assert "Table 2: no signature yet from Night Owls and Eagles." in page
    assert "Table 3: still playing, 1 hand so far (Full Deck – High Rollers)." in page
    assert "Table 1" not in page
    assert fresh(round_).state == "running"


def test_close_round_when_every_game_is_final(game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    assert signed_in(dana).post("/desk/columbus-open/rounds/1/closure/").status_code == 302
    assert (fresh(game.round).state, game.round.closed_at is not None) == ("closed", True)


def test_games_of_a_team_that_left_go_to_its_opponents(four: Event, dana: User) -> None:
    draw_rounds(Actor(dana), four, by_number=True)
    start_round(Actor(dana), four, 1)
    for game in Game.objects.filter(round__number=1):
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), four, 1)
    withdraw_team(Actor(dana), four, 2, 1)
    round_ = start_round(Actor(dana), four, 2)
    given = round_.games.get(sides__team__number=2)
    here = next(side.index for side in given.sides.all() if side.team.number != 2)
    assert (given.state, given.result.winner, given.result.how, given.result.rule) == ("final", here, "forfeit", "46")
    assert round_.games.exclude(pk=given.pk).get().state == "playing"


def test_a_team_that_leaves_later_still_plays_this_round(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="planned")
    withdraw_team(Actor(dana), event, 2, 1)
    begin(event)
    assert start_round(Actor(dana), event, 1).games.get().state == "playing"


def test_loading_the_address_of_a_form_answers_with_a_page_not_an_empty_error(event: Event, dana: User) -> None:
    answer = signed_in(dana).get(f"/desk/{event.slug}/rounds/1/closure/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This address only takes what a page sends." in answer.content.decode()


# A new event on one screen: its list, its game's own questions, and the draw in one press; all of it or nothing.
LIST = "1. Night Owls – Nell Gaines / Otis Reed\nKitty Free: Ida Walsh, Bo Carter\nJohn Smith & Mary Jones\n"


def send(user: User, **said: Any) -> Any:
    return signed_in(user).post("/new/", fields(**said))


def asked(sheet: str) -> set[str]:
    return set(EventForm(initial=event_fields(blank_event()) | {"sheet": sheet}).fields)


def test_one_press_makes_event_teams_and_draw(otis: User) -> None:
    answer = send(otis, text=LIST, draw="yes", rounds_planned="3", verify_own="on")
    assert (answer.status_code, answer["Location"]) == (302, "/desk/autumn-open/")
    event = Event.objects.get()
    assert list(Team.objects.values_list("number", "name")) == [
        (1, "Night Owls"),
        (2, "Kitty Free"),
        (3, "Smith & Jones"),
    ]
    assert (event.rounds.count(), Game.objects.count(), event.verify_own, event.stage) == (3, 3, True, "setup")


@pytest.mark.parametrize(
    ("said", "players", "now"),
    [
        ({"pot_cents": "5", "all_in": "on"}, LIST, ["every-team", True, True, True]),
        ({"pot_cents": "5"}, LIST, ["opt-in", False, False, False]),
        ({"pot_cents": "", "all_in": "on"}, LIST, ["opt-in", False, False, False]),
        ({"pot_cents": "5", "all_in": "on"}, "team,players,pot\nA,Al/Bo,yes\nB,Cy/Di,no\n", ["opt-in", True, False]),
        (
            {"pot_cents": "5", "all_in": "on"},
            "team,players,pot\nA,Al/Bo,yes\nB,Cy/Di,yes\n",
            ["every-team", True, True],
        ),
    ],
)
def test_everybody_is_in_the_pot(otis: User, said: dict[str, str], players: str, now: list[object]) -> None:
    """Said beside the amount, and chosen beforehand; a list that tells who is in it and who is not decides."""
    assert 'name="all_in" ' in page_of(signed_in(otis).get("/new/"))
    page = words_of(signed_in(otis).post("/new/", fields(text=players, **said), follow=True))
    event = Event.objects.get()
    assert ("The list says who is in the pot, so each team chooses" in page) == ("no" in players.split(",")[-1])
    assert [ruleset_of(event).rules.pot_entry, *(account.in_pot for account in cash(event).accounts)] == now


def test_set_up_only_leaves_teams_and_draw_for_later(otis: User) -> None:
    assert send(otis, text=LIST)["Location"] == "/desk/autumn-open/setup/"
    assert (Team.objects.count(), Event.objects.get().rounds.count()) == (3, 0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "At least 2 teams are needed; none can be drawn."),
        ("Owls – Ann Lee / Bo Day", "At least 2 teams are needed; 1 can be drawn."),
        ("Owls – Ann / Bo\nOWLS – Cy / Di", "Row 2, column Team: “OWLS” is used twice (rows 1 and 2)."),
        ('"Owls, Ann, Bo\nEagles, Cy, Di', "Row 1: a quotation mark is not closed."),
        ("\n".join(f"{'x' * 41} {place}" for place in range(500)), "Row 500, column Team: At most 40 characters"),
    ],
    ids=["nobody", "one team", "a name twice", "half a quote", "500 lines of nonsense"],
)
def test_a_list_that_cannot_be_drawn_stores_nothing_and_keeps_what_was_typed(
    otis: User, text: str, sentence: str
) -> None:
    answer = send(otis, text=text, draw="yes")
    page = page_of(answer)
    assert (answer.status_code, sentence in page, "Elks Lodge" in page) == (422, True, True)
    assert text[:20] in page
    assert not Event.objects.exists()


def test_500_teams_are_set_up_and_drawn(otis: User) -> None:
    text = "\n".join(f"{place}. Team {place}x – Ann{place} Lee / Bo{place} Day" for place in range(1, 501))
    assert send(otis, text=text.replace("x", "th"), draw="yes", rounds_planned="2").status_code == 302
    assert (Team.objects.count(), Game.objects.count()) == (500, 500)


def test_checking_the_list_without_scripts_stores_nothing(otis: User) -> None:
    answer = send(otis, text=LIST, check="yes", name="")
    page = page_of(answer)
    assert (answer.status_code, "3 teams, 6 players read" in page, "to check:" in page) == (200, True, False)
    assert not Event.objects.exists()


def test_a_file_is_shown_before_anything_is_done_with_it(otis: User) -> None:
    file = SimpleUploadedFile("teams.csv", LIST.encode())
    answer = send(otis, file=file, draw="yes")
    assert (answer.status_code, "Kitty Free: Ida Walsh, Bo Carter" in page_of(answer)) == (200, True)
    assert not Event.objects.exists()


def test_the_draft_says_what_it_understands_and_stores_nothing(otis: User) -> None:
    said = fields(text=LIST, rounds_planned="4", shown="bid_whist/no-kitty-2021", game="bid_whist")
    page = page_of(signed_in(otis).post("/new/draft/", said))
    assert "3 teams, 6 players read" in page
    assert "No team name, so it’s named after its players: “Smith & Jones” (row 3)." in page
    assert "4 games, moving teams go up one table" in page
    assert "Set up and draw 4 games" in page
    assert 'id="settings"' not in page
    assert not Event.objects.exists()


def test_another_game_brings_its_own_questions(otis: User) -> None:
    said = fields(shown="bid_whist/no-kitty-2021", game="spades")
    page = page_of(signed_in(otis).post("/new/draft/", said))
    assert ['id="settings"' in page, "Boston pot" in page, "Spades with nil and bags" in page] == [
        True,
        False,
        True,
    ]
    assert "Please choose from the list." not in page


def test_only_what_the_game_has_is_asked(db: None) -> None:
    whist, spades = asked("bid_whist/no-kitty-2021"), asked("spades/standard")
    assert whist - spades == {"pot_cents", "all_in"}
    form = EventForm(initial=event_fields(blank_event()) | {"sheet": "back_alley/individual"})
    assert "Swiss: by record" not in str(form["movement"])


def test_what_is_folded_says_its_value(db: None) -> None:
    said = fields(
        fee_cents="20",
        pot_cents="10",
        cut="8",
        best_of="3",
        losers="places-4",
        verify_closing="blocks",
        keep_apart="on",
        room_until="23:00",
    )
    folds = {fold.key: fold.summary for fold in EventForm(said, initial=event_fields(blank_event())).folds()}
    assert folds == {
        "rounds": "6 games, moving teams go up one table, same city or club apart",
        "money": "$20 a team, $10 into the Boston pot",
        "playoffs": "8 advance, best of 3 a match, third place",
        "names": "Full names",
        "check-in": "no check-in",
        "checking": "a game stays open until they are verified",
        "paper": "Letter · Eastern (New York) · the room closes at 11:00 p.m.",
        "entries": "no",
    }


def test_a_game_without_its_rule_sheet_is_asked_again(otis: User) -> None:
    answer = send(otis, game="spades")
    page = page_of(answer)
    assert (answer.status_code, "Choose the rule sheet of Spades." in page) == (422, True)
    assert "Spades with nil and bags" in page


# The draw at the desk: whole evenings and round by round, redrawn, taken back, by hand.
def drawn(event: Event) -> list[list[tuple[int, ...]]]:
    """The rounds as tuples of team numbers, table by table."""
    return [[table.teams for table in round_.tables] for round_ in draw_overview(event).rounds]


def meetings(event: Event) -> Counter[tuple[int, ...]]:
    return Counter(pair for round_ in drawn(event) for table in round_ for pair in combinations(sorted(table), 2))


def finish(event: Event, dana: User, number: int) -> None:
    start_round(Actor(dana), event, number)
    for game in Game.objects.filter(round__event=event, round__number=number):
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), event, number)


def test_moving_teams_are_drawn_for_the_whole_evening_without_a_rematch(event: Event, dana: User) -> None:
    make_teams(event, 24)
    assert [round_.number for round_ in draw_rounds(Actor(dana), event, by_number=True)] == [1, 2, 3, 4, 5, 6]
    assert drawn(event)[0] == [(number, number + 12) for number in range(1, 13)]
    assert drawn(event)[1][:2] == [(1, 24), (2, 13)]
    assert set(meetings(event).values()) == {1}
    assert Journal.objects.get().text == "Games 1 to 6 drawn: Moving teams go up one table, 24 teams, by team number"


def test_draw_for_tables_of_another_size_is_taken_back_with_the_rule_sheet(dana: User) -> None:
    event = make_event("Reunion", dana, sheet="back_alley/individual", rounds_planned=2, teams=8)
    draw_rounds(Actor(dana), event, seed=1)
    form = event_as_sent(dana, event) | {"game": "bid_whist", "sheet": "bid_whist/no-kitty-2021"}
    asked = signed_in(dana).post(f"/desk/{event.slug}/setup/", form)
    assert (asked.status_code, len(drawn(event))) == (422, 2)
    assert ("so this deletes the draw (number 1)" in page_of(asked), 'name="confirm"' in page_of(asked)) == (True, True)
    answer = signed_in(dana).post(f"/desk/{event.slug}/setup/", form | {"confirm": "on"}, follow=True)
    assert "The draw is deleted: it was made for tables of another size. Draw again." in page_of(answer)
    assert (drawn(event), checklist(Event.objects.get()).missing[-1].text) == ([], "Game 1 is not drawn.")
    assert sure(Journal.objects.first()).text == "The draw of 2 games deleted: it was made for tables of another size"


def test_draw_is_taken_back_with_the_number_of_players_and_else_stays(dana: User) -> None:
    event = make_event("Six", dana, sheet="back_alley/partnership", options={"players": 6, "sides": 3}, teams=6)
    draw_rounds(Actor(dana), event, seed=1)
    before = drawn(event)
    change_options(Actor(dana), event, {"players": 6, "sides": 3, "bye": "none"})
    assert drawn(event) == before
    fewer = {"players": 4, "sides": 2}
    refusal = refusal_of(lambda: change_options(Actor(dana), event, fewer))
    assert ("deletes the draw" in refusal.texts[0], drawn(event)) == (True, before)
    change_options(Actor(dana), event, fewer, confirmed=True)
    assert drawn(event) == []


def test_start_round_with_a_table_that_the_sheet_does_not_know_is_refused(event: Event, dana: User) -> None:
    teams = make_teams(event, 6)
    make_round(event, [tuple(teams[:4]), tuple(teams[4:])], state="planned")
    text = "Table 1 is drawn for 4 teams, and by this rule sheet 2 play at a table. Draw again."
    assert [item.text for item in checklist(event).missing] == [text]
    answer = signed_in(dana).post(f"/desk/{event.slug}/rounds/1/start/")
    assert (answer.status_code, text in answer.content.decode()) == (422, True)
    make_round(event, [(teams[0], teams[1])], number=2, state="closed")
    assert refusal_of(lambda: start_round(Actor(dana), event, 1)).texts == (text,)


def event_as_sent(user: User, event: Event) -> dict[str, object]:
    """What the setup page sends when nothing is touched."""
    form = signed_in(user).get(f"/desk/{event.slug}/setup/").context["form"]
    said = {bound.name: bound.value() for bound in form}
    return {name: value for name, value in said.items() if value not in (None, False)}


def test_same_seed_same_draw_and_the_seed_is_kept(event: Event, dana: User) -> None:
    make_teams(event, 12)
    draw_rounds(Actor(dana), event, seed=7)
    first = drawn(event)
    draw_rounds(Actor(dana), event, seed=8)
    assert drawn(event) != first
    draw_rounds(Actor(dana), event, seed=7)
    assert (drawn(fresh(event)), event.seed, event.rounds.count()) == (first, 7, 6)


def test_odd_field_has_one_bye_a_round_and_nobody_twice(dana: User) -> None:
    event = make_event(director=dana, teams=13)
    draw_rounds(Actor(dana), event)
    byes = [seat.number for round_ in draw_overview(event).rounds for seat in round_.byes]
    assert (len(byes), len(set(byes))) == (6, 6)


def test_rematches_that_cannot_be_avoided_are_said(four: Event, dana: User) -> None:
    draw_rounds(Actor(dana), four)
    page = page_of(signed_in(dana).get(f"/desk/{four.slug}/draw/"))
    assert "What the draw could not avoid" in page
    assert "a round robin is drawn instead" in page
    assert "Round robin, instead of moving teams" in page and "Moving teams go up one table" not in page
    assert "6 rematches in games 4–6" in page
    assert "Round robin, instead of moving teams" in Journal.objects.filter(action="draw").get().text


def test_swiss_draws_only_the_next_round_and_waits_for_results(dana: User) -> None:
    event = make_event(director=dana, movement="swiss", teams=8)
    assert [round_.number for round_ in draw_rounds(Actor(dana), event)] == [1]
    start_round(Actor(dana), event, 1)
    with pytest.raises(Conflict, match="depends on its results"):
        draw_rounds(Actor(dana), event)
    for game in Game.objects.all():
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), event, 1)
    assert [round_.number for round_ in draw_rounds(Actor(dana), event)] == [2]
    winners = {table[0] for table in drawn(event)[0]}
    assert all(len(set(table) & winners) in (0, 2) for table in drawn(event)[1])


@pytest.mark.parametrize("movement", ["swiss", "random"])
def test_who_sat_out_or_met_is_known_when_games_are_drawn_one_by_one(dana: User, movement: str) -> None:
    event = make_event(director=dana, movement=movement, rounds_planned=4, teams=7)
    for number in range(1, 5):
        draw_rounds(Actor(dana), event, seed=number)
        finish(event, dana, number)
    byes = [seat.number for round_ in draw_overview(event).rounds for seat in round_.byes]
    assert (len(set(byes)), set(meetings(event).values())) == (4, {1})


@pytest.mark.parametrize("movement", ["random", "winners-up"])
def test_round_by_round_movements_draw_one(dana: User, movement: str) -> None:
    assert len(draw_rounds(Actor(dana), make_event(director=dana, movement=movement, teams=6))) == 1


def test_draw_page_draws_and_takes_back(event: Event, desk: Client) -> None:
    make_teams(event, 6)
    assert desk.post(f"/desk/{event.slug}/draw/", {"seats": "lot", "seed": "11"}).status_code == 302
    assert "Draw number 11" in desk.get(f"/desk/{event.slug}/draw/").content.decode()
    asked = desk.post(f"/desk/{event.slug}/draw/removal/")
    assert (asked.status_code, Round.objects.count()) == (200, 6)
    confirmed = {"confirmed": confirmed_in(page_of(asked))}
    assert desk.post(f"/desk/{event.slug}/draw/removal/", confirmed).status_code == 302
    assert Round.objects.count() == 0


def test_draw_page_of_nobody_draws_nothing_and_leads_to_the_list(event: Event, dana: User) -> None:
    page = signed_in(dana).get(f"/desk/{event.slug}/draw/").content.decode()
    assert "At least 2 teams are needed; none can be drawn." in page
    assert '<button class="btn" disabled>Draw</button>' in page
    assert signed_in(dana).post(f"/desk/{event.slug}/draw/", {"seats": "lot"}).status_code == 422


@pytest.mark.parametrize(
    ("teams", "form", "sentence"),
    [
        (6, {"seed": "-1"}, "At least 0."),
        (6, {"seed": "many"}, "A whole number is needed."),
        (1, {"seed": "1"}, "At least 2 teams are needed; 1 can be drawn."),
    ],
)
def test_draw_page_refuses(event: Event, dana: User, teams: int, form: dict[str, str], sentence: str) -> None:
    make_teams(event, teams)
    answer = signed_in(dana).post(f"/desk/{event.slug}/draw/", form)
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    assert Round.objects.count() == 0


def test_draw_after_the_last_round_is_refused(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=2)
    make_round(event, [tuple(event.teams.all())])
    with pytest.raises(Conflict, match="Every game has started, 1 in all"):
        draw_rounds(Actor(dana), event)


def by_hand(tables: list[tuple[int, int]], **more: str) -> dict[str, str]:
    return {
        f"t{table}s{side}": str(team) for table, pair in enumerate(tables, 1) for side, team in enumerate(pair)
    } | more


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9,8\n" * 2_101, "This list has 2,101 lines. The limit is 2,100."),
        ("," * 60_001, "This list has 60,001 cells. The limit is 60,000."),
    ],
)
def test_a_list_of_tables_far_longer_than_any_is_refused_before_it_is_read(
    event: Event, desk: Client, text: str, words: str
) -> None:
    path = f"/desk/{event.slug}/draw/1/by-hand/"
    answer = desk.post(path, {"file": SimpleUploadedFile("draw.csv", text.encode())})
    assert (answer.status_code, answer.context["form"].errors) == (422, {"file": [words]})
    answer = desk.post(path, {"text": text})
    assert (answer.status_code, answer.context["form"].errors) == (422, {"text": [words]})
    assert answer.context["form"].data["text"] == text


def test_of_many_faults_in_a_list_of_tables_some_are_said_and_the_others_counted(event: Event, desk: Client) -> None:
    answer = desk.post(f"/desk/{event.slug}/draw/1/by-hand/", {"text": "1 – 2 – 3 – 4 – 5\n" * 30})
    faults = answer.context["form"].errors["text"]
    assert (answer.status_code, len(faults), faults[-1]) == (422, 21, "10 more like these.")


def test_draw_by_hand_seats_the_tables_and_gives_the_rest_a_bye(event: Event, desk: Client) -> None:
    make_teams(event, 5)
    assert desk.post(f"/desk/{event.slug}/draw/1/by-hand/", by_hand([(4, 1), (2, 5)])).status_code == 302
    [round_] = draw_overview(event).rounds
    assert ([table.seats for table in round_.tables], round_.byes) == (
        [(Seat(4, "Eagles"), Seat(1, "Aces")), (Seat(2, "Books"), Seat(5, "Full Deck"))],
        (Seat(3, "Night Owls"),),
    )


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ([(1, 1)], "Seated 2 times: Aces (table 1)."),
        ([(1, 2), (2, 3)], "Seated 2 times: Books (tables 1 and 2)."),
        ([], "Seat at least one table."),
    ],
)
def test_draw_by_hand_that_cannot_be_played_is_refused(
    four: Event, dana: User, tables: list[tuple[int, int]], sentence: str
) -> None:
    answer = signed_in(dana).post(f"/desk/{four.slug}/draw/1/by-hand/", by_hand(tables))
    assert (answer.status_code, sentence in page_of(answer)) == (422, True)
    assert Round.objects.count() == 0


def test_draw_page_needs_as_many_queries_for_four_teams_as_for_sixty(dana: User) -> None:
    for count in (4, 60):
        draw_rounds(Actor(dana), make_event(f"Event {count}", dana, rounds_planned=3, teams=count))
    client, few, many = signed_in(dana), "/desk/event-4/draw/", "/desk/event-60/draw/"
    assert statements_of(lambda: client.get(few)) == statements_of(lambda: client.get(many))


def test_winners_up_sends_the_winners_of_tables_1_and_2_to_table_1(dana: User) -> None:
    event = make_event(director=dana, movement="winners-up", teams=8)
    draw_rounds(Actor(dana), event)
    first = drawn(event)[0]
    finish(event, dana, 1)
    draw_rounds(Actor(dana), event)
    # MADE_FIVE is won by the side that is named first.
    assert set(drawn(event)[1][0]) == {first[0][0], first[1][0]}

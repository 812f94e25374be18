"""Forms of playoffs through the real services: an event to its champion, its places, prizes, season and file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event, page_of, revise_entry, signed_in
from tests.quick import remembered
from tests.sure import fresh, refusal_of, sure
from tests.tournament.results.evenings import bracket_of, finish_game, round_robin, sign_all, win
from tests.tournament.results.test_playoffs import playoff_game
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.models import Event, Game
from tournament.pairing.bracket import Form, Losers
from tournament.queries.final_places import final_places
from tournament.queries.ledger import payouts
from tournament.queries.playoffs import playoffs
from tournament.services.events import change_options
from tournament.services.payouts import set_prizes
from tournament.services.playoffs import decide_placing, finish_event, make_cut, play_match_again, start_playoff_round
from tournament.services.rounds import close_round
from tournament.services.teams import withdraw_team
from tournament.services.verifying import findings_of

Pick = Callable[[Iterable[int]], int]
BETTER: Pick = min
WORSE: Pick = max
DOUBLE, CONSOLATION, PLACES = Form(Losers.DOUBLE), Form(Losers.CONSOLATION), Form(Losers.PLACES, 16)


@remembered
def with_others(dana: User, teams: int, cut: int, form: Form) -> Event:
    """An event of so many teams after its cut: everybody has met, and the lower number has won."""
    event = make_event(director=dana, rounds_planned=teams - 1 + teams % 2, teams=teams)
    round_robin(event, range(1, teams + 1))
    make_cut(Actor(dana), fresh(event), cut, form=form)
    return fresh(event)


def all_in(dana: User, teams: int, form: Form) -> Event:
    return with_others(dana, teams, teams, form)


def play_hall(dana: User, event: Event, pick: Pick = BETTER) -> list[str]:
    """Play the next round of the hall; `pick` says which of two numbers wins. Returns its title and its matches."""
    round_ = start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    matches = []
    for game in round_.games.order_by("table"):
        sides = list(game.sides.order_by("index").values_list("team__number", flat=True))
        if fresh(game).state != "final":
            finish_game(event, game, win(sides.index(pick(sides))))
        matches.append(game.match)
    close_round(Actor(dana), event, round_.number)
    event.refresh_from_db()
    return [round_.title, *matches]


def play_out(dana: User, event: Event, pick: Pick = BETTER) -> list[list[str]]:
    """Play to the end of every part."""
    halls = []
    while playoffs(event).step == "start":
        halls.append(play_hall(dana, event, pick))
    return halls


def corrected(dana: User, event: Event, game: Game, winner: int) -> None:
    """The first hand of a game turns out to be the other side's, and is signed again."""
    revise_entry(Actor(dana), game, position=1, revision=0, facts=win(winner)[0], reason="sides mixed up")
    sign_all(event, game.round)
    event.refresh_from_db()


def labels(event: Event) -> str:
    return " · ".join(f"{line.label} {line.number}" for line in final_places(event).lines)


def how(event: Event, number: int) -> str:
    return final_places(event).index_lines()[number].how


# A double elimination.


def test_double_elimination_of_four_is_played_to_its_places(dana: User) -> None:
    event = all_in(dana, 4, DOUBLE)
    assert play_out(dana, event) == [
        ["Winners’ semifinal", "M1", "M2"],
        ["Playoff round 2", "L1", "M3"],
        ["Losers’ final", "L2"],
        ["Final, game 1", "M4"],
    ]
    assert labels(event) == "1 1 · 2 2 · 3 3 · 4 4"
    assert [how(event, number) for number in (1, 2, 3, 4)] == [
        "Won the final 1–0, unbeaten before it",
        "Lost the final 0–1",
        "Went out in the losers’ final",
        "Went out in the losers’ round 1",
    ]
    assert findings_of(fresh(event)) == []


def test_who_comes_from_the_losers_bracket_has_to_win_twice(dana: User) -> None:
    event = all_in(dana, 4, DOUBLE)
    for _ in range(3):
        play_hall(dana, event)
    final = bracket_of(event).final
    assert final.head_start == "Aces have not lost: they need one game, the other side two."
    assert play_hall(dana, event, WORSE) == ["Final, game 1", "M4"]
    facts = playoffs(event)
    assert (facts.champion, facts.ready_title, facts.questions) == ("", "Final, game 2", ())
    assert [side.wins for side in bracket_of(event).final.sides] == [0, 1]
    play_hall(dana, event, WORSE)
    assert (playoffs(event).step, labels(event)) == ("finish", "1 2 · 2 1 · 3 3 · 4 4")
    assert how(event, 2) == "Won the final 2–0"


def test_one_final_ends_after_its_first_game(dana: User) -> None:
    event = all_in(dana, 4, Form(Losers.ONE_FINAL))
    halls = play_out(dana, event, WORSE)
    assert (halls[-1], labels(event)) == (["Final", "M4"], "1 4 · 2 3 · 3 2 · 4 1")


def test_game_one_of_the_final_corrected_after_game_two_makes_the_other_champion(dana: User) -> None:
    event = all_in(dana, 4, DOUBLE)
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [6000, 3000]})
    for _ in range(3):
        play_hall(dana, event)
    for _ in range(2):
        play_hall(dana, event, WORSE)
    assert final_places(event).lines[0].number == 2
    first = event.rounds.filter(stage="playoff").order_by("number")[3].games.get()
    winner = first.sides.get(team__number=1).index
    corrected(dana, event, first, winner)
    event.refresh_from_db()
    assert bracket_of(event).stale == ("Final, M4: game 2 does not count, the match was decided before it.",)
    assert labels(event) == "1 1 · 2 2 · 3 3 · 4 4"
    prizes = {payee.number: payee.cents for payee in payouts(fresh(event)).payees if payee.purpose == "prize"}
    assert prizes == {1: 6000, 2: 3000}


def test_a_match_corrected_after_both_sides_played_on_is_one_question(dana: User) -> None:
    event = all_in(dana, 4, DOUBLE)
    play_hall(dana, event)
    play_hall(dana, event)
    game = playoff_game(event, "M1")
    corrected(dana, event, game, 1)
    event.refresh_from_db()
    drawn = bracket_of(event)
    [question] = drawn.asked
    assert question.source == "M1"
    assert {match.key for match in drawn.matches if match.on_hold} == {"M1", "M3", "L1", "L2", "M4"}
    decide_placing(Actor(dana), fresh(event), "M1", "replay")
    event.refresh_from_db()
    assert (playoffs(event).ready_title, len(bracket_of(event).stale)) == ("Playoff round 2, L1 and M3", 2)


@pytest.mark.parametrize(("kind", "champion"), [("keep", 1), ("replay", 4)])
def test_the_question_is_decided_either_way(kind: str, champion: int, dana: User) -> None:
    event = all_in(dana, 4, DOUBLE)
    play_hall(dana, event)
    play_hall(dana, event)
    corrected(dana, event, playoff_game(event, "M1"), 1)
    decide_placing(Actor(dana), fresh(event), "M1", kind)
    event.refresh_from_db()
    first = {4: lambda sides: 4 if 4 in sides else min(sides)}.get(champion, BETTER)
    play_out(dana, event, first)
    assert labels(event).split(" · ")[0] == f"1 {champion}"


def test_options_of_the_final_hold_for_the_final_and_its_second_game_alone(dana: User) -> None:
    event = all_in(dana, 4, DOUBLE)
    change_options(Actor(dana), event, {}, stages={"final": {"win_at": 9}}, confirmed=True)
    event.refresh_from_db()
    for _ in range(3):
        play_hall(dana, event)
    start_playoff_round(Actor(dana), event)
    rounds = event.rounds.filter(stage="playoff").order_by("number")
    assert [(round_.title, round_.options) for round_ in rounds] == [
        ("Winners’ semifinal", {}),
        ("Playoff round 2", {}),
        ("Losers’ final", {}),
        ("Final, game 1", {"win_at": 9}),
    ]


def test_no_other_match_opens_beside_a_final_with_options_of_its_own(dana: User) -> None:
    event = all_in(dana, 4, Form(Losers.PLACES, 4))
    change_options(Actor(dana), event, {}, stages={"final": {"win_at": 9}}, confirmed=True)
    event.refresh_from_db()
    for _ in ("semifinals", "third place"):
        play_hall(dana, event)
    final = start_playoff_round(Actor(dana), fresh(event))
    play_match_again(Actor(dana), fresh(event), "M3P", "a card was missing")
    assert list(final.games.values_list("match", flat=True)) == ["M3"]


# Places, a consolation, a second bracket.


def test_eight_for_every_place_have_eight_places(dana: User) -> None:
    event = all_in(dana, 8, PLACES)
    halls = play_out(dana, event)
    assert [(hall[0], len(hall) - 1) for hall in halls] == [
        ("Quarterfinal", 4),
        ("Playoff round 2", 4),
        ("Playoff round 3", 4),
    ]
    assert labels(event) == "1 1 · 2 2 · 3 3 · 4 4 · 5 5 · 6 6 · 7 7 · 8 8"
    assert [how(event, number) for number in (3, 5, 8)] == [
        "Won the game for third 5–0",
        "Won the game for fifth 5–0",
        "Lost the game for seventh 0–5",
    ]


def test_consolation_of_eight_shares_prizes_by_place(dana: User) -> None:
    event = all_in(dana, 8, CONSOLATION)
    set_prizes(Actor(dana), event, {"by": "percent", "percent": ["60", "30", "10"], "purse": 10000})
    halls = play_out(dana, event)
    assert halls[-1] == ["Playoff round 3", "C3", "M7"]
    assert labels(event) == "1 1 · 2 2 · 3= 3 · 3= 4 · 5 5 · 6 6 · 7= 7 · 7= 8"
    assert how(event, 5) == "Won the consolation final 5–0"
    prizes = {payee.number: payee.cents for payee in payouts(fresh(event)).payees if payee.purpose == "prize"}
    assert prizes == {1: 6000, 2: 3000, 3: 500, 4: 500}


def test_consolation_of_five_is_left_out_and_said_to_be(dana: User) -> None:
    event = all_in(dana, 5, CONSOLATION)
    drawn = bracket_of(event)
    assert [part.key for part in drawn.parts] == ["M"]
    assert drawn.left_out == "No consolation: with fewer than six teams, too few lose before the semifinals."
    assert drawn.left_out in page_of(signed_in(dana).get(f"/e/{event.slug}/bracket/"))


def test_second_bracket_gives_the_places_behind_the_cut(dana: User) -> None:
    event = with_others(dana, 14, 8, Form(second=6))
    assert play_out(dana, event)[0] == ["Playoff round 1", "B1", "B2", "M1", "M2", "M3", "M4"]
    assert labels(event) == (
        "1 1 · 2 2 · 3= 3 · 3= 4 · 5= 5 · 5= 6 · 5= 7 · 5= 8 · 9 9 · 10 10 · 11= 11 · 11= 12 · 13= 13 · 13= 14"
    )
    assert how(event, 9) == "Won the second bracket final 5–0"
    assert findings_of(fresh(event)) == []


def test_who_went_home_before_the_second_bracket_began_is_left_out_of_it(dana: User) -> None:
    event = with_others(dana, 14, 8, Form(second=6))
    withdraw_team(Actor(dana), event, 12, event.rounds.count())
    event.refresh_from_db()
    drawn = bracket_of(event)
    assert (drawn.seeds[8:], drawn.asked) == ((9, 10, 11, 13, 14), ())
    play_hall(dana, event)
    assert (fresh(event).second, bracket_of(event).seeds[8:]) == (5, (9, 10, 11, 13, 14))
    withdraw_team(Actor(dana), event, 9, sure(event.rounds.last()).number)
    event.refresh_from_db()
    assert bracket_of(event).seeds[8:] == (9, 10, 11, 13, 14), "who leaves later loses its next match by default"
    play_out(dana, event)
    assert how(event, 9) == "Went out in the second bracket semifinals"


def test_top_eight_for_every_place_and_eleven_in_a_second_bracket_with_a_consolation(dana: User) -> None:
    event = with_others(dana, 19, 8, Form(Losers.PLACES, 16, 11, Losers.CONSOLATION))
    halls = play_out(dana, event)
    for title, *matches in halls:
        assert len(set(matches)) == len(matches), title
    assert final_places(event).groups[:8] == tuple((number,) for number in range(1, 9))
    assert sorted(number for group in final_places(event).groups for number in group) == list(range(1, 20))
    assert how(event, 9) == "Won the second bracket final 5–0"


@pytest.mark.parametrize("form", [DOUBLE, CONSOLATION, PLACES, Form(Losers.ONE_FINAL)])
def test_event_goes_out_to_a_file_and_in_again_in_the_middle_of_every_form(form: Form, dana: User) -> None:
    event = all_in(dana, 8, form)
    play_hall(dana, event)
    play_hall(dana, event)
    copy = import_event(Actor(dana), export_event(fresh(event)))
    assert copy.playoff_form == form
    assert [(match.key, match.state) for match in bracket_of(copy).matches] == [
        (match.key, match.state) for match in bracket_of(event).matches
    ]
    play_out(dana, copy)
    play_out(dana, event)
    assert (labels(copy), findings_of(fresh(copy))) == (labels(event), [])


# Refusals.


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        (Form(second=1), "A second bracket needs at least two."),
        (Form(second=5), "That is too many for the second bracket: only 4 others are in the event."),
        (Form("ladder"), "Choose what a team plays that loses a match."),
        (Form("places", 6), "Choose what a team plays that loses a match."),
        (Form(second=4, second_losers="double"), "Choose what a team plays that loses a match."),
    ],
)
def test_a_form_that_does_not_fit_is_refused(form: Form, sentence: str, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=7, teams=8)
    round_robin(event, range(1, 9))
    refusal = refusal_of(lambda: make_cut(Actor(dana), fresh(event), 4, form=form))
    assert [fault.text for fault in refusal.faults] == [sentence]


def test_a_second_bracket_of_one_keeps_what_was_typed(dana: User, desk: Client) -> None:
    event = make_event(director=dana, rounds_planned=7, teams=8)
    round_robin(event, range(1, 9))
    typed = {"size": "4", "best_of": "3", "losers": "double", "second": "1", "second_losers": "places"}
    answer = desk.post(f"/desk/{event.slug}/playoffs/cut/", typed)
    page = page_of(answer)
    assert (answer.status_code, "A second bracket needs at least two." in page) == (422, True)
    assert '<input type="radio" name="losers" value="double"' in page.replace("\n", " ")
    assert fresh(event).cut is None


def test_two_desks_that_start_the_round_at_once_get_one(dana: User) -> None:
    event = all_in(dana, 8, DOUBLE)
    play_hall(dana, event)
    start_playoff_round(Actor(dana), event)
    with pytest.raises(Exception, match="is still in play"):
        start_playoff_round(Actor(dana), fresh(event))
    assert Game.objects.filter(round__event=event, round__stage="playoff").count() == 8


def test_event_can_end_with_a_consolation_still_open(dana: User) -> None:
    event = all_in(dana, 12, CONSOLATION)
    while not playoffs(event).champion:
        play_hall(dana, event)
    assert final_places(event).open_from == 9
    assert how(event, 9) == "Still to play in the consolation"
    finish_event(Actor(dana), fresh(event))
    assert final_places(fresh(event)).open_from is None

"""From the cut to the champion, and back again after a correction."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event, make_round, make_teams, page_of, revise_entry, signed_in
from tests.quick import remembered
from tests.sure import fresh, refusal_of, sure
from tests.tournament.results.evenings import (
    after_the_cut,
    bracket_of,
    cut_of,
    finish_game,
    five_teams_meet,
    played_round,
    round_robin,
    sign_all,
    win,
)
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, ValidationFailed
from tournament.models import Decision, Entry, Event, Game, Journal, Result, Team
from tournament.pairing.bracket import Form, Losers
from tournament.queries.bracket import champion_of
from tournament.queries.playoffs import playoffs
from tournament.queries.standings import standings
from tournament.queries.todo_next import checklist
from tournament.services.corrections import apply_ruling
from tournament.services.entries import record_entry
from tournament.services.playoffs import decide_placing, finish_event, make_cut, start_playoff_round, start_tiebreak
from tournament.services.rounds import close_round, start_round
from tournament.services.signatures import sign_for_all
from tournament.services.teams import withdraw_team

FOR_THIRD = {"form": Form(Losers.PLACES, 4)}


@remembered
def seeded(dana: User, count: int, **cut: Any) -> Event:
    """An event whose cut lets `count` teams in, all of them seeded by their number."""
    event = make_event(director=dana, rounds_planned=1, teams=count)
    played_round(
        event, [(number, number + 1, win(0)) for number in range(1, count, 2)], byes=[count] if count % 2 else []
    )
    make_cut(Actor(dana), event, count, **cut)
    return fresh(event)


def play_round(dana: User, event: Event, better: int = 0) -> None:
    """Start the bracket's next round, let the better or the worse seed win every game, close it."""
    round_ = start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    for game in round_.games.all():
        finish_game(event, game, win(better))
    close_round(Actor(dana), event, round_.number)
    event.refresh_from_db()


def test_make_cut_while_games_are_missing_is_refused(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, teams=4)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    assert refusal_of(lambda: make_cut(Actor(dana), event, 2)).faults[0].text == "Only 1 of 2 games have been played."


def test_nobody_is_in_or_out_while_games_are_missing(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, cut=2, teams=6)
    assert (playoffs(event).advance, playoffs(event).level, playoffs(event).out) == ((), (), ())
    played_round(event, [(1, 2, win(0, 6)), (3, 4, win(0)), (5, 6, win(1))])
    facts = playoffs(event)
    numbers = [[line.number for line in lines] for lines in (facts.advance, facts.level, facts.out)]
    assert (numbers, facts.seats, facts.decided) == ([[1], [3, 6], [2, 4, 5]], 1, False)


def test_make_cut_while_a_corrected_sheet_is_not_signed_is_refused(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=2)
    played_round(event, [(1, 2, win(0))])
    Game.objects.update(state="to-sign")
    assert refusal_of(lambda: make_cut(Actor(dana), event, 2)).faults[0].text == "Game 1, table 1, is not signed."


@pytest.mark.parametrize("size", [0, -1, 5, 10**9])
def test_make_cut_of_a_size_that_does_not_fit_is_refused(dana: User, size: int) -> None:
    event = make_event(director=dana, rounds_planned=3, teams=4)
    round_robin(event, [1, 2, 3, 4])
    assert refusal_of(lambda: make_cut(Actor(dana), event, size)).faults[0][::2] == ("size", "11")
    assert fresh(event).stage == "playing"


def test_make_cut_can_be_changed(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=3, teams=4)
    round_robin(event, [1, 2, 3, 4])
    make_cut(Actor(dana), event, 2)
    make_cut(Actor(dana), event, 4, best_of=3)
    assert (fresh(event).stage, event.cut, event.best_of) == ("playoffs", 4, 3)


@pytest.mark.parametrize("count", range(2, 18))
def test_bracket_of_any_size_is_played_to_the_top_seed(dana: User, count: int) -> None:
    event = seeded(dana, count)
    drawn = bracket_of(event)
    rounds = (count - 1).bit_length()
    assert [len(column.cells) for column in drawn.columns] == [
        2 ** (rounds - number) for number in range(1, rounds + 1)
    ]
    byes = [sure(cell.bye.seed) for column in drawn.columns for cell in column.cells if cell.bye]
    assert sorted(byes) == list(range(1, 2**rounds - count + 1))
    top = drawn.columns[0].cells[0]
    first = (top.bye or sure(top.match).sides[0]).number
    for _ in range(rounds):
        play_round(dana, event)
    assert sure(champion_of(event))[0] == first
    assert playoffs(event).step == "finish"
    finish_event(Actor(dana), event)
    assert fresh(event).stage == "over"


def test_best_of_three_goes_on_until_somebody_won_twice(dana: User) -> None:
    event = seeded(dana, 2, best_of=3)
    titles = []
    for better in (0, 1, 0):
        assert champion_of(event) is None
        titles.append(playoffs(event).ready_title)
        play_round(dana, event, better)
    drawn = bracket_of(event)
    assert titles == ["Final, game 1", "Final, game 2", "Final, game 3"]
    assert [(side.wins, side.score) for side in drawn.matches[0].sides] == [(2, 2), (1, 1)]
    assert drawn.champion == "Aces"


@remembered
def corrected_semi_final(dana: User) -> tuple[Event, int, int]:
    """Four teams to the champion; then the first semifinal goes to the other side. Gives who went on, and who won."""
    event = seeded(dana, 4)
    play_round(dana, event)
    semi = Game.objects.filter(round__stage="playoff", match="M1").get()
    play_round(dana, event)
    old = sure(bracket_of(event).champion_number)
    revise_entry(Actor(dana), semi, position=1, revision=0, facts=win(1)[0], reason="sides mixed up")
    sign_all(event, semi.round)
    return event, old, sure(bracket_of(event).matches[0].games[0].winner)


def test_a_corrected_result_asks_the_director_and_nobody_is_champion(dana: User) -> None:
    event, old, new = corrected_semi_final(dana)
    drawn = bracket_of(event)
    assert (drawn.champion, [(question.source, question.before, question.after) for question in drawn.asked]) == (
        "",
        [("M1", (old,), (new,))],
    )
    assert (playoffs(event).step, champion_of(event)) == ("decide", None)
    assert (drawn.stale, [match.key for match in drawn.matches if match.on_hold]) == ((), ["M1", "M3"])
    with pytest.raises(ValidationFailed):
        start_playoff_round(Actor(dana), event)
    with pytest.raises(ValidationFailed):
        decide_placing(Actor(dana), event, "M1", "toss")
    with pytest.raises(Conflict):
        decide_placing(Actor(dana), event, "M2", "keep")


def test_a_corrected_result_that_is_replayed_keeps_the_first_game_uncounted(dana: User) -> None:
    event, old, new = corrected_semi_final(dana)
    decide_placing(Actor(dana), event, "M1", "replay", "The right team plays")
    final = bracket_of(event).matches[-1]
    assert (playoffs(event).step, new in final.teams, old in final.teams) == ("start", True, False)
    play_round(dana, event)
    assert bracket_of(event).champion_number in final.teams
    assert [game.counts for game in bracket_of(event).matches[-1].games] == [False, True]
    assert Journal.objects.filter(action="decide").get().text.startswith("Semifinal, M1: Replay:")


def test_a_corrected_result_that_is_kept_leaves_the_champion(dana: User) -> None:
    event, old, _new = corrected_semi_final(dana)
    finished = export_event(event)
    decide_placing(Actor(dana), event, "M1", "keep", "Both teams agree")
    assert (bracket_of(event).champion_number, bracket_of(event).stale, playoffs(event).step) == (old, (), "finish")
    semi = Game.objects.filter(round__stage="playoff", match="M1").get()
    revise_entry(Actor(dana), semi, position=1, revision=1, facts=win(0)[0], reason="it was right")
    sign_all(event, semi.round)
    assert (bracket_of(event).questions, bracket_of(event).champion_number) == ((), old)
    copy = import_event(Actor(dana), export_event(event))
    assert copy.placings.values_list("kind", "source").last() == ("keep", "M1")
    assert len(finished["models"]["Placing"]["rows"]) == 1


def test_a_correction_of_the_standings_asks_whether_the_seeds_stay(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=3, teams=4)
    round_robin(event, [1, 2, 3, 4])
    make_cut(Actor(dana), event, 2)
    play_round(dana, fresh(event))
    assert sure(champion_of(event))[0] == 1
    game = Game.objects.filter(round__stage="qualifying", sides__team__number=2).filter(sides__team__number=3).get()
    revise_entry(Actor(dana), game, position=1, revision=0, facts=win(1, 7)[0], reason="sides mixed up")
    sign_all(event, game.round)
    drawn = bracket_of(event)
    assert [(question.source, question.before, question.after) for question in drawn.asked] == [
        ("seeds", (1, 2), (1, 3))
    ]
    assert champion_of(event) is None
    decide_placing(Actor(dana), event, "seeds", "keep")
    assert sure(champion_of(event))[0] == 1
    decide_placing(Actor(dana), event, "seeds", "replay")
    assert [side.number for side in bracket_of(event).matches[0].sides] == [1, 3]
    assert playoffs(event).step == "start"


@remembered
def level_at_the_cut(dana: User, count: int, size: int) -> Event:
    """The first `count` teams won their only game with 5, so that they are level at a cut of `size`."""
    return after_the_cut(dana, size, *((number, number + count, win(0)) for number in range(1, count + 1)))


def open_tie_games(event: Event) -> list[Game]:
    return list(Game.objects.filter(round__stage="tiebreak", round__state="running").exclude(state="final"))


def test_two_level_teams_play_one_game_whose_points_do_not_count(dana: User) -> None:
    # 3 and 1 are in; 2 and 4 are tied for the last place of three.
    event = after_the_cut(dana, 3, (1, 2, win(0, 6)), (3, 4, win(0, 7)))
    assert cut_of(event).level == (2, 4)
    assert playoffs(event).step == "tie"
    with pytest.raises(ValidationFailed):
        start_playoff_round(Actor(dana), event)
    start_tiebreak(Actor(dana), event, "game")
    assert playoffs(event).step == "tie-games"
    (game,) = open_tie_games(event)
    finish_game(event, game, win(1, 7))
    table = standings(event)
    assert (sure(table.cut).advance, table.index_lines()[4].points, table.index_lines()[4].bostons) == ((3, 1, 4), 0, 0)
    assert table.index_lines()[4].ties[-1].endswith("Eagles won the playoff, Books came 2nd.")
    started = start_playoff_round(Actor(dana), event)
    assert (str(started), event.rounds.get(stage="tiebreak").state) == ("Semifinal", "closed")


def test_a_playoff_counts_also_on_a_sheet_whose_order_names_none(dana: User) -> None:
    order = ["games-won", "points"]
    event = after_the_cut(dana, 3, (1, 2, win(0, 6)), (3, 4, win(0, 7)), options={"tiebreak_order": order})
    assert cut_of(event).level == (2, 4)
    start_tiebreak(Actor(dana), event, "game")
    (game,) = open_tie_games(event)
    finish_game(event, game, win(1, 7))
    assert (cut_of(event).advance, cut_of(event).level, cut_of(event).out) == ((3, 1, 4), (), (2,))


def test_three_level_teams_that_stay_level_after_each_against_each_draw_lots(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 1)
    start_tiebreak(Actor(dana), event, "all-play")
    beats = {frozenset({1, 2}): 1, frozenset({2, 3}): 2, frozenset({1, 3}): 3}
    for _ in range(3):
        (game,) = open_tie_games(event)
        numbers = [side.team.number for side in game.sides.all()]
        finish_game(event, game, win(numbers.index(beats[frozenset(numbers)])))
        following = playoffs(event).next_tie_round
        if following:
            start_round(Actor(dana), event, following)
    assert cut_of(event).level == (1, 2, 3)
    start_tiebreak(Actor(dana), event, "lots", witness="Vic", seed=11)
    drawn = Decision.objects.get().teams
    table = standings(event)
    assert sure(table.cut).advance == (drawn[0],)
    names = table.books.names
    assert table.index_lines()[drawn[0]].ties[0].endswith(f"{names[drawn[0]]} drew lot 1, {names[drawn[1]]} lot 2.")


def test_lots_are_the_same_for_the_same_seed_and_need_a_witness(dana: User) -> None:
    event = level_at_the_cut(dana, 4, 2)
    assert refusal_of(lambda: start_tiebreak(Actor(dana), event, "lots", witness="  ")).faults[0].field == "witness"
    start_tiebreak(Actor(dana), event, "lots", witness="Vic", seed=7)
    first = Decision.objects.get()
    assert (first.seed, first.witness, first.made_by, sorted(first.teams)) == (7, "Vic", dana, [1, 2, 3, 4])
    assert cut_of(event).advance == tuple(first.teams[:2])


def test_three_level_teams_by_their_games_against_each_other(dana: User) -> None:
    # Everybody wins two games. 4 and 5 win theirs higher; of the others 1 beat 2 and 3, and 2 beat 3.
    event = five_teams_meet(
        dana,
        (1, (5, 2, 6), (3, 4, 5)),
        (2, (1, 3, 5), (4, 5, 6)),
        (3, (5, 1, 6), (2, 4, 5)),
        (4, (1, 2, 5), (3, 5, 5)),
        (5, (4, 1, 6), (2, 3, 5)),
    )
    assert (cut_of(event).level, playoffs(event).has_met) == ((1, 2, 3), True)
    start_tiebreak(Actor(dana), event, "head-to-head")
    table = standings(event)
    assert (sure(table.cut).advance, sure(table.cut).out) == ((4, 5, 1, 2), (3,))
    assert table.index_lines()[1].ties[-1] == (
        "Aces and Books both won 3 games and have 15 points; Aces won 2 games to 1 in the games among those tied."
    )


def test_a_correction_that_unseats_a_team_waits_for_a_tie_break(dana: User) -> None:
    event = after_the_cut(dana, 3, (1, 2, win(0, 6)), (3, 4, win(0, 5)))
    start_tiebreak(Actor(dana), event, "game")
    (game,) = open_tie_games(event)
    finish_game(event, game, win(0))
    assert bracket_of(event).unsettled == ""
    corrected = Game.objects.get(round__stage="qualifying", table=1)
    revise_entry(Actor(dana), corrected, position=1, revision=0, facts=win(1, 6)[0], reason="sides mixed up")
    sign_all(event, corrected.round)
    table = standings(event)
    assert (sure(table.cut).advance, sure(table.cut).level) == ((2, 3), (1, 4))
    assert [side.name for side in bracket_of(event).matches[0].sides] == ["Night Owls", "To be played off"]


# Playoffs that do not go as they were drawn: a team leaves, nobody wins a match, two cannot play it.
LEAVES = {"entry": "ruling", "rule": "46", "choice": "forfeit", "side": 1}
WON_BY_RULING = {"entry": "award", "rule": "other", "to": 0, "reason": "not played"}
NOBODY_CAME = {"entry": "ruling", "rule": "13", "choice": "both-late"}


def playoff_game(event: Event, match: str) -> Game:
    return Game.objects.select_related("round__event").get(round__event=event, match=match)


def test_team_that_leaves_in_a_semi_final_loses_it_and_keeps_its_place_in_the_cut(dana: User) -> None:
    event = seeded(dana, 4)
    round_ = start_playoff_round(Actor(dana), event)
    game = playoff_game(event, "M1")
    apply_ruling(Actor(dana), game, LEAVES, leaves=True)
    finish_game(event, playoff_game(event, "M2"), win(0))
    close_round(Actor(dana), event, round_.number)
    event.refresh_from_db()
    gone = game.sides.get(index=1).team
    assert Team.objects.filter(status="left").values_list("number", "left_after").get() == (gone.number, 2)
    assert cut_of(event).advance == (1, 3, 2, 4)
    drawn = bracket_of(event)
    assert (drawn.seeds, drawn.stale, drawn.questions) == ((1, 3, 2, 4), (), ())
    play_round(dana, event)
    assert bracket_of(event).champion_number == 1


def test_team_that_leaves_after_a_semi_final_that_it_won_loses_the_final(dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    first, other = bracket_of(event).matches[-1].teams
    address = f"/desk/{event.slug}/teams/{first}/"
    assert signed_in(dana).get(address).context["leaving"]["after_round"].value() == 2
    assert signed_in(dana).post(f"{address}withdrawal/", {"after_round": "2"}).status_code == 302
    start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    assert Entry.objects.get(game__match="M3").facts == {"entry": "award", "rule": "46", "to": 1}
    assert bracket_of(event).champion_number == other


@pytest.mark.parametrize(
    ("after", "sentence"),
    [
        (3, "Games go from 0 (never played) to 2."),
        (1, "Aces played in Semifinal, game 2, so the last game cannot be earlier."),
    ],
)
def test_team_does_not_leave_before_a_playoff_game_that_it_has_played(after: int, sentence: str, dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    refusal = refusal_of(lambda: withdraw_team(Actor(dana), event, 1, after))
    assert [(fault.field, fault.text) for fault in refusal.faults] == [("after_round", sentence)]


def test_event_ends_with_a_champion_where_nobody_wins_the_third_place(dana: User, desk: Client) -> None:
    event = seeded(dana, 4, **FOR_THIRD)
    play_round(dana, event)
    round_ = start_playoff_round(Actor(dana), event)
    apply_ruling(Actor(dana), playoff_game(event, "M3P"), NOBODY_CAME)
    finish_game(event, playoff_game(event, "M3"), win(0))
    close_round(Actor(dana), event, round_.number)
    facts = playoffs(fresh(event))
    assert (facts.step, [match.key for match in facts.ready], facts.champion) == ("start", ["M3P"], "Aces")
    page = page_of(desk.get(f"/desk/{event.slug}/playoffs/"))
    assert ("Start third place" in page, "Finish the event" in page) == (True, True)
    assert desk.post(f"/desk/{event.slug}/playoffs/end/").status_code == 302
    assert (fresh(event).stage, playoffs(event).step) == ("over", "over")


@pytest.fixture
@remembered
def threes(dana: User) -> Event:
    """One round of a game for three partnerships of two: each table's first has won, so two are level."""
    options = {"players": 6, "sides": 3}
    event = make_event("Threes", dana, sheet="back_alley/partnership", options=options, rounds_planned=1)
    teams = make_teams(event, 6)
    for game in make_round(event, [tuple(teams[:3]), tuple(teams[3:])]).games.all():
        record_entry(Actor(dana), game, WON_BY_RULING, source="desk")
        sign_for_all(Actor(dana), game, "signed on paper")
    close_round(Actor(dana), event, 1)
    return fresh(event)


def test_cut_for_a_game_that_two_cannot_play_is_refused(threes: Event, dana: User) -> None:
    answer = signed_in(dana).post(f"/desk/{threes.slug}/playoffs/cut/", {"size": "2", "best_of": "1"})
    text = "Two teams alone cannot play this game, so there are no playoffs. Enter 1: the first place is the champion."
    assert (answer.status_code, text in answer.content.decode()) == (422, True)
    assert (fresh(threes).stage, threes.cut) == ("playing", None)
    threes.cut = 2
    threes.save()
    text = "The cut is 2, but two teams alone cannot play this game: there are no playoffs."
    assert text in [item.text for item in checklist(threes).items]


def test_two_level_teams_that_cannot_play_alone_draw_lots(threes: Event, dana: User) -> None:
    client, desk = signed_in(dana), f"/desk/{threes.slug}/playoffs/"
    assert client.post(f"{desk}cut/", {"size": "1", "best_of": "1"}).status_code == 302
    page = client.get(desk).content.decode()
    assert "Start the one-game tie-break" not in page and "Draw for it" in page
    text = "Two teams alone cannot play this game: draw for it, or take their qualifying games."
    for method in ("game", "all-play", "bye"):
        answer = client.post(f"{desk}tiebreak/", {"method": method, "witness": "Vic"})
        assert (answer.status_code, text in answer.content.decode()) == (422, True)
    answer = client.post(f"{desk}tiebreak/", {"method": "lots", "witness": "Vic", "seed": "7"})
    assert answer.status_code == 302
    threes.refresh_from_db()
    number = Decision.objects.get().teams[0]
    assert champion_of(threes) == (number, {1: "Aces", 4: "Eagles"}[number])


def test_bracket_with_a_winner_whom_its_match_does_not_have_can_be_read(dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    Result.objects.filter(game__match="M1").update(winner=2)
    assert [match.state for match in bracket_of(event).matches] == ["ready", "decided", "waiting"]

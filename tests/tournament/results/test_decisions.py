"""Lots for a bye, the director's decision after a correction at the desk, and the board steered from there."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from tests.factories import announced_by, make_event, make_user, page_of, revise_entry, signed_in
from tests.sure import fresh, refusal_of, sure
from tests.tournament.results.evenings import (
    bracket_of,
    cut_of,
    finish_game,
    five_teams_meet,
    played_round,
    sign_all,
    win,
)
from tests.tournament.results.test_playoffs import (
    FOR_THIRD,
    corrected_semi_final,
    level_at_the_cut,
    open_tie_games,
    play_round,
    seeded,
)
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, DomainError
from tournament.models import Decision, Event, Game, Placing
from tournament.queries.bracket import bracket, champion_of
from tournament.queries.corrections import impact, picture
from tournament.queries.placings import SEEDS, decision_on
from tournament.queries.playoffs import playoffs
from tournament.queries.projector import board
from tournament.queries.rules import EVERYTHING
from tournament.queries.sheet import sheet_now
from tournament.queries.standings import standings
from tournament.queries.tie_breaks import tie_breaks
from tournament.services.corrections import correct_sheet
from tournament.services.playoffs import (
    decide_placing,
    end_tiebreak,
    finish_event,
    start_playoff_round,
    start_tie_round,
    start_tiebreak,
)


def play_tie_games(event: Event, better: int = 0) -> None:
    for game in open_tie_games(event):
        finish_game(event, game, win(better))
    event.refresh_from_db()


def test_three_level_teams_draw_lots_for_a_bye_and_play_two_games(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 1)
    start_tiebreak(Actor(dana), event, "bye", witness="Vic", seed=7)
    lots = Decision.objects.get().teams
    (game,) = open_tie_games(event)
    assert sorted(side.team.number for side in game.sides.all()) == sorted(lots[1:])
    with pytest.raises(Conflict):
        start_tie_round(Actor(dana), event)
    play_tie_games(event)
    winner = game.sides.get(index=0).team.number
    (attempt,) = tie_breaks(event)
    assert (attempt.is_open, set(attempt.due[0])) == (True, {lots[0], winner})
    start_tie_round(Actor(dana), event)
    play_tie_games(event, 1)
    (attempt,) = tie_breaks(event)
    loser = next(team for team in lots[1:] if team != winner)
    order = sure(attempt.order)
    assert (order[0], order[-1], attempt.due) == (attempt.games[-1].winner, loser, ())
    assert cut_of(event).advance == (order[0],)
    copy = import_event(Actor(dana), export_event(event))
    assert (tie_breaks(copy)[0].order, cut_of(copy).advance) == (order, cut_of(event).advance)


def test_a_tie_break_that_decides_only_seeds_ends_with_enough(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 2)
    start_tiebreak(Actor(dana), event, "bye", witness="Vic", seed=7)
    with pytest.raises(Conflict, match="still decide"):
        end_tiebreak(Actor(dana), event, "Vic")
    [game] = open_tie_games(event)
    play_tie_games(event)
    loser = game.sides.get(index=1).team.number
    assert (playoffs(event).step, playoffs(event).enough) == ("tie-games", True)
    client, to = signed_in(dana), f"/desk/{event.slug}/playoffs/tiebreak/end/"
    assert (client.post(to).status_code, client.post(to, {"witness": "Vic"}).status_code) == (422, 302)
    result = cut_of(fresh(event))
    assert (result.level, len(result.advance), loser in result.advance) == ((), 2, False)
    assert (playoffs(event).step, Game.objects.filter(round__stage="tiebreak").count()) == ("start", 1)
    copy = import_event(Actor(dana), export_event(event))
    assert cut_of(copy).advance == result.advance


def test_a_corrected_game_of_a_tie_break_with_a_bye_asks_for_the_game_that_is_missing(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 1)
    start_tiebreak(Actor(dana), event, "bye", witness="Vic", seed=7)
    (game,) = open_tie_games(event)
    play_tie_games(event)
    start_tie_round(Actor(dana), event)
    play_tie_games(event)
    revise_entry(Actor(dana), game, position=1, revision=0, facts=win(1)[0], reason="sides mixed up")
    sign_all(event, game.round)
    (attempt,) = tie_breaks(event)
    assert (attempt.is_open, len(attempt.due), len(attempt.games)) == (True, 1, 2)
    assert game.sides.get(index=1).team.number in attempt.due[0]


def test_four_level_teams_for_two_places_play_both_first_games_at_once(dana: User) -> None:
    event = level_at_the_cut(dana, 4, 2)
    start_tiebreak(Actor(dana), event, "bye", witness="Vic", seed=3)
    assert len(open_tie_games(event)) == 2
    play_tie_games(event)
    start_tie_round(Actor(dana), event)
    play_tie_games(event)
    result = cut_of(event)
    assert (len(result.advance), result.level) == (2, ())
    assert str(start_playoff_round(Actor(dana), event)) == "Final"


def test_the_desk_asks_keep_or_replay_and_records_why(dana: User) -> None:
    event, old, _new = corrected_semi_final(dana)
    client, to = signed_in(dana), f"/desk/{event.slug}/playoffs/"
    page = page_of(client.get(to))
    assert ["The director decides" in page, "already played on" in page, "Start " in page] == [True, True, False]
    refused = client.post(f"{to}placings/", {"source": "M1"})
    assert (refused.status_code, "Keep what was played, or replay it?" in refused.content.decode()) == (422, True)
    assert client.post(f"{to}placings/", {"source": "M2", "kind": "keep"}).status_code == 409
    assert client.post(f"{to}placings/", {"source": "M1", "kind": "keep", "reason": "Agreed"}).status_code == 302
    page = page_of(client.get(to))
    assert ["Change the decision" in page, f"Champions: {bracket_of(event).champion}" in page] == [True, True]
    assert (sure(champion_of(event))[0], sure(event.placings.last()).reason) == (old, "Agreed")


@pytest.mark.parametrize(
    ("section", "kinds"),
    [
        ("turns", {"main", "bracket"}),
        ("seating", {"main"}),
        ("standings", {"main"}),
        ("bracket", {"bracket"}),
        ("champion", {"main", "bracket"}),
    ],
)
def test_the_board_shows_what_the_desk_puts_on_it(dana: User, section: str, kinds: set[str]) -> None:
    event = seeded(dana, 4)
    start_playoff_round(Actor(dana), event)
    before, client = Event.objects.get(pk=event.pk).version, signed_in(dana)
    shows = [client.post(f"/desk/{event.slug}/board/", {"shows": what}).status_code for what in ("cartoons", section)]
    assert shows == [422, 302]
    slides = board(fresh(event), standings(event), EVERYTHING).slides
    assert ({slide.kind for slide in slides}, event.version > before) == (kinds, True)
    assert section != "standings" or all(slide.lines and not slide.tables for slide in slides)
    assert section != "seating" or [(bool(slide.tables), slide.lines) for slide in slides] == [(True, ())]


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(12))
def test_no_slot_disagrees_with_its_games_after_corrections_keeps_and_replays(seed: int) -> None:
    director, chance = make_user("dora"), random.Random(seed)
    event = seeded(director, chance.choice([3, 4, 5]), **chance.choice([{}, FOR_THIRD]))
    done = Counter[str]()
    for _ in range(12):
        with suppress(DomainError), transaction.atomic():
            done[one_act(director, event, chance)] += 1
        check_bracket(fresh(event))
    assert done["played"] >= 1 and sum(done.values()) >= 4, done


def one_act(director: User, event: Event, chance: random.Random) -> str:
    """Do something, and say what was done."""
    drawn = bracket_of(event)
    if drawn.asked and chance.random() < 0.8:
        decide_placing(Actor(director), event, chance.choice(drawn.asked).source, chance.choice(["keep", "replay"]))
        return "decided"
    if chance.random() < 0.5:
        play_round(director, event, chance.randrange(2))
        return "played"
    games = Game.objects.filter(round__event=event, state="final", result__winner__isnull=False)
    game = chance.choice(list(games.select_related("round__event", "result")))
    entry = game.entries.filter(replaced_by=None).get()
    other = win(1 - sure(game.result.winner))[0]
    correction: dict[str, Any] = {"position": 1, "revision": entry.revision, "facts": other, "reason": "mixed up"}
    before = picture(event, game.pk)
    announced = announced_by(Actor(director), game, **correction)
    assert impact(before, picture(event, game.pk)).changes == ()
    correct_sheet(Actor(director), game, **correction)
    assert impact(before, picture(event, game.pk)).changes == announced.changes
    return "corrected"


def check_bracket(event: Event) -> None:
    drawn = bracket(event)
    if drawn is None:
        return
    by_key = {match.key: match for match in drawn.matches}
    named = event.placings.filter(kind="keep").exists()
    for match in drawn.matches:
        teams = {side.number for side in match.sides}
        for game in match.games:
            assert not game.counts or set(game.teams) == teams
        winners = [game.winner for game in match.games if game.counts and game.winner]
        question = next((open_question for open_question in drawn.questions if open_question.source == match.key), None)
        if match.state == "decided":
            assert len(winners) == 1
        if match.state == "decided" and not match.on_hold:
            first = next(side.number for side in match.sides if side.won)
            is_kept = question is not None and question.decided == "keep"
            assert (first == winners[0]) != is_kept
            assert not is_kept or named
    if drawn.champion_number:
        final = by_key[drawn.matches[-1].key]
        assert not drawn.asked
        assert drawn.champion_number in {side.number for side in final.sides}
        assert playoffs(event).step != "decide"


def test_a_decision_about_a_match_leaves_the_one_about_the_seeds() -> None:
    seeds = Placing(number=1, source=SEEDS, kind="keep", before=[1, 2], after=[1, 3])
    match = Placing(number=2, source="M1", kind="replay", before=[1], after=[2])
    assert decision_on((seeds, match), SEEDS, (1, 2), (1, 3)) == "keep"
    assert decision_on((seeds, match), SEEDS, (1, 2), (1, 4)) == ""
    assert decision_on((match,), SEEDS, (1,), (2,)) == ""


def test_head_to_head_is_refused_where_it_leaves_a_circle_of_three(dana: User) -> None:
    # Everybody wins three: 1 beat 2, 2 beat 3, 3 beat 1.
    event = five_teams_meet(
        dana,
        (1, (5, 2, 6), (3, 4, 5)),
        (2, (3, 1, 5), (4, 5, 6)),
        (3, (1, 5, 5), (2, 4, 5)),
        (4, (1, 2, 5), (5, 3, 6)),
        (5, (4, 1, 6), (2, 3, 5)),
    )
    assert (cut_of(event).level, playoffs(event).has_met) == ((1, 2, 3), True)
    refusal = refusal_of(lambda: start_tiebreak(Actor(dana), event, "head-to-head"))
    assert [fault.field for fault in refusal.faults] == ["method"]
    assert (Decision.objects.count(), cut_of(event).level) == (0, (1, 2, 3))


# From the cut to the champion by requests alone: teams that are level at it, a best-of-three final, the end.
LOTS = {"seed": "7", "witness": "Vic"}


class Desk:
    """A director at the desk of one event, who only sends what the pages offer."""

    def __init__(self, event: Event, director: User) -> None:
        self.event, self.client, self.base = event, signed_in(director), f"/desk/{event.slug}/"

    def post(self, address: str, **typed: str) -> None:
        answer = self.client.post(f"{self.base}{address}", typed)
        assert answer.status_code == 302, page_of(answer)

    def sees(self, *texts: str) -> bool:
        page = page_of(self.client.get(f"{self.base}playoffs/"))
        return all(text in page for text in texts)

    def level(self) -> tuple[int, ...]:
        self.event.refresh_from_db()
        return cut_of(self.event).level

    def play(self, better: int = 0) -> list[int]:
        """Write the open games, sign them for both sides, close their rounds; gives the teams that won."""
        winners, rounds = [], []
        for game in Game.objects.filter(round__event=self.event, state="playing", round__state="running"):
            self.post(f"games/{game.pk}/entries/", seat=str(better), bid="4", books="11")
            code = sheet_now(game).code
            for side in "01":
                self.post(f"games/{game.pk}/signatures/", side=side, code=code, reason="signed on paper")
            winners.append(game.sides.get(index=better).team.number)
            rounds.append(game.round.number)
        for number in dict.fromkeys(rounds):
            self.post(f"rounds/{number}/closure/")
        return winners

    def tie_games(self) -> None:
        """Each against each: one game after another, until none is left."""
        for better in itertools.cycle((0, 1)):
            self.play(better)
            following = self.event.rounds.filter(stage="tiebreak", state="planned").first()
            if following is None:
                return
            self.post(f"rounds/{following.number}/start/")

    def bracket(self) -> None:
        for _ in range(9):
            if champion_of(self.event) is not None:
                return
            self.post("playoffs/rounds/")
            self.play()


def finished(desk: Desk, teams: int) -> bool:
    desk.bracket()
    desk.post("playoffs/end/")
    desk.event.refresh_from_db()
    result = cut_of(desk.event)
    return (desk.event.stage, len(result.advance), result.level) == ("over", teams, ())


def test_two_level_teams_play_one_game_and_the_final_is_best_of_three(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=6)
    played_round(event, [(1, 4, win(0, 7)), (2, 5, win(0)), (3, 6, win(0))])
    desk = Desk(event, dana)
    desk.post("playoffs/cut/", size="2", best_of="3")
    assert desk.sees("Books and Night Owls are tied for the last place")
    desk.post("playoffs/tiebreak/", method="game")
    (won,) = desk.play()
    assert cut_of(fresh(event)).advance == (1, won)
    for better, titles in ((0, "Final, game 1"), (1, "Final, game 2"), (1, "Final, game 3")):
        assert desk.sees(titles) and champion_of(event) is None
        desk.post("playoffs/rounds/")
        desk.play(better)
    assert sure(champion_of(event))[0] == won
    assert desk.client.post(f"{desk.base}playoffs/rounds/").status_code == 409
    assert finished(desk, 2)


@pytest.mark.parametrize(("count", "size"), [(3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
@pytest.mark.parametrize("method", ["lots", "bye", "all-play"])
def test_three_and_four_level_teams_go_the_way_the_director_picks(
    dana: User, count: int, size: int, method: str
) -> None:
    desk = Desk(level_at_the_cut(dana, count, size), dana)
    assert desk.sees(f"are tied for the last {'place' if size == 1 else f'{size} places'}")
    assert desk.client.post(f"{desk.base}playoffs/tiebreak/", {"method": "game"}).status_code == 422
    desk.post("playoffs/tiebreak/", method=method, **(LOTS if method != "all-play" else {}))
    if method == "all-play":
        desk.tie_games()
    if method == "bye":
        assert desk.client.post(f"{desk.base}playoffs/tiebreak/rounds/").status_code == 409
        for _ in range(count):
            desk.play()
            if not desk.sees("Draw for a bye", "/tiebreak/rounds/"):
                break
            desk.post("playoffs/tiebreak/rounds/")
            assert len(open_tie_games(desk.event)) == 1
    if left := desk.level():
        # Who won and lost as often as another, or went out in the same round: the director picks again.
        assert desk.sees("are tied")
        desk.post("playoffs/tiebreak/", **({"method": "game"} if len(left) == 2 else {"method": "lots"} | LOTS))
        desk.play()
    assert finished(desk, size)


@pytest.mark.parametrize(
    ("count", "method", "sentence", "shown"),
    [
        (2, "game", "The tie-break is in play.", "One game: Aces – Books (Tie-break, table 1)."),
        (
            3,
            "lots",
            "Saved. The standings show what was decided, and why.",
            "Draw with number 7, watched by Vic, recorded by dana: Books, Aces, Night Owls in this order.",
        ),
    ],
)
def test_tie_break_says_whether_it_is_decided_and_names_the_teams(
    dana: User, count: int, method: str, sentence: str, shown: str
) -> None:
    desk = Desk(level_at_the_cut(dana, count, 1), dana)
    answer = desk.client.post(f"{desk.base}playoffs/tiebreak/", {"method": method, **LOTS}, follow=True)
    breaks = page_of(answer).partition("breaks")[2].partition("</ul>")[0]
    line = " ".join(re.sub(r"<[^>]+>", "", breaks.partition("<li>")[2].partition("</li>")[0]).split())
    assert ([str(message) for message in answer.context["messages"]], line) == ([sentence], shown)


def test_head_to_head_is_refused_at_the_desk_where_the_teams_have_not_met(dana: User) -> None:
    desk = Desk(level_at_the_cut(dana, 3, 1), dana)
    assert playoffs(Event.objects.get()).has_met is False
    answer = desk.client.post(f"{desk.base}playoffs/tiebreak/", {"method": "head-to-head"})
    text = "They have not all met each other: choose another way."
    assert (answer.status_code, text in page_of(answer)) == (422, True)
    answer = desk.client.post(f"{desk.base}playoffs/tiebreak/", {"method": "lots", "seed": "x"})
    assert (answer.status_code, "A whole number is needed." in page_of(answer)) == (422, True)
    assert (desk.sees("are tied for the last place"), Decision.objects.exists()) == (True, False)


def test_bracket_shows_the_points_of_a_single_game(dana: User, client: Client) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    assert [side.score for match in bracket_of(event).matches for side in match.sides] == [5, 0, 5, 0, None, None]
    page = client.get(f"/e/{event.slug}/bracket/").content.decode()
    assert re.findall(r'<b class="score">(.*?)</b>', page) == ["5", "0", "5", "0"]


def test_the_desk_of_a_finished_event_names_the_champion_first(dana: User, desk: Client) -> None:
    event = seeded(dana, 2)
    play_round(dana, event, better=1)
    finish_event(Actor(dana), event)
    page = desk.get(f"/desk/{event.slug}/").content.decode()
    card = page.split("Final places</a></h3>")[1].split("</section>")[0]
    assert "Leaders" not in page
    assert re.findall("<td>(.*?)</td>", card)[:4] == ["1", "Books", "2", "Aces"]

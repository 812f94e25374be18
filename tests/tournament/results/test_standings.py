"""Standings from real sheets: what counts, how byes count, who may see it, what it costs."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.factories import MADE_FIVE, ODD, make_event, make_teams, play, revise_entry
from tests.quick import remembered
from tests.sure import fresh, refusal_of, statements_of, sure
from tests.tournament.results.evenings import finish_game, played_round, round_robin, sign_all, win
from tournament.access import NOBODY, Actor
from tournament.archive.store import import_event
from tournament.errors import Damaged
from tournament.models import Event, Game
from tournament.queries.pot import pot
from tournament.queries.scored import NotPossible, ScoredGame, scored_game
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.standings import shown_standings, standings
from tournament.services.signatures import rebuild_results
from tournament.services.teams import withdraw_team
from tournament.site.data_folder import FIXTURES

pytestmark = pytest.mark.both_databases


@pytest.fixture
@remembered
def open_(dana: User) -> Event:
    """The Columbus Open with four teams and three games planned."""
    return make_event(director=dana, rounds_planned=3, teams=4)


def lines(event: Event) -> list[tuple[str, int, int, int]]:
    return [(line.label, line.number, line.won, line.points) for line in standings(event).lines]


def test_standings_without_games_share_the_first_place_and_explain_nothing(open_: Event) -> None:
    table = standings(open_)
    assert [(line.label, line.number, line.marks, line.ties) for line in table.lines] == [
        ("1=", number, (), ()) for number in (1, 2, 3, 4)
    ]
    assert table.state == "no games yet"


def test_standings_are_ordered_by_games_won_then_points_and_say_why(open_: Event) -> None:
    played_round(open_, [(1, 2, win(0, 5, other=2)), (3, 4, win(1, 7))])
    table = standings(open_)
    assert [(line.label, line.number, line.won, line.points, line.bostons) for line in table.lines] == [
        ("1", 4, 1, 7, 1),
        ("2", 1, 1, 5, 0),
        ("3", 2, 0, 2, 0),
        ("4", 3, 0, 0, 0),
    ]
    assert table.lines[0].ties == ("Eagles and Aces both won 1 game; Eagles: 7 points to 5.",)
    assert sure(table.lines[0].marks[0]).words == "Game 1: won, 1 Boston"
    assert table.state == "after 1 of 3 games"


def test_standings_share_a_place_that_nothing_decides(open_: Event) -> None:
    played_round(open_, [(1, 2, win(0)), (3, 4, win(0))])
    table = standings(open_)
    assert [line.label for line in table.lines] == ["1=", "1=", "3=", "3="]
    assert table.lines[0].ties == (
        "Aces and Night Owls both won 1 game and have 5 points; still tied: a one-game playoff decides.",
    )


def test_one_line_is_drawn_through_a_tie_at_the_cut(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, cut=3, teams=8)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0)), (5, 6, win(0)), (7, 8, win(0))])
    rows = standings(event).lines
    assert [bool(line.at_cut) for line in rows] == [False, False, True, *[False] * 5]
    assert [line.cut_note for line in rows if line.cut_note] == ["4 teams for 3 places"]


def test_standings_count_final_games_alone(open_: Event) -> None:
    round_ = played_round(open_, [(1, 2, win(0)), (3, 4, [])], state="running")
    assert lines(open_) == [("1", 1, 1, 5), ("2=", 2, 0, 0), ("2=", 3, 0, 0), ("2=", 4, 0, 0)]
    assert standings(open_).state == "game 1 of 3 counted so far: 1 of 2 tables"
    finish_game(open_, Game.objects.get(round=round_, table=2), win(1, 6))
    assert lines(open_)[0] == ("1", 4, 1, 6)


def test_standings_never_count_playoff_and_tie_break_games(open_: Event) -> None:
    played_round(open_, [(1, 2, win(0)), (3, 4, win(0))])
    before = [(line.number, line.won, line.points, line.sets) for line in standings(open_).lines]
    played_round(open_, [(1, 2, win(1, 7))], stage="playoff")
    played_round(open_, [(3, 4, win(1, 7))], stage="tiebreak")
    assert [(line.number, line.won, line.points, line.sets) for line in standings(open_).lines] == before


@pytest.mark.parametrize(
    ("option", "expected"),
    [("game-won", (1, 5)), ("average", (1, 6)), ("none", (0, 0))],
)
def test_a_bye_counts_as_the_option_says(dana: User, option: str, expected: tuple[int, int]) -> None:
    event = make_event(director=dana, rounds_planned=3, options={"bye": option}, teams=5)
    played_round(event, [(1, 2, win(0, 5)), (3, 4, win(0, 6))], byes=[5])
    line = standings(event).index_lines()[5]
    assert (line.won, line.points) == expected
    assert (line.played, sure(line.marks[0]).sign) == (1, "B")


def test_a_bye_of_a_team_that_has_left_counts_for_nothing(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=3, teams=3)
    played_round(event, [(1, 3, win(0))], byes=[2])
    withdraw_team(Actor(dana), event, 2, 1)
    played_round(event, [(1, 3, win(0))], byes=[2])
    line = standings(event).index_lines()[2]
    assert (line.played, line.won, line.points, sure(line.marks[0]).sign, line.marks[1]) == (1, 1, 5, "B", None)


@pytest.mark.parametrize(("loser", "order"), [(1, [4, 1]), (2, [1, 4])])
def test_games_won_by_more_than_a_margin_count_where_the_sheet_says_so(
    dana: User, loser: int, order: list[int]
) -> None:
    event = make_event(director=dana, rounds_planned=1, options={"tiebreak_order": ["games-won", "won-by-5"]}, teams=4)
    played_round(event, [(1, 2, win(0, 5, other=2)), (3, 4, win(1, 7, other=loser))])
    table = standings(event)
    assert [(game.margin, game.won) for record in table.books.records for game in record.games] == [
        (3, True), (-3, False), (loser - 7, False), (7 - loser, True),
    ]  # fmt: skip
    assert [line.number for line in table.lines][:2] == order


def test_the_opponents_wins_of_a_team_that_has_left_still_count(dana: User) -> None:
    order = ["games-won", "opponents-wins"]
    event = make_event(director=dana, rounds_planned=2, cut=2, options={"tiebreak_order": order}, teams=6)
    played_round(event, [(1, 4, win(1)), (2, 3, win(1)), (5, 6, win(0))])
    played_round(event, [(3, 4, win(1)), (1, 5, win(0)), (2, 6, win(0))])
    withdraw_team(Actor(dana), event, 4, 2)
    table = standings(event)
    assert table.order == "games won, then games won by the opponents"
    assert [(line.label, line.number) for line in table.lines] == [
        ("1", 4), ("2=", 1), ("2=", 3), ("4=", 2), ("4=", 5), ("6", 6),
    ]  # fmt: skip
    tie = table.index_lines()[1].ties[0]
    assert "Aces and Night Owls both won 1 game and have opponents who won 3 games in all" in tie
    assert table.cut is not None and table.cut.advance == (1, 3), "both met team 4, which is not in the cut"


def test_a_bye_of_a_planned_round_does_not_count_yet(event: Event) -> None:
    make_teams(event, 3)
    played_round(event, [(1, 2, [])], byes=[3], state="planned")
    assert standings(event).index_lines()[3].played == 0


def test_a_bye_counts_from_the_close_of_its_round(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=3, teams=5)
    round_ = played_round(event, [(1, 2, win(0, 5)), (3, 4, [])], byes=[5], state="running")
    assert [(line.label, line.number, line.played, line.won, line.points) for line in standings(event).lines] == [
        ("1", 1, 1, 1, 5),
        ("2=", 2, 1, 0, 0),
        ("2=", 3, 0, 0, 0),
        ("2=", 4, 0, 0, 0),
        ("2=", 5, 0, 0, 0),
    ]
    finish_game(event, Game.objects.get(round=round_, table=2), win(1, 6))
    round_.state = "closed"
    round_.save()
    assert [(line.label, line.number, line.played, line.won, line.points) for line in standings(event).lines] == [
        ("1", 4, 1, 1, 6),
        ("2=", 1, 1, 1, 5),
        ("2=", 5, 1, 1, 5),
        ("4=", 2, 1, 0, 0),
        ("4=", 3, 1, 0, 0),
    ]


def test_standings_say_who_is_in_who_is_out_and_who_can_still_make_it(open_: Event) -> None:
    open_.cut = 2
    open_.save()
    played_round(open_, [(1, 2, win(0)), (3, 4, win(0))])
    # All four can still make it: that tells nobody from the others, and no line says it.
    assert {line.number: line.chance for line in standings(open_).lines} == dict.fromkeys((1, 2, 3, 4), "")
    played_round(open_, [(1, 4, win(0)), (3, 2, win(0))])
    played_round(open_, [(1, 3, win(0)), (2, 4, win(0))])
    table = standings(open_)
    assert {line.number: line.chance for line in table.lines} == {1: "in", 3: "in", 2: "out", 4: "out"}
    assert (table.complete, [line.number for line in table.lines if line.last_in]) == (True, [3])


def test_a_team_that_left_is_not_cut_in(open_: Event) -> None:
    open_.cut = 2
    open_.save()
    round_robin(open_, [1, 2, 3, 4])
    open_.teams.filter(number=1).update(status="left", left_after=3)
    table = standings(open_)
    assert sure(table.cut).advance == (2, 3)
    assert table.index_lines()[1].chance == ""


def test_a_correction_moves_the_standings(open_: Event, dana: User) -> None:
    round_ = played_round(open_, [(1, 2, win(0))])
    game = Game.objects.get(round=round_)
    revise_entry(Actor(dana), game, position=1, revision=0, facts=win(1)[0], reason="sides mixed up")
    sign_all(open_, round_)
    assert lines(open_)[:2] == [("1", 2, 1, 5), ("2=", 1, 0, 0)]


@pytest.mark.parametrize(
    ("option", "after_one", "running", "after_all", "over"),
    [
        ("live", 1, 2, 3, 3),
        ("after-round", 1, 1, 3, 3),
        ("after-stage", None, None, 3, 3),
        ("at-end", None, None, None, 3),
    ],
)
def test_visibility_of_standings(
    dana: User, option: str, after_one: Any, running: Any, after_all: Any, over: Any
) -> None:
    event = make_event(director=dana, rounds_planned=3, options={"standings_visible": option}, teams=4)

    def seen() -> int | None:
        table = shown_standings(event, NOBODY)
        return max(line.played for line in table.lines) if not table.hidden else None

    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    assert seen() == after_one
    second = played_round(event, [(1, 3, win(0)), (2, 4, win(0))], state="running")
    assert seen() == running
    assert max(line.played for line in shown_standings(event, Actor(dana)).lines) == 2
    event.rounds.filter(pk=second.pk).update(state="closed")
    played_round(event, [(1, 4, win(0)), (2, 3, win(0))])
    assert seen() == after_all
    event.stage, event.public_version = "over", event.public_version + 1
    event.save()
    assert seen() == over


@pytest.mark.parametrize("count", [2, 30, 500])
def test_standings_take_a_constant_number_of_queries(dana: User, count: int) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=count)
    played_round(event, [(number, number + 1, win(0)) for number in range(1, count, 2)])
    assert statements_of(lambda: standings(event)) <= 7


@pytest.mark.django_db(transaction=True)
def test_shown_standings_are_computed_once_a_version(open_: Event) -> None:
    played_round(open_, [(1, 2, win(0))])
    first = shown_standings(open_, NOBODY)
    assert shown_standings(open_, NOBODY) is first
    played_round(open_, [(3, 4, win(0, 7))])
    assert shown_standings(open_, NOBODY).lines[0].number == 3


def test_standings_of_a_sheet_without_a_playoff_explain_no_tie_by_one(dana: User) -> None:
    event = make_event(director=dana, options={"tiebreak_order": ["games-won", "points"]}, teams=4)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    assert standings(event).order == "games won, then points"
    assert [sentence for line in standings(event).lines for sentence in line.ties if "playoff" in sentence] == []
    assert standings(event).lines[0].ties


def test_no_row_of_the_standings_comes_by_a_cursor_on_the_server(
    open_: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL plans one for the first tenth of its rows: after an import that took eight times as long."""
    played_round(open_, [(1, 2, win(0)), (3, 4, win(0))])
    opened: list[str] = []

    def cursor() -> Any:
        opened.append("cursor")
        return connection.cursor()

    monkeypatch.setattr(connection, "chunked_cursor", cursor)
    for name in ("standings", "schedule", "teams", "board"):
        assert client.get(reverse(name, args=[open_.slug])).status_code == 200
    assert opened == []
    # The control: this is what asks for one.
    assert (len(list(Game.objects.iterator())), opened) == (2, ["cursor"])


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite plans without statistics")
def test_after_an_import_postgresql_knows_the_rows_that_standings_are_made_from(dana: User) -> None:
    """Until it looks by itself, it plans as for empty tables: standings then took eight times as long."""
    import_event(Actor(dana), json.loads((FIXTURES / "demo" / "autumn-open.json").read_text(encoding="utf-8")))
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT tablename FROM pg_stats WHERE tablename LIKE 'tournament_%'")
        tables = {name for (name,) in cursor.fetchall()}
    assert {f"tournament_{name}" for name in ("team", "game", "side", "result", "entry")} <= tables


# The Boston pot from real sheets.
@pytest.fixture
def pot_event(dana: User) -> Event:
    """Three of four teams paid ten dollars and one cent into the pot; Bostons of two games count."""
    event = make_event(director=dana, rounds_planned=3, pot_cents=1001, options={"boston_window": 2}, teams=4)
    event.teams.filter(number=4).update(in_pot=False)
    return event


def shares(event: Event) -> dict[int, int]:
    return {team.number: team.cents for team in pot(event).teams if team.cents}


def test_pot_counts_the_teams_that_are_in_it(pot_event: Event) -> None:
    facts = pot(pot_event)
    assert (facts.cents, facts.entered, facts.outside, facts.window) == (3003, 3, ("Eagles",), "games 1–2")
    assert facts.text == "No Boston yet. The pot of $30.03 goes to the most Bostons in games 1–2 (rule 12)."


def test_pot_is_settled_when_the_last_game_of_the_window_is_final(pot_event: Event) -> None:
    played_round(pot_event, [(1, 2, win(0, 7)), (3, 4, win(1, 7))])
    second = played_round(pot_event, [(1, 3, win(0)), (2, 4, [])], state="running")
    assert (pot(pot_event).settled, pot(pot_event).leaders) == (False, ("Aces",))
    finish_game(pot_event, second.games.get(table=2), win(0, 7))
    facts = pot(pot_event)
    assert (facts.settled, shares(pot_event)) == (True, {1: 1502, 2: 1501})
    assert facts.text == (
        "Most Bostons in games 1–2 (rule 12): Aces and Books with 1 each. Not in the pot: Eagles (1). "
        "They share the pot of $30.03 equally, $15.01 each. "
        "The odd cent goes to Aces, the lowest number ($15.02)."
    )


def test_pot_without_bostons_goes_to_the_best_record_after_the_last_game(pot_event: Event) -> None:
    for games in ([(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]):
        assert pot(pot_event).settled is False
        played_round(pot_event, [(first, other, win(0)) for first, other in games])
    facts = pot(pot_event)
    assert (facts.settled, facts.basis, shares(pot_event)) == (True, "best-record", {1: 3003})


def test_pot_without_any_team_says_so(dana: User) -> None:
    assert pot(make_event(director=dana)).text == "Nobody is in the Boston pot."


def test_pot_of_all_games_is_settled_after_the_last_one(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, pot_cents=1000, options={"boston_window": None}, teams=2)
    played_round(event, [(1, 2, win(0, 7))])
    assert (pot(event).settled, pot(event).leaders) == (False, ("Aces",))
    played_round(event, [(2, 1, win(0, 7))])
    assert (pot(event).settled, shares(event)) == (True, {1: 1000, 2: 1000})


# A game is scored once; what a stored row says is never thrown away in silence, nor scored by a default.
THREE = {"entry": "hand", "bidder": 0, "bid": "3", "books": 9}
SET_FOUR = {"entry": "hand", "bidder": 1, "bid": "4", "books": 9}
BAD = [
    ('UPDATE tournament_entry SET facts = \'{"entry": "hand", "seat": 1, "bid": "soon", "books": 7}\'', "soon"),
    ('UPDATE tournament_entry SET facts = \'{"entry": "hand", "seat": 1, "books": 7}\'', "line 2"),
    ('UPDATE tournament_entry SET facts = \'{"entry": "nonsense"}\'', "nonsense"),
    ("UPDATE tournament_entry SET facts = '[]'", "line 2"),
]


def scores(scored: ScoredGame) -> list[tuple[int, tuple[int, ...]]]:
    return [(line.position, tuple(line.after.scores)) for line in scored.lines]


@pytest.fixture
def two_hands(dana: User, game: Game) -> Game:
    """Made, then set: 3 to 0, 3 to -4."""
    return play(dana, game, THREE, SET_FOUR, sign=False)


def test_a_sheet_is_signed_under_its_rules_and_not_under_what_may_change_in_play(two_hands: Game) -> None:
    codes = []
    for options in ({}, {"standings_visible": "after-round"}, {"lose_at": -9}):
        Event.objects.update(options=options)
        codes.append(game_sheet(sheet_games().get(pk=two_hands.pk)).code)
    assert codes[0] == codes[1] != codes[2]


def test_line_more_before_and_in_place_of_another(two_hands: Game) -> None:
    scored = scored_game(two_hands)
    stands = scores(scored)
    assert scores(scored.with_entry(ODD)) == [*stands, (3, scored.with_entry(ODD).points)]
    assert scores(scored.before(2)) == stands[:1]
    assert scores(scored.replacing(2, None)) == stands[:1]
    assert scores(scored.replacing(1, None)) == [(2, tuple(scored.before(1).with_entry(SET_FOUR).carry.scores))]
    assert scores(scored) == stands


@pytest.mark.parametrize("position", [1, 2])
def test_line_that_the_rules_refuse_is_named_by_its_place(two_hands: Game, position: int) -> None:
    scored = scored_game(two_hands)
    with pytest.raises(NotPossible) as refusal:
        scored.replacing(position, {"entry": "hand", "seat": 0, "bid": "9", "books": 7})
    assert (refusal.value.position, refusal.value.line) == (position, position)
    with pytest.raises(NotPossible) as later:
        # The game is over before the second line.
        scored.replacing(1, ODD)
    assert (later.value.position, later.value.line) == (2, 2)
    assert [problem.field for problem in later.value.problems] == ["entry"]


@pytest.mark.parametrize(("damage", "word"), BAD)
def test_row_that_cannot_be_read_names_event_game_and_line(
    two_hands: Game, event: Event, damage: str, word: str, desk: Client
) -> None:
    before = (two_hands.result.scores, two_hands.result.code)
    with connection.cursor() as cursor:
        cursor.execute(f"{damage} WHERE position = 2")
    for ask in (game_sheet, scored_game):
        with pytest.raises(Damaged) as refusal:
            ask(sheet_games().get(pk=two_hands.pk))
        sentence = str(refusal.value)
        assert sentence.startswith("Columbus Open, Game 1, table 1, line 2: this line cannot be read. ")
        assert word in sentence
    with pytest.raises(Damaged):
        rebuild_results(event)
    with pytest.raises(CommandError, match=r"Nothing was changed\. Columbus Open, Game 1, table 1, line 2"):
        call_command("rebuild_results", event.slug)
    result = Game.objects.get(pk=two_hands.pk).result
    assert (result.scores, result.code) == before
    answer = desk.get(reverse("desk-game", args=[event.slug, two_hands.pk]))
    assert (answer.status_code, "table 1, line 2" in answer.text) == (500, True)
    assert desk.get(reverse("standings", args=[event.slug])).status_code == 200


def test_totals_from_paper_that_cannot_be_read_are_named(dana: User, game: Game) -> None:
    opening: dict[str, Any] = {"entry": "opening", "scores": [3, "much"]}
    game.entries.create(position=0, kind="opening", facts=opening, source="paper", entered_by=dana)
    refusal = refusal_of(lambda: scored_game(Game.objects.get(pk=game.pk)), Damaged)
    assert str(refusal).startswith("Columbus Open, Game 1, table 1, totals from paper: these cannot be read. ")


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (
            {"entry": "hand", "bidder": 0, "bid": "3", "books": 9, "trump": "♥"},
            "“♥” is not a suit. Trumps are clubs, diamonds, hearts, spades, no-trump.",
        ),
        (
            {"entry": "ruling", "rule": "22", "choice": "continue", "side": 0},
            "Rule 22 grants: play-on (Play on, no penalty), void (The hand is void and dealt again).",
        ),
    ],
)
def test_a_spelling_that_is_gone_is_named_by_event_game_and_line(
    two_hands: Game, facts: dict[str, Any], why: str
) -> None:
    with connection.cursor() as cursor:
        facts_of_fault = [json.dumps(facts), facts["entry"], two_hands.pk]
        cursor.execute(
            "UPDATE tournament_entry SET facts = %s, kind = %s WHERE position = 1 AND game_id = %s", facts_of_fault
        )
    refusal = refusal_of(lambda: scored_game(Game.objects.get(pk=two_hands.pk)), Damaged)
    assert str(refusal) == f"Columbus Open, Game 1, table 1, line 1: this line cannot be read. {why}"


def test_an_option_in_a_spelling_that_is_gone_is_named_by_its_event(two_hands: Game) -> None:
    Event.objects.filter(pk=two_hands.round.event.pk).update(options={"loser_points": "winner-only"})
    assert str(refusal_of(lambda: scored_game(Game.objects.get(pk=two_hands.pk)), Damaged)) == (
        "Columbus Open: A stored option of “Tournament Bid Whist, no kitty, no jokers (2021)” cannot be read. Points of"
        " the side that lost: “winner-only” is not one of signed, zero-at-least, winners-only. Say “winners-only”."
    )


def test_what_is_no_longer_final_is_named_when_results_are_computed_again(dana: User, event: Event, game: Game) -> None:
    """Somebody changed a hand in the file: the game waits for signatures, and the person who did this is told why."""
    play(dana, game, MADE_FIVE)
    sentences: list[list[str]] = []
    kept = game.entries.get().facts
    for facts in (kept, kept | {"books": 12}):
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE tournament_entry SET facts = '{json.dumps(facts)}'")
        call_command("rebuild_results", event.slug, stdout=(out := io.StringIO()))
        sentences.append(out.getvalue().splitlines())
    assert (sentences[0], fresh(game).state) == (["1 game computed from their entries."], "to-sign")
    assert sentences[1][1:] == [
        f"{game} is no longer final: its signatures belong to another version of the sheet. “verify” tells what was "
        "changed."
    ]

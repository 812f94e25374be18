"""Every row of the table of rulings with every choice it grants: the sheet, the state, and the way back."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import MADE_FIVE, make_round, make_teams, page_of, play, signed_in
from tests.sure import fresh, refusal_of
from tournament.access import Actor
from tournament.errors import Conflict
from tournament.forms.ruling import ruling_on
from tournament.models import Event, Game, Journal, Round
from tournament.queries.deskgame import desk_game
from tournament.queries.rulings import likely_rulings, ruling_table, rulings_of
from tournament.queries.sheet import sheet_now
from tournament.services.corrections import apply_ruling
from tournament.services.rounds import call_director, open_call, start_round

EARLY = "This is early: nobody is late for another"
THREE = {"entry": "hand", "bidder": 0, "bid": "3", "books": 9}


class Row(NamedTuple):
    """A ruling on a fresh sheet, and what the sheet says afterwards."""

    rule: str
    choice: str
    said: dict[str, str]
    scores: tuple[int, int] = (0, 0)
    sets: tuple[int, int] = (0, 0)
    how: str = ""
    state: str = "playing"


BOOKS = {"side": "1"}
ROWS = [
    Row("13", "award", BOOKS, (5, 0), how="late", state="final"),
    Row("13", "wait", BOOKS),
    Row("13", "both-late", {}, how="no-game", state="final"),
    Row("16", "void", BOOKS),
    Row("17", "void", BOOKS),
    Row("18", "void", BOOKS),
    Row("22", "play-on", BOOKS),
    Row("22", "void", BOOKS),
    Row("23", "void", BOOKS),
    Row("25", "play-on", BOOKS),
    Row("25", "void", BOOKS),
    Row("26", "play-on", BOOKS),
    Row("26", "void", BOOKS),
    Row("27", "progressive", BOOKS),
    Row("29", "they-bid", BOOKS),
    Row("29", "void", BOOKS),
    Row("29", "bid-stands", BOOKS),
    Row("31", "set", {"side": "0", "bid": "2-no"}, (-4, 0), (1, 0)),
    Row("31", "play-on", {"side": "0"}),
    Row("32", "set", {"side": "1", "bidder": "0", "bid": "2"}, (0, -2), (0, 1)),
    Row("32", "play-on", BOOKS),
    Row("34", "set", {"side": "0", "bid": "2"}, (-2, 0), (1, 0)),
    Row("35", "take-points", {"side": "1", "bid": "3-no"}, (6, 0), how="points", state="to-sign"),
    Row("35", "play-on", BOOKS),
    Row("36", "void", {}),
    Row("41", "game", BOOKS, (5, 0), how="renege", state="to-sign"),
    Row("41", "no-renege", {}),
    Row("41", "void", {}),
    Row("46", "forfeit", BOOKS, (5, 0), how="forfeit", state="final"),
    Row("47", "disqualified", BOOKS, (5, 0), how="forfeit", state="final"),
    Row("other", "warning", {"side": "1", "cited": "42", "reason": "talked across the table"}),
    Row("other", "adjustment", {"points-0": "−1", "points-1": "2", "sets-1": "1", "reason": "agreed"}, (-1, 2), (0, 1)),
    Row(
        "other",
        "adjustment",
        {"means": "game", "to": "0", "cited": "33", "reason": "cards hidden"},
        (5, 0),
        how="award",
        state="to-sign",
    ),
    Row(
        "other",
        "adjustment",
        {"means": "nobody", "cited": "33", "reason": "deck was short"},
        how="no-game",
        state="final",
    ),
]


def form_on(dana: User, game: Game, **said: str) -> Any:
    return ruling_on(desk_game(Actor(dana), game.pk), said)


def rule(dana: User, game: Game, **said: str) -> Any:
    """Rule as the desk does: what was said becomes facts, the facts are applied."""
    form = form_on(dana, game, **said)
    apply_ruling(Actor(dana), game, form.checked(), leaves=form.leaves)
    return desk_game(Actor(dana), game.pk).sheet


@pytest.mark.parametrize(
    ("hands", "said", "winner", "points", "rule_of_end"),
    [
        ([THREE], {"rule": "41", "choice": "game", "side": "1"}, 0, (8, 0), "41"),
        ([], {"rule": "32", "choice": "set", "side": "1", "bidder": "0", "bid": "1"}, 0, (5, -1), "7"),
        ([], {"rule": "35", "choice": "take-points", "side": "1", "bid": "3-no"}, 0, (6, 0), "6"),
    ],
)
def test_ruling_gives_the_worked_example(
    game: Game, dana: User, hands: Any, said: Any, winner: int, points: Any, rule_of_end: str
) -> None:
    play(dana, game, *hands)
    sheet = rule(dana, game, **said)
    assert (sheet.winner, sheet.points, sheet.rule) == (winner, points, rule_of_end)


def test_ruling_names_rule_side_choice_director_and_time(game: Game, dana: User) -> None:
    rule(dana, game, rule="32", choice="play-on", side="1")
    [line] = rulings_of(game.round.event)
    written = line.line.written
    assert (written.rule, written.about, line.line.by, line.effect, line.withdrawn) == ("32", "Books", "dana", (), "")
    assert "Play on" in written.text
    assert line.line.at is not None


def test_ruling_of_which_nobody_wins_says_so_once(game: Game, dana: User) -> None:
    shown = form_on(dana, game, rule="13", choice="both-late").effect
    rule(dana, game, rule="13", choice="both-late")
    [line] = rulings_of(game.round.event)
    said = " ".join(re.sub(r"<[^>]+>", "", render_to_string("desk/_effect.html", {"effect": shown})).split())
    assert (line.effect, said.count("nobody won")) == (("Game over: nobody won",), 1)


def test_ruling_on_a_signed_game_is_refused(game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    with pytest.raises(Conflict):
        apply_ruling(Actor(dana), game, {"entry": "ruling", "rule": "41", "choice": "game", "side": 1})


def test_leaving_forfeits_the_games_that_remain_when_their_round_starts(event: Event, dana: User) -> None:
    teams = make_teams(event, 4)
    game = make_round(event, [(teams[0], teams[1])]).games.get()
    later = make_round(event, [(teams[1], teams[2])], number=2, state="planned").games.get()
    rule(dana, game, rule="46", choice="forfeit", side="1")
    teams[1].refresh_from_db()
    assert (teams[1].status, teams[1].left_after) == ("left", 1)
    game.round.state = "closed"
    game.round.save()
    start_round(Actor(dana), event, 2)
    assert (fresh(later).state, later.result.winner, later.result.points) == ("final", 1, [0, 5])


def test_disorder_disqualifies_and_says_so_in_the_journal(game: Game, dana: User) -> None:
    rule(dana, game, rule="47", choice="disqualified", side="0")
    assert game.sides.get(index=0).team.status == "disqualified"
    [act] = Journal.objects.filter(action="rule")
    assert "rule 47: Disorderly conduct (Aces)" in act.text


def test_ruling_without_leaving_keeps_the_team_in_the_event(game: Game, dana: User) -> None:
    facts = form_on(dana, game, rule="46", choice="forfeit", side="1").checked()
    apply_ruling(Actor(dana), game, facts, leaves=False)
    assert game.sides.get(index=1).team.status == "playing"


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ({}, ["rule"]),
        ({"rule": "99"}, ["rule", "rule"]),
        ({"rule": "41"}, ["side", "choice"]),
        ({"rule": "32", "choice": "set"}, ["side", "bidder", "bid"]),
        ({"rule": "32", "choice": "set", "side": "7", "bidder": "0", "bid": "2"}, ["side"]),
        ({"rule": "32", "choice": "set", "side": "1", "bidder": "0", "bid": "9"}, ["bid"]),
        ({"rule": "other", "choice": "adjustment", "points-0": "1"}, ["reason"]),
        ({"rule": "other", "choice": "adjustment", "reason": "why"}, ["points-0"]),
        ({"rule": "other", "choice": "adjustment", "reason": "why", "points-0": "many"}, ["points-0"]),
        ({"rule": "other", "choice": "adjustment", "reason": "why", "means": "game"}, ["cited", "to"]),
        ({"rule": "other", "choice": "warning", "side": "0", "cited": "99"}, ["rule"]),
    ],
)
def test_ruling_that_cannot_be_names_its_fields(game: Game, dana: User, said: dict[str, str], fields: Any) -> None:
    assert [fault.field for fault in refusal_of(lambda: form_on(dana, game, **said).checked()).faults] == fields


@pytest.mark.parametrize("rule_of_side", ["31", "34", "35"])
def test_ruling_does_not_ask_who_bid_where_the_rule_tells(game: Game, dana: User, rule_of_side: str) -> None:
    choice = "take-points" if rule_of_side == "35" else "set"
    form = form_on(dana, game, rule=rule_of_side, choice=choice, side="0")
    assert ("bidder" in form.asks, "bid" in form.asks) == (False, True)


def test_ruling_says_who_has_the_choice(game: Game, dana: User) -> None:
    assert form_on(dana, game, rule="32", side="1").choosers == ("The choice of Aces",)
    assert form_on(dana, game, rule="32").choosers == ("The other side chooses",)
    assert form_on(dana, game, rule="41").choosers == ("You decide",)


def test_the_rulings_to_choose_from_stand_in_order_of_use(game: Game, dana: User) -> None:
    rules = desk_game(Actor(dana), game.pk).rules
    first, rest = likely_rulings(rules, "")
    assert [ruling.rule for ruling in first + rest] == (
        "41 32 13 22 17 34 35 29 18 23 16 27 31 36 25 26 46 47 other".split()
    )
    called = likely_rulings(rules, "count")
    assert [[one.rule for one in part] for part in called] == [
        ["17", "34", "35", "23", "36"],
        "41 32 13 22 29 18 16 27 31 25 26 46 47 other".split(),
    ]
    assert {ruling.rule for ruling in rest} == {ruling.rule for ruling in ruling_table(rules)}


# Every row of the table of rulings through the site: the table's call, the choice, the effect, and its withdrawal.
def withdraw(client: Client, address: str) -> int:
    """Take the ruling off; where the game is final only after what changes was shown."""
    said = {"what": "remove", "revision": "0", "reason": "seen on the film"}
    answer = client.post(address, said)
    if key := re.search(r'name="confirmed" value="([\w-]+)"', answer.content.decode()):
        answer = client.post(address, said | {"confirmed": key[1]})
    return answer.status_code


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.rule}-{row.choice}-{row.said.get('means', '')}")
def test_ruling_from_the_tables_call_to_its_withdrawal(row: Row, game: Game, dana: User) -> None:
    client, event = signed_in(dana), game.round.event.slug
    call_director(Actor(), game, "other")
    address = reverse("game-ruling", args=[event, game.pk])
    assert address in page_of(client.get(reverse("desk", args=[event])))
    said = {"rule": row.rule, "choice": row.choice, "leaves": "yes", "leaves_asked": "1", **row.said}
    shown = client.get(address, said).context["form"].effect
    assert "Apply this ruling" in page_of(client.get(address, said))
    sent = said | {"position": "1", "client_key": str(uuid.uuid4())}
    assert client.post(address, sent).status_code == 302
    sheet = sheet_now(game)
    assert (sheet.scores, sheet.sets, sheet.how, sheet.game.state) == (row.scores, row.sets, row.how, row.state)
    assert (shown.after, shown.how, shown.over) == (sheet.scores, sheet.how, sheet.over)
    charged = [name for name, sets in zip(("Aces", "Books"), sheet.sets, strict=True) if sets]
    assert [words.partition(":")[0] for words in shown.counts if "set" in words] == charged
    assert open_call(game) is None
    assert withdraw(client, reverse("game-revision", args=[event, game.pk, 1])) == 302
    after = sheet_now(game)
    assert (after.scores, after.sets, after.game.state, after.rows) == ((0, 0), (0, 0), "playing", ())
    assert [(old.struck_by, old.struck_reason) for old in after.removed] == [("dana", "seen on the film")]
    assert [line.withdrawn for line in rulings_of(game.round.event)] == ["dana · seen on the film"]
    assert "dana · seen on the film" in page_of(client.get(reverse("desk-rulings", args=[event])))


# A renege called after the winning hand is ruled on at once, from the call itself, in the place of that hand.
TWO = {"entry": "hand", "bidder": 0, "bid": "2", "books": 8}


@pytest.fixture
def won(dana: User, game: Game) -> Game:
    """Aces lead 5 to 0, to be signed, when the table calls the director for a renege."""
    play(dana, game, THREE, TWO, sign=False)
    call_director(Actor(), game, "renege")
    return fresh(game)


def address_of(game: Game, name: str = "game-ruling") -> str:
    return reverse(name, args=[game.round.event.slug, game.pk])


def said_with(desk: Client, game: Game, **said: str) -> tuple[Any, str]:
    """The page with these answers, and the address that it has."""
    answer = desk.get(address_of(game), said, follow=True)
    return answer, answer.redirect_chain[-1][0].partition("?")[0]


def test_to_do_card_and_sheet_lead_to_the_ruling(desk: Client, event: Event, won: Game) -> None:
    page = page_of(desk.get(reverse("desk", args=[event.slug]), follow=True))
    assert page.count(f'href="{address_of(won)}?rule=41"') == 2
    assert page_of(desk.get(address_of(won, "desk-game"), follow=True)).count(f'href="{address_of(won)}"') == 2


# The rule, what is said of it, the score and the way the game ended then.
RULED = [
    ({"rule": "41", "choice": "game", "side": "0"}, (3, 5), "renege"),
    ({"rule": "32", "choice": "set", "side": "0", "bidder": "0", "bid": "2"}, (1, 0), ""),
    ({"rule": "34", "choice": "set", "side": "0", "bid": "2"}, (1, 0), ""),
    ({"rule": "35", "choice": "take-points", "side": "1", "bid": "2"}, (5, 0), "points"),
    ({"rule": "17"}, (3, 0), ""),
]


@pytest.mark.parametrize(("said", "scores", "how"), RULED)
def test_a_ruling_takes_the_place_of_the_winning_hand(
    desk: Client, won: Game, said: dict[str, str], scores: tuple[int, int], how: str
) -> None:
    answer, address = said_with(desk, won, **said)
    page = page_of(answer)
    assert "The game is over, not signed. The ruling replaces the last hand" in page
    assert "Withdraw the ruling that ended it" not in page
    effect = answer.context["form"].effect
    assert (effect.before, effect.after, effect.how) == ((3, 0), scores, how)
    done = page_of(desk.post(address, {**said, "revision": "0"}, follow=True))
    assert "The ruling is on the sheet in place of the line." in done
    sheet = sheet_now(won)
    assert (sheet.scores, sheet.how, sheet.over) == (scores, how, bool(how))
    assert [row.kind for row in sheet.rows] == ["hand", "ruling"]
    assert open_call(won) is None


def test_play_on_is_not_offered_in_the_place_of_a_hand(desk: Client, won: Game) -> None:
    for rule, offered in (("41", ["game", "void"]), ("32", ["set"]), ("35", ["take-points"])):
        assert [one.key for one in said_with(desk, won, rule=rule)[0].context["form"].rule.choices] == offered
    # What only warns leaves the hand where it is: the call is answered without a ruling.
    assert "Answered, no ruling" in page_of(desk.get(address_of(won, "desk-game"), follow=True))


def test_what_is_missing_is_asked_and_nothing_is_written(desk: Client, won: Game) -> None:
    _, address = said_with(desk, won, rule="41")
    assert desk.post(address, {"rule": "41", "revision": "0"}).status_code == 422
    assert [row.kind for row in sheet_now(won).rows] == ["hand", "hand"]


def test_a_game_that_a_ruling_ended_says_what_can_be_done(desk: Client, dana: User, game: Game) -> None:
    play(dana, game, THREE, {"entry": "ruling", "rule": "41", "choice": "game", "side": 1}, sign=False)
    assert "Withdraw the ruling that ended it" in page_of(desk.get(address_of(game), follow=True))


def test_a_signed_game_is_not_ruled_on_in_passing(desk: Client, dana: User, game: Game) -> None:
    play(dana, game, THREE, TWO)
    assert desk.get(address_of(game)).status_code == 200
    assert f'href="{address_of(game)}"' not in page_of(desk.get(address_of(game, "desk-game"), follow=True))


@pytest.mark.parametrize(
    ("minutes", "rule", "early"),
    [(1, "13", True), (59, "13", False), (1, "41", False)],
    ids=["early", "late", "renege"],
)
def test_a_ruling_for_lateness_before_its_minutes_says_that_it_is_early(
    desk: Client, game: Game, minutes: int, rule: str, early: bool
) -> None:
    Round.objects.update(started_at=timezone.now() - timedelta(minutes=minutes))
    page = page_of(desk.get(reverse("game-ruling", args=["columbus-open", game.pk]), {"rule": rule}))
    assert (EARLY in page) is early
    assert ("Which side is late?" in page) is (rule == "13")

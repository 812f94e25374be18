"""Random evenings with everything a desk does to a sheet: what is announced happens, and entries alone decide.

UPTOWN_EVENINGS=5000 plays five thousand.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from django.urls import reverse

from tests.factories import (
    MADE_FIVE,
    announced_by,
    confirmed_in,
    impact_of,
    make_event,
    make_round,
    make_teams,
    page_of,
    pairs_of,
    play,
)
from tests.nightly.faults import rows
from tests.sure import fresh
from tests.tournament.results.test_bracket_repair import bracket_of_four
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, DomainError
from tournament.models import Entry, Event, Game, Journal, Result, Round, Side, Signature
from tournament.models.game import CAUSES, SET_ASIDE
from tournament.queries.corrections import impact, picture
from tournament.queries.pot import pot
from tournament.queries.scored import active_entries
from tournament.queries.sheet import game_sheet, sheet_games, sheet_now
from tournament.queries.standings import standings
from tournament.services.corrections import bring_back, correct_sheet
from tournament.services.entries import record_entry
from tournament.services.playoffs import start_playoff_round
from tournament.services.signatures import rebuild_results, verify_sheet
from tournament.services.substitutions import swap_teams
from tournament.services.transactions import note_printed
from tournament.words.phrases import clock_time

EVENINGS = int(os.environ.get("UPTOWN_EVENINGS", "8"))
Act = Callable[[random.Random, Event, User], int]


def some_game(chance: random.Random, event: Event) -> Game:
    return chance.choice(list(Game.objects.filter(round__event=event).select_related("round__event")))


def some_line(chance: random.Random, game: Game) -> dict[str, Any]:
    entry = chance.choice(active_entries(Entry.objects.filter(game=game)))
    return {"position": entry.position, "revision": entry.revision, "reason": "as on the film"}


def correct(chance: random.Random, event: Event, dana: User) -> int:
    game = some_game(chance, event)
    if not active_entries(Entry.objects.filter(game=game)):
        return 0
    ruling = {"entry": "ruling", "rule": "41", "choice": "game", "side": chance.randint(0, 1)}
    facts = chance.choice([random_hand(chance), random_hand(chance), ruling, None])
    line = some_line(chance, game) | {"facts": facts}
    before, stored = picture(event, game.pk), rows()
    try:
        announced = announced_by(Actor(dana), game, **line)
    except DomainError:
        correct_sheet(Actor(dana), game, **line)
        pytest.fail("It was refused when it was announced, and not when it was done.")
    assert rows() == stored
    correct_sheet(Actor(dana), game, **line)
    assert impact(before, picture(event, game.pk)).changes == announced.changes
    return 1


def swap(chance: random.Random, event: Event, dana: User) -> int:
    game = some_game(chance, event)
    first, other = numbers = chance.sample([1, 2, 3, 4], 2)
    swap = (event, game.round.number, first, other, "wrong tables")
    sides = Side.objects.filter(round=game.round, team__number__in=numbers).order_by("game__table")
    games = list(dict.fromkeys(sides.values_list("game_id", flat=True)))
    before, stored = picture(event, *games), rows()
    announced = impact_of(partial(swap_teams, Actor(dana), *swap))
    assert rows() == stored
    swap_teams(Actor(dana), *swap)
    assert impact(before, picture(event, *games)).changes == announced.changes
    return 1


def write(chance: random.Random, event: Event, dana: User) -> int:
    game = some_game(chance, event)
    record_entry(Actor(dana), game, random_hand(chance), source=chance.choice(["paper", "table"]))
    play(dana, game)
    return 1


def back(chance: random.Random, event: Event, dana: User) -> int:
    bring_back(Actor(dana), some_game(chance, event), "they were played")
    return 1


def verify(chance: random.Random, event: Event, dana: User) -> int:
    game = some_game(chance, event)
    code = sheet_now(game).code
    verify_sheet(Actor(dana), game, code=code, accepted=chance.random() < 0.5, reason="not as on paper")
    return 1


ACTS: tuple[Act, ...] = (correct, correct, correct, swap, write, back, verify)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(EVENINGS))
def test_random_evening_keeps_its_books(seed: int, dana: User) -> None:
    chance = random.Random(1000 + seed)
    event = random_evening(chance, dana)
    Event.objects.filter(pk=event.pk).update(verify_own=True)
    entries = Entry.objects.count()
    done = 0
    for _ in range(14):
        before = rows()
        try:
            done += chance.choice(ACTS)(chance, event, dana)
        except DomainError:
            assert rows() == before
        else:
            check_pot(event)
    check_signatures(event)
    stored, ranked = results_of(event), standings(event).lines
    rebuild_results(event)
    # The version says that nothing has changed: what is kept under it must be what a new count says.
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)
    recounted = standings(Event.objects.get(pk=event.pk)).lines
    assert (results_of(event), recounted) == (stored, ranked)
    assert (done > 0, Entry.objects.count() >= entries) == (True, True)


def check_signatures(event: Event) -> None:
    """A game is final when, and only when, every side has signed the sheet as it stands; a closed round stays final."""
    for game in sheet_games().filter(round__event=event):
        code = game_sheet(game).code
        signed = Signature.objects.filter(game=game, code=code).count()
        assert (game.state == "final") == (signed == 2 and game.result.over), game
        assert game.result.code == code
        assert game.round.state != "closed" or game.state == "final"


def check_pot(event: Event) -> None:
    """What the pot would pay is the pot, to the cent, at any moment; nobody is paid while nobody can have it."""
    shown = pot(Event.objects.get(pk=event.pk))
    shares = sum(team.cents for team in shown.teams)
    assert (shares, [team.team for team in shown.teams if team.cents < 0]) == (shown.cents if shares else 0, [])


# Corrections of random evenings: what is announced is exactly what changes, and the cache is what the entries say.
FACTS = ("over", "winner", "how", "points", "scores", "sets", "bostons", "hands", "code")


def random_hand(chance: random.Random) -> dict[str, Any]:
    bid = f"{chance.randint(1, 6)}{chance.choice(['', '', '-special', '-no'])}"
    return {"entry": "hand", "bidder": chance.randint(0, 1), "bid": bid, "books": chance.choice([5, 7, 8, 9, 10, 13])}


def random_evening(chance: random.Random, dana: User) -> Event:
    """Four teams, two rounds, the first closed; every game played until it is over."""
    event = make_event(f"Evening {chance.random()}", dana, slug=f"e{chance.getrandbits(40)}", pot_cents=1000, cut=2)
    first, two, three, four = make_teams(event, 4)
    for number, pairs in ((1, [(first, two), (three, four)]), (2, [(first, four), (two, three)])):
        round_ = make_round(event, pairs, number=number)
        for game in round_.games.all():
            while game.state == "playing":
                play(dana, game, random_hand(chance))
        if number == 1:
            Round.objects.filter(pk=round_.pk).update(state="closed")
    return event


def results_of(event: Event) -> dict[int, tuple[Any, ...]]:
    rows = Result.objects.filter(game__round__event=event)
    return {row.game_id: tuple(getattr(row, name) for name in FACTS) for row in rows}


def test_a_sheet_that_was_printed_is_to_be_printed_again(dana: User, event: Event) -> None:
    printed, not_printed = make_round(event, pairs_of(make_teams(event, 4))).games.order_by("table")
    for game in (printed, not_printed):
        play(dana, game, MADE_FIVE)
    note_printed(Actor(dana), event, [sheet_now(printed).code])
    line: dict[str, Any] = {"position": 1, "revision": 0, "facts": MADE_FIVE | {"books": 12}, "reason": "as on paper"}
    announced = [announced_by(Actor(dana), game, **line).changes for game in (printed, not_printed)]
    printed_at = clock_time(Journal.objects.get(action="print").at, event.time_zone)
    change = ("Printed sheets", "Sheet of Game 1, table 1", f"printed at {printed_at}", "print it again")
    assert [[first for first in changes if first.place == "Printed sheets"] for changes in announced] == [[change], []]


def test_the_preview_of_a_correction_has_heads_and_names_matches_as_the_bracket_does(dana: User, desk: Client) -> None:
    event = bracket_of_four(dana)
    start_playoff_round(Actor(dana), event)
    game = Game.objects.get(round__event=event, round__number=1, table=3)
    form = {"seat": "1", "bid": "4", "books": "11", "revision": "0", "reason": "the other side", "position": "2"}
    page = page_of(desk.post(reverse("game-revision", args=[event.slug, game.pk, 2]), form))
    page = page[page.index("What this changes") : page.index('class="row sticky"')]
    heads = re.findall(r"<h4>([^<]+)</h4>", page)
    assert len(heads) > 2
    assert page.count('<th scope="col">Before</th><th scope="col">After</th>') == len(heads)
    # Until it is decided the bracket stays: the preview says what will be asked.
    assert ("The director decides" in page, "(was Full Deck)" in page) == (True, True)
    assert (".," in page, re.search(r"Semifinal \d", page)) == (False, None)


# A correction that ends the game earlier sets later hands aside; they come back when it is withdrawn.
def hand(bidder: int, bid: str, books: int) -> dict[str, Any]:
    return {"entry": "hand", "bidder": bidder, "bid": bid, "books": books}


HANDS = (hand(0, "2", 8), hand(1, "2", 8), hand(0, "1", 7), hand(1, "1", 7))
ENDS_IT = hand(1, "4", 11)


def aside(game: Game) -> list[tuple[int, str]]:
    return [(line.position, line.written.text) for line in sheet_now(game).set_aside]


def correct_line(dana: User, game: Game, revision: int, facts: dict[str, Any]) -> None:
    correct_sheet(Actor(dana), fresh(game), position=2, revision=revision, facts=facts, reason="as on the film")


def test_later_hands_are_set_aside_and_announced(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    impact = announced_by(Actor(dana), game, position=2, revision=0, facts=ENDS_IT, reason="x")
    changes = {change.what: (change.before, change.after) for change in impact.changes}
    assert changes["Set aside, because the game was over"] == ("—", "1 made with 7; 1 made with 7")
    assert changes["Lines on the sheet"] == ("4", "2")
    correct_line(dana, game, 0, ENDS_IT)
    assert (sheet_now(game).over, aside(game)) == (True, [(3, "1 made with 7"), (4, "1 made with 7")])
    reasons = [line.struck_reason for line in sheet_now(game).removed]
    assert reasons == ["Set aside: the game ends before this line"] * 2


def test_hands_come_back_when_the_correction_is_withdrawn(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    before = sheet_now(game)
    correct_line(dana, game, 0, ENDS_IT)
    correct_line(dana, game, 1, HANDS[1])
    after = sheet_now(game)
    assert (after.scores, len(after.rows), aside(game)) == (before.scores, 4, [])
    correct_line(dana, game, 2, ENDS_IT)
    assert aside(game) == [(3, "1 made with 7"), (4, "1 made with 7")]


def test_hands_of_a_final_game_of_a_closed_round_come_back_with_its_end(game: Game, dana: User) -> None:
    play(dana, game, *HANDS[:3], hand(1, "4", 12))
    assert fresh(game).state == "final"
    Round.objects.update(state="closed")
    correct_line(dana, game, 0, ENDS_IT)
    correct_line(dana, game, 1, HANDS[1])
    assert (fresh(game).state, len(sheet_now(game).rows), aside(game)) == ("final", 4, [])


def test_hand_written_after_the_correction_keeps_its_place(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    correct_line(dana, game, 0, ENDS_IT)
    assert sheet_now(game).over
    correct_sheet(Actor(dana), game, position=2, revision=1, facts=hand(1, "4", 9), reason="set")
    assert aside(game) == []
    with pytest.raises(Conflict):
        bring_back(Actor(dana), game, "they were played")


def test_director_brings_hands_back_from_the_game_page(game: Game, dana: User, desk: Client) -> None:
    play(dana, game, *HANDS)
    correct_line(dana, game, 0, ENDS_IT)
    assert "Set aside: the game ended at hand 2" in desk.get(f"/desk/columbus-open/games/{game.pk}/").content.decode()
    address = f"/desk/columbus-open/games/{game.pk}/set-aside/"
    assert desk.post(address, {"reason": ""}).status_code == 422
    assert desk.post(address, {"reason": "they were played"}).status_code == 409
    # The line that ends the game is undone, and the hands behind it fit again.
    desk.post(f"/desk/columbus-open/games/{game.pk}/undo/", {"position": "2"})
    record_entry(Actor(dana), game, HANDS[1], position=2)
    shown = page_of(desk.post(address, {"reason": "they were played"}))
    assert ("What this changes" in shown, len(sheet_now(game).rows)) == (True, 2)
    assert desk.post(address, {"reason": "they were played", "confirmed": confirmed_in(shown)}).status_code == 302
    assert len(sheet_now(game).rows) == 4


def test_a_line_taken_off_with_the_same_words_is_not_set_aside(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    reason = CAUSES[SET_ASIDE]
    correct_sheet(Actor(dana), game, position=4, revision=0, facts=None, reason=reason)
    assert (sheet_now(game).removed[0].struck_reason, aside(game)) == (reason, [])


def test_lines_that_are_set_aside_stay_so_in_the_event_file(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    correct_line(dana, game, 0, ENDS_IT)
    again = import_event(Actor(dana), json.loads(json.dumps(export_event(game.round.event))))
    assert aside(Game.objects.get(round__event=again)) == [(3, "1 made with 7"), (4, "1 made with 7")]

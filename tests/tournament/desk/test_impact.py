"""Corrections of random evenings: what is announced is exactly what changes, and the cache is what the entries say."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests.factories import MADE_FIVE, announced_by, make_event, make_round, make_teams, play
from tests.pages import signed_in
from tests.tournament.results.test_repairing import bracket_of_four
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Journal, Result, Round
from tournament.queries.deskgame import impact, picture
from tournament.queries.scored import active_entries
from tournament.queries.sheet import sheet_now
from tournament.refusals import Refusal
from tournament.services.corrections import correct_sheet
from tournament.services.playoffs import start_playoff_round
from tournament.services.signatures import rebuild_results
from tournament.services.transactions import note_printed
from tournament.times import clock_time

FACTS = ("over", "winner", "how", "points", "scores", "sets", "bostons", "hands", "code")


def random_hand(chance: random.Random) -> dict[str, Any]:
    bid = f"{chance.randint(1, 6)}{chance.choice(['', '', '-special', '-no'])}"
    return {"entry": "hand", "bidder": chance.randint(0, 1), "bid": bid, "books": chance.choice([5, 7, 8, 9, 10, 13])}


def random_evening(chance: random.Random, dana: User) -> Event:
    """Four teams, two rounds, the first closed; every game played until it is over."""
    event = make_event(f"Evening {chance.random()}", dana, slug=f"e{chance.getrandbits(40)}", pot_cents=1000, cut=2)
    one, two, three, four = make_teams(event, 4)
    for number, pairs in ((1, [(one, two), (three, four)]), (2, [(one, four), (two, three)])):
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


@pytest.mark.parametrize("seed", range(6))
def test_announced_impact_is_what_changes(seed: int, dana: User) -> None:
    chance = random.Random(seed)
    event = random_evening(chance, dana)
    saved = 0
    for _ in range(8):
        game = chance.choice(list(Game.objects.filter(round__event=event).select_related("round__event")))
        entry = chance.choice(active_entries(Entry.objects.filter(game=game)))
        line: dict[str, Any] = {"position": entry.position, "revision": entry.revision, "reason": "as on the film"}
        facts = random_hand(chance)
        before = picture(event, game.pk)
        try:
            announced = announced_by(Actor(dana), game, facts=facts, **line)
        except Refusal:
            with pytest.raises(Refusal):
                correct_sheet(Actor(dana), game, facts=facts, **line)
            assert impact(before, picture(event, game.pk)).changes == ()
            continue
        assert impact(before, picture(event, game.pk)).changes == ()
        correct_sheet(Actor(dana), game, facts=facts, **line)
        assert impact(before, picture(event, game.pk)).changes == announced.changes
        saved += 1
    stored = results_of(event)
    rebuild_results(event)
    assert (results_of(event), saved > 0) == (stored, True)


def test_a_sheet_that_was_printed_is_to_be_printed_again(dana: User) -> None:
    event = make_event(director=dana)
    one, two, three, four = make_teams(event, 4)
    printed, not_printed = make_round(event, [(one, two), (three, four)]).games.order_by("table")
    for game in (printed, not_printed):
        play(dana, game, MADE_FIVE)
    note_printed(Actor(dana), event, [sheet_now(printed).code])
    line: dict[str, Any] = {"position": 1, "revision": 0, "facts": MADE_FIVE | {"books": 12}, "reason": "as on paper"}
    announced = [announced_by(Actor(dana), game, **line).changes for game in (printed, not_printed)]
    at = clock_time(Journal.objects.get(action="print").at, event.time_zone)
    change = ("Printed sheets", "Sheet of Game 1, table 1", f"printed at {at}", "print it again")
    assert [[one for one in changes if one.place == "Printed sheets"] for changes in announced] == [[change], []]


def test_the_preview_of_a_correction_has_heads_and_names_matches_as_the_bracket_does(dana: User) -> None:
    event = bracket_of_four(dana)
    start_playoff_round(Actor(dana), event)
    game = Game.objects.get(round__event=event, round__number=1, table=3)
    said = {"seat": "1", "bid": "4", "books": "11", "revision": "0", "reason": "the other side", "position": "2"}
    client = signed_in(dana)
    answer = client.post(reverse("game-revision", args=[event.slug, game.pk, 2]), said)
    page = html.unescape(answer.content.decode())
    page = page[page.index("What this changes") : page.index('name="announced"')]
    heads = re.findall(r"<h4>([^<]+)</h4>", page)
    assert len(heads) > 2
    assert page.count('<th scope="col">Before</th><th scope="col">After</th>') == len(heads)
    assert re.search(r'<th scope="row">M\d, Semifinal', page)
    assert (".," in page, re.search(r"Semifinal \d", page)) == (False, None)

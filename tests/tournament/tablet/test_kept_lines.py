"""The lines of a sheet are kept by what they say: what is shown is what would be written now."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string

from tests.factories import make_event, make_round, make_teams, play, play_out
from tests.tournament.tablet.hands import EVERY_SHEET
from tournament.access import Actor
from tournament.models import Game, Team
from tournament.queries.rules import ruleset_of
from tournament.queries.sheet import sheet_now
from tournament.services.entries import undo_entry
from tournament.templatetags.sheets import heads_of, line

HANDS = 4


def shown(game: Game) -> list[str]:
    """Every line as a page shows it; it must be what its template writes."""
    sheet = sheet_now(game)
    heads = heads_of(sheet)
    about = {"sheet": sheet, "heads": heads, "wide": len(heads) + len(sheet.sides)}
    found = [line(row, sheet, heads) for row in sheet.rows]
    assert found == [render_to_string("components/sheet_line.html", about | {"row": row}) for row in sheet.rows]
    return found


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", EVERY_SHEET)
def test_lines_that_are_kept_say_what_the_sheet_says_now(dana: User, key: str) -> None:
    event = make_event("Kept", dana, sheet=key)
    rules = ruleset_of(event)
    sides = rules.seating.sides
    teams = make_teams(event, 2 * sides)
    games = list(make_round(event, [tuple(teams[:sides]), tuple(teams[sides:])]).games.order_by("table"))
    hands = list(islice(play_out(rules, Random(key)), HANDS))
    for game in games:
        play(dana, game, *hands, sign=False)
    one, other = map(shown, games)
    assert one == shown(games[0]) and one != other
    Team.objects.filter(pk=teams[0].pk).update(name="Night Owls")
    shown(games[0])
    undo_entry(Actor(dana), games[0], position=len(one))
    assert len(shown(games[0])) == len(one) - 1

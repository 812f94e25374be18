"""What a tablet says of every hand by itself is, word by word, what the server says."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.document import all_sheets
from tests.browser.javascript.test_modules import SITE, chromium, serve
from tests.browser.test_tablet import sit_down
from tests.factories import make_event, make_round, make_teams
from tournament.access import Actor
from tournament.demo.hands import after, choose_hand
from tournament.models import Device, Event, Game, Team
from tournament.queries.outcomes import outcomes, tablet_state
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import scored_game
from tournament.queries.sheet import effect_of_hand, sheet_games
from tournament.queries.tablet import tablet_page, tablet_place
from tournament.services.devices import issue_card
from tournament.services.entries import record_entry

__all__ = ["chromium"]
UNFOLD = """async (state) => {
  const { unfold } = await import("/js/outcomes.js");
  return unfold(state.outcomes, state);
}"""
LISTED = [sheet.key for game, sheet in all_sheets() if game.key == "bid_whist"]


def table_of(director: User, sheet: str) -> Game:
    """A table in play, with names that would tell where they are put in too early or too late."""
    event = make_event("Told", director, sheet=sheet)
    teams = make_teams(event, 2)
    for team, name in zip(teams, ("the {side 1}", "$& {score}"), strict=True):
        Team.objects.filter(pk=team.pk).update(name=name)
    game = make_round(event, [tuple(teams)]).games.get()
    sit_down(game, 1)
    issue_card(Actor(director), event, 1)
    return game


def state_of(game: Game) -> dict[str, Any]:
    device = Device.objects.select_related("event").get()
    return tablet_state(tablet_page(tablet_place(device)))


def told(game: Game) -> dict[str, list[Any]]:
    """Every hand that the rules take, and what the server says of it."""
    loaded = sheet_games().get(pk=game.pk)
    found = outcomes(scored_game(loaded))
    assert found is not None
    sides, bids, counts = found.answers
    names = {}
    for side in sides:
        for bid in bids:
            for count in counts:
                effect = effect_of_hand(loaded, {"entry": "hand", "seat": side, "bid": bid, "books": count})
                assert effect is not None
                names[f"{side}|{bid}|{count}"] = [effect.headline, list(effect.lines), effect.outcome]
    return names


@pytest.mark.parametrize("sheet", LISTED)
def test_every_outcome_is_the_servers(chromium: Any, dana: User, sheet: str) -> None:
    game, chance = table_of(dana, sheet), random.Random(sheet)
    page = chromium.new_context().new_page()
    page.route("**/*", serve)
    page.goto(f"{SITE}/")
    rules = ruleset_of(Event.objects.get())
    for _ in range(2):
        shown = page.evaluate(UNFOLD, state_of(game))
        assert {key: values[:3] for key, values in shown.items()} == told(game)
        carry = scored_game(sheet_games().get(pk=game.pk)).carry
        facts = choose_hand(rules, carry, chance)
        while after(rules, carry, facts).verdict is not None:
            facts = choose_hand(rules, carry, chance)
        record_entry(Actor(dana), game, facts)
    page.context.close()


def test_where_everybody_bids_nothing_is_listed(dana: User) -> None:
    for sheet in [sheet.key for game, sheet in all_sheets() if game.key != "bid_whist"]:
        rules = ruleset_of(Event(sheet=sheet))
        assert {field.of for field in rules.first_hand.fields if field.needed} != {"bidder"}, sheet

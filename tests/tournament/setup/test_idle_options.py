"""An option that can do nothing beside the others: refused when chosen, read if it is stored, left out of a copy."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_game, page_of
from tests.sure import fresh, refusal_of
from tests.tournament.archive.filed import filed
from tests.tournament.setup.test_events import options_as_sent
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.errors import ValidationFailed
from tournament.models import Event
from tournament.queries.rules import ruleset_of
from tournament.queries.sheet import sheet_now
from tournament.services.events import change_options, copy_event, not_copied

NO_CHARGE = (
    "“The charge for bags is” does nothing here: “Bags (tricks over the bid) are charged for every” is"
    " “none: no charge”. Leave it at “100 points”."
)
NO_BAGS = {"bag_limit": None, "bag_penalty": 50}


@pytest.fixture
def spades(dana: User) -> Event:
    return make_event("Spades Night", director=dana, sheet="spades/standard")


def test_an_option_that_was_changed_and_does_nothing_is_refused_at_its_field(desk: Client, spades: Event) -> None:
    sent = options_as_sent(desk, spades) | {"option-bag_limit": "", "option-bag_penalty": "50"}
    answer = desk.post(reverse("desk-options", args=[spades.slug]), sent)
    assert (answer.status_code, NO_CHARGE in page_of(answer), fresh(spades).options) == (422, True, {})
    assert 'name="option-bag_penalty" value="50"' in page_of(answer)


def test_one_that_another_choice_made_meaningless_is_no_fault_where_nobody_changed_it(
    desk: Client, spades: Event
) -> None:
    sent = options_as_sent(desk, spades) | {"option-bag_limit": ""}
    assert desk.post(reverse("desk-options", args=[spades.slug]), sent).status_code == 302
    assert fresh(spades).options == {"bag_limit": None}


def test_a_stage_takes_no_option_that_does_nothing_in_it(dana: User, spades: Event) -> None:
    Event.objects.update(cut=4)
    spades.refresh_from_db()
    stages: dict[str, Any] = {"final": {"bag_limit": None, "bag_penalty": 50}}
    refusal = refusal_of(lambda: change_options(Actor(dana), spades, {}, stages=stages), ValidationFailed)
    assert [tuple(fault)[:2] for fault in refusal.faults] == [
        ("stage_options.final.bag_penalty", "Final: " + NO_CHARGE)
    ]


@pytest.mark.parametrize("cents", [0, 500])
def test_who_is_in_the_pot_is_said_where_there_is_one(dana: User, spades: Event, cents: int) -> None:
    Event.objects.update(pot_cents=cents)
    spades.refresh_from_db()
    chosen = {"pot_entry": "every-team"}
    if cents:
        assert change_options(Actor(dana), spades, chosen).options == chosen
    else:
        refusal = refusal_of(lambda: change_options(Actor(dana), spades, chosen), ValidationFailed)
        assert [fault.field for fault in refusal.faults] == ["options.pot_entry"]


def test_what_stands_is_read_as_before_and_a_copy_leaves_it_out_and_says_so(dana: User, desk: Client) -> None:
    game = make_game(dana, name="Spades Night", sheet="spades/standard", options=NO_BAGS)
    event = game.round.event
    assert ruleset_of(event).rules.bag_penalty == 50  # type: ignore[attr-defined]
    assert sheet_now(game).document["options"] == {"bag_limit": None}
    elsewhere = import_event(Actor(dana), filed(event))
    assert (elsewhere.options, ruleset_of(elsewhere).rules) == (NO_BAGS, ruleset_of(event).rules)
    assert copy_event(Actor(dana), event, "Again", event.date).options == {"bag_limit": None}
    left = " Not copied, because it does nothing by these rules: “The charge for bags is”."
    assert not_copied(event, with_teams=False) == left
    User.objects.filter(pk=dana.pk).update(is_staff=True)
    typed = {"copy-like": event.slug, "copy-name": "Once more", "copy-date": "2026-12-05"}
    assert left.strip() in page_of(desk.post(reverse("event-copy"), typed, follow=True))


def test_a_stage_of_the_copy_leaves_out_what_does_nothing_there(dana: User, spades: Event) -> None:
    own = {"playoff": {"game_at": 300}, "final": {"bag_limit": None, "bag_penalty": 50}}
    Event.objects.update(cut=4, stage_options=own)
    copy = copy_event(Actor(dana), fresh(spades), "Again", spades.date)
    assert copy.stage_options == {"playoff": {"game_at": 300}, "final": {"bag_limit": None}}

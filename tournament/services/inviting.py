"""Create the event of an invitation: the invited persons are its players, and its bracket can begin at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from tournament.access import Actor
from tournament.errors import ValidationFailed
from tournament.models import Event, Official
from tournament.queries.draws import draw_plan
from tournament.queries.inviting import Invitation, known_players
from tournament.queries.roster import RosterRow
from tournament.queries.rules import POT_ENTRY, copied_options, ruleset_of
from tournament.services.draws import draw_rounds
from tournament.services.events import create_event
from tournament.services.playoffs import NO_MATCHES
from tournament.services.teams import enter_roster
from tournament.services.transactions import announce, in_line, writing


def set_up_invited(
    actor: Actor,
    invitation: Invitation,
    fields: dict[str, Any],
    rows: Sequence[RosterRow],
    *,
    straight: bool,
    draw: bool = False,
) -> Event:
    """Set up the event of an invitation with its list: all of it or nothing.

    `straight` starts its bracket at once, seeded in the order of the list; otherwise its games can be drawn. If an
    invited person's name was left unchanged, the player is that person.
    """
    with in_line(), transaction.atomic():
        event = create_event(actor, fields)
        _take_rules_over(event, invitation.like)
        rules = ruleset_of(event)
        if straight:
            if not rules.has_matches:
                raise ValidationFailed(NO_MATCHES.format(rules.unit))
            event.stage, event.cut, event.rounds_planned = "playoffs", len(rows), 1
        event.save()
        with writing(event) as event:
            if rows:
                enter_roster(actor, event, rows, known=known_players(invitation, rows))
            facts: dict[str, object] = {"teams": [len(rows), rules.unit], "season": invitation.season.name}
            facts |= {"seed": invitation.lot} if invitation.lot is not None else {}
            announce(actor, event, "create", "event", event.pk, "invited", facts)
        if draw and not straight and not draw_plan(event).by_hand:
            draw_rounds(actor, event)
    return event


def _take_rules_over(event: Event, like: Event) -> None:
    """The options and officials of the last event; only the officials if another rule sheet was chosen."""
    if event.sheet == like.sheet:
        pot = {key: value for key, value in event.options.items() if key == POT_ENTRY}
        rules = copied_options(like)
        event.options = {key: value for key, value in rules.options.items() if key != POT_ENTRY} | pot
        event.stage_options = rules.stages if event.cut else {}
    there = set(event.officials.values_list("user", flat=True))
    offices = like.officials.exclude(user__in=there).values_list("user", "role")
    Official.objects.bulk_create(Official(event=event, user_id=user, role=role) for user, role in offices)

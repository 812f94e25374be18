"""Seasons: set up, changed, and deleted, and which events count in them.

An event counts in one season; events of several games may count in the same season.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence, Set
from secrets import randbelow
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, RestrictedError

from scoring.ledger import listed
from scoring.standings.season import scheme_of
from tournament.access import Actor, shown_name
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Membership, PartnerDraw, Person, Player, Season, Team
from tournament.pairing.draw import draw_partners
from tournament.queries.members import drawable_members
from tournament.queries.people import living, persons_by_team
from tournament.queries.roster import RosterRow, players_wanted
from tournament.queries.rules import ruleset_of
from tournament.queries.season import (
    drawn_pairs,
    last_partners,
)
from tournament.queries.season_events import around, events_of, may_lie_within
from tournament.queries.season_parts import members_for
from tournament.services.dues import holding
from tournament.services.events import change_event, copy_event, free_slug
from tournament.services.teams import enter_roster
from tournament.services.transactions import (
    hold_seasons,
    in_line,
    note_site,
    raise_events,
    raise_seasons,
    writing,
)
from tournament.words.texts import LONGEST_NAME, name_key


def create_season(actor: Actor, fields: dict[str, Any]) -> Season:
    """Set up a season, optionally as a part of another one."""
    with in_line(), transaction.atomic():
        season = Season.objects.create(slug=free_slug(fields["name"], Season), **fields)
        note_site(actor, "new", season.name, season.slug)
    return season


def change_season(actor: Actor, season: Season, fields: dict[str, Any]) -> Season:
    """Change a season. Its address stays, and its table follows at once, even if games were played.

    Raises Conflict if it would be a part of itself.
    """
    with in_line(), transaction.atomic():
        # Their public pages link to it by its name.
        named = list(season.events.select_for_update().order_by("pk").values_list("pk", flat=True))
        # Lock all of them, so that two acts cannot close a circle together.
        season = hold_seasons()[season.pk]
        before, outer = season.within_id, fields.get("within")
        if outer is not None and not may_lie_within(season).filter(pk=outer.pk).exists():
            raise Conflict(f"{season} can’t be part of {outer}: {outer} is part of it, or the same season.")
        changed = [name for name, value in fields.items() if getattr(season, name) != value]
        for name in changed:
            setattr(season, name, fields[name])
        if changed:
            season.save(update_fields=changed)
            note_site(actor, "change", season.name, season.slug)
            raise_seasons(season.pk, before)
        if "name" in changed:
            raise_events(named)
    return season


def see_what_changed(actor: Actor, season: Season) -> None:
    """Record that the owner has seen what the table counts differently since an upgrade."""
    with in_line(), transaction.atomic():
        if Season.objects.filter(pk=season.pk, told=False).update(told=True):
            note_site(actor, "change", f"{season.name[:48]}: points", season.slug)


def add_to_team(actor: Actor, season: Season, pk: int, team: str) -> Membership:
    """Put a person on a fixed team of the season. Raises Conflict if the person is on another one.

    The person becomes a member if needed.
    """
    with holding(season) as season:
        holder = members_for(season, scheme_of(season.scheme))
        if team not in holder.lists:
            raise Conflict(f"{team or 'This team'} is no longer in the list of teams. Load the page again.")
        person = living(Person.objects.select_related("merged_into")).filter(pk=pk).first()
        if person is None:
            raise Conflict("This person was deleted. Load the page again.")
        person = person.merged_into or person
        rows = Membership.objects.select_for_update().filter(season=holder.season)
        row = rows.filter(Q(person=person) | Q(person__merged_into=person)).order_by("-team").first()
        row = row or Membership(season=holder.season, person=person)
        if row.team and name_key(row.team) != name_key(team):
            raise Conflict(f"{person} is on {row.team} already.")
        if not row.team:
            row.team = team
            row.save()
            note_site(actor, "change", f"Person {person.pk}, {holder.season}", holder.season.slug)
            raise_seasons(holder.season.pk)
    return row


def delete_season(actor: Actor, season: Season) -> None:
    """Delete a season. Its events and parts move to the season of which it was a part.

    Raises Conflict if dues or draws depend on it.
    """
    with in_line(), transaction.atomic():
        for event in season.events.select_for_update().order_by("pk"):
            if season.within is None:
                take_out(actor, season, event)
            else:
                change_event(actor, event, {"season": season.within}, confirmed=True)
        raise_seasons(*season.parts.values_list("pk", flat=True))
        season.parts.update(within=season.within)
        try:
            season.delete()
        except RestrictedError:
            raise Conflict("Dues were paid or partners drawn for this season: it stays.") from None
        note_site(actor, "delete", season.name, season.slug)


def put_in(actor: Actor, season: Season, event: Event) -> Event:
    """Let an event count in a season, whatever its state is.

    It may move from a season to a part of that season: there it counts in both. Raises Conflict if it counts in another
    season.
    """
    with writing(event) as event:
        if event.is_rehearsal:
            raise Conflict("A rehearsal counts in no season.")
        if season in around(event.season) and event.season != season:
            raise Conflict(f"{event} counts in {season} already, through {event.season}.")
        if event.season is not None and event.season not in around(season):
            raise Conflict(f"{event} counts in {event.season} already. Take it out there first.")
        if season.pk not in hold_seasons():
            raise Conflict(f"{season} has been deleted.")
        return change_event(actor, event, {"season": season}, confirmed=True)


def take_out(actor: Actor, season: Season, event: Event) -> Event:
    """Stop counting an event in a season: its points go. Raises Conflict if it does not count there."""
    with writing(event) as event:
        if event.season_id != season.pk:
            raise Conflict(f"{event} no longer counts in {season}. Load the page again.")
        return change_event(actor, event, {"season": None, "counts": 1}, confirmed=True)


def weigh(actor: Actor, season: Season, event: Event, counts: int) -> Event:
    """Set how many times the points of an event count. Raises Conflict if it does not count in this season."""
    with writing(event) as event:
        if season not in around(event.season):
            raise Conflict(f"{event} no longer counts in {season}. Load the page again.")
        return change_event(actor, event, {"counts": counts}, confirmed=True)


# What is drawn by lot, and what a pair may be called.

SEEDS = 1_000_000
SHOWS = ("full", "initial")


# Partners by lot.


def draw_pairs(actor: Actor, season: Season, members: Sequence[int], seed: int | None = None) -> PartnerDraw:
    """Draw these members in pairs. Nobody gets their last partner again if that can be avoided.

    Raises ValidationFailed for fewer than two, Conflict if one no longer belongs to the season.
    """
    with holding(season) as season:
        everybody = {person.pk for person in drawable_members(season)}
        if not everybody.issuperset(members):
            raise Conflict("One of them no longer belongs to the season. Load the page again.")
        if len({*members}) < 2:
            raise ValidationFailed([Fault("members", "Choose at least two members.")])
        seed = randbelow(SEEDS) if seed is None else seed
        drawn = draw_partners(sorted({*members}), last_partners(season), seed)
        number = (season.draws.aggregate(last=Max("number"))["last"] or 0) + 1
        draw = PartnerDraw.objects.create(
            season=season,
            number=number,
            seed=seed,
            pairs=[list(pair) for pair in drawn.pairs],
            again=[number for number, pair in enumerate(drawn.pairs, start=1) if pair in drawn.again],
            alone_id=drawn.alone,
            drawn_by=actor.person,
        )
        note_site(actor, "partners", f"{len(drawn.pairs)} pairs, {season}", season.slug)
    return draw


def enter_pairs(actor: Actor, draw: PartnerDraw, event: Event) -> list[Team]:
    """Put the pairs of a draw on the list of an event as teams: all of them or none."""
    if players_wanted(event) != 2:
        raise ValidationFailed(f"In {event}, nobody plays in pairs.")
    with writing(event) as event:
        if event.stage != "setup" or draw.season not in around(event.season):
            raise Conflict(f"{event} has begun, or left the season: these pairs cannot be entered there.")
        pairs = [pair.persons for pair in drawn_pairs(draw)]
        _check_persons([person for pair in pairs for person in pair], event)
        return _enter(actor, event, [(_names_of_pair(pair), pair) for pair in pairs])


def _check_persons(people: Sequence[Person], event: Event) -> None:
    """Each is one person who is still known, and is not in the event yet."""
    entered = {person for row in persons_by_team(event).values() for person in row}
    twice = [person.name for person in people if person.pk in entered]
    if twice:
        raise ValidationFailed(f"Entered in {event} already: {listed(twice)}.")
    if len({person.pk for person in people}) < len(people) or any(person.deleted_at for person in people):
        raise ValidationFailed("Somebody was merged or deleted since this draw. Draw again.")


def _names_of_pair(pair: Sequence[Person]) -> list[str]:
    """What a pair may be called, the best name first."""
    return [" & ".join(shown_name(person.name, show, 0) for person in pair) for show in SHOWS]


def _enter(actor: Actor, event: Event, wanted: Sequence[tuple[Sequence[str], Sequence[Person]]]) -> list[Team]:
    """Enter teams with these persons as players, each under the first of its possible names that fits and is free."""
    taken = set(event.teams.values_list("key", flat=True))
    is_single = ruleset_of(event).singles
    rows: list[RosterRow] = []
    players: list[list[Player]] = []
    for row, (names, people) in enumerate(wanted, start=1):
        name = _free_name(names, row, taken)
        taken.add(name_key(name))
        is_named_so = is_single and len(people) == 1 and name == people[0].name
        named = () if is_named_so else tuple(person.name for person in people)
        rows.append(RosterRow(row=row, name=name, players=named))
        players.append([Player(name=person.name, key=name_key(person.name), person=person) for person in people])
    return enter_roster(actor, event, rows, known=players)


def _free_name(names: Sequence[str], row: int, taken: Set[str]) -> str:
    """The first name that fits and is free; at last “Pair 7”, or “Pair 7-2”."""
    possible = [*names, f"{names[0]} {row}", f"Pair {row}", *(f"Pair {row}-{more}" for more in range(2, 99))]
    return next(name for name in possible if len(name) <= LONGEST_NAME and name_key(name) not in taken)


def event_like_last(actor: Actor, season: Season, name: str, date: datetime.date) -> Event:
    """Create a new event of the season with the rules of its last one. The caller is in a transaction."""
    last = events_of(season).last()
    if last is None:
        raise ValidationFailed(f"{season} has no event yet: a new one takes its rules from the last one.")
    event = copy_event(actor, last, name, date)
    event.season = season
    event.save(update_fields=["season"])
    return event


def new_event_of_pairs(actor: Actor, draw: PartnerDraw, name: str, date: datetime.date) -> Event:
    with transaction.atomic():
        event = event_like_last(actor, draw.season, name, date)
        enter_pairs(actor, draw, event)
    return event

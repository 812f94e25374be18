"""Dues of a season: lines of the common ledger, by member.

The desk that took them numbers them, or the season does for those taken on its own page.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.db import transaction

from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Event, Ledger, Person, Season
from tournament.models.team import DUES
from tournament.queries.dues import Member, members_of
from tournament.queries.ledger import Wording
from tournament.queries.people import living
from tournament.queries.season_events import related
from tournament.services.ledger import check_in_hand, line_of, next_number, next_season_number, part_key
from tournament.services.transactions import Shown, announce, hold_seasons, in_line, note_site, raise_events
from tournament.words.texts import near_key

TOO_OLD = "This page is too old. Load it again."


@contextmanager
def holding(season: Season, names: Collection[str] = ()) -> Iterator[Season]:
    """Lock a season so that acts run one after another, and refresh the desks of its events afterward.

    These desks are locked first, then everybody whose name is near one of `names`, so that none of them is merged or
    deleted.
    """
    with in_line(), transaction.atomic():
        shows = related([season.pk], {row.pk: row for row in Season.objects.all()})
        going_on = Event.objects.exclude(stage="over").filter(season__in=shows)
        desks = [event.pk for event in going_on.select_for_update().order_by("pk")]
        if names:
            nears = {near_key(name) for name in names}
            list(Person.objects.select_for_update(no_key=True).filter(near__in=nears).order_by("pk"))
        held = hold_seasons().get(season.pk)
        if held is None:
            raise Conflict("This season has been deleted.")
        yield held
        raise_events(desks, Shown.INSIDE)


def set_dues(actor: Actor, season: Season, cents: int) -> None:
    """Set what every member owes for the season. What was paid stays paid."""
    with holding(season) as season:
        if season.dues_cents == cents:
            return
        season.dues_cents = cents
        season.save(update_fields=["dues_cents"])
        note_site(actor, "change", season.name, season.slug)


def take_dues(actor: Actor, season: Season, pk: int, key: uuid.UUID | None) -> Ledger:
    """Take all that a member owes, on the season's own page. Sending the same key again writes nothing.

    Raises Conflict if it was paid already, with when and where, or if the person is not a member.
    """
    with holding(season) as season:
        if key and (line := Ledger.objects.filter(key=key).first()):
            if (line.season_id, line.member_id) != (season.pk, pk):
                raise Conflict(TOO_OLD)
            return line
        member = owing_member(season, pk)
        line = write_dues(actor, season, member.person, member.owes, Wording(key))
        note_dues(actor, line, "paid")
    return line


def owing_member(season: Season, pk: int) -> Member:
    """A member who owes dues; otherwise Conflict with the reason. The caller holds the season."""
    person = living(Person.objects.all()).filter(pk=pk).first()
    if person is None:
        raise Conflict("This person was deleted. Load the page again.")
    found = members_of(season, [person.merged_into_id or person.pk])
    member = found[0] if found else None
    if member and member.owes:
        return member
    if member and member.words:
        raise Conflict(f"Paid already by {person}: {member.words}.")
    if member is None or not member.is_member:
        raise Conflict(f"Not a member of {season}: {person}. Only members owe dues.")
    raise Conflict(f"No dues are owed by {person}.")


def give_back_dues(actor: Actor, season: Season, pk: int) -> Ledger:
    """Give dues back on the season's own page by a reversing line. No desk's cash changes.

    Raises Conflict if they were given back already.
    """
    with holding(season) as season:
        line = season.dues.filter(pk=pk).select_related("member", "event").first()
        if line is None or line.reverses_id or Ledger.objects.filter(reverses=line).exists():
            raise Conflict("These dues were given back already, or cannot be given back.")
        back = reverse_dues(actor, line, Wording())
        note_dues(actor, back, "back")
    return back


def reverse_dues(actor: Actor, line: Ledger, said: Wording, event: Event | None = None) -> Ledger:
    """The line that reverses a payment, out of the cash of `event` if one is given.

    The caller holds event and season.
    """
    assert line.season is not None
    assert line.member is not None
    if event is not None:
        check_in_hand(event, line.cents)
    return write_dues(actor, line.season, line.member, -line.cents, said, event=event, reverses=line)


def write_dues(
    actor: Actor,
    season: Season,
    member: Person,
    cents: int,
    said: Wording,
    part: int = 0,
    *,
    event: Event | None = None,
    reverses: Ledger | None = None,
) -> Ledger:
    """Add a line of dues with the next receipt number of the desk, or of the season if no desk took them."""
    number = next_season_number(season) if event is None else next_number(event)
    line = line_of(actor, event, number, DUES, cents, None, said)
    line.season, line.member, line.reverses = season, member, reverses
    if said.key:
        line.key = part_key(said.key, part)
    line.save()
    return line


def note_dues(actor: Actor, line: Ledger, code: str) -> None:
    """Write to the log of the event whose desk took them, or to the site's log, which names persons only by number."""
    assert line.season is not None
    if line.event is None:
        about = f"Person {line.member_id}, {line.season}"
        note_site(actor, "dues" if code == "paid" else "dues-back", about, line.season.slug)
        return
    facts = {"player": str(line.member), "sum": [abs(line.cents), line.season.currency]}
    facts |= {"season": line.season.name, "receipts": [line.number]}
    announce(actor, line.event, "dues", "money", "", code, facts)

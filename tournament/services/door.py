"""The door: one press checks a team in and takes what it owes, under one key."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Event, Ledger, Team
from tournament.models.team import DUES
from tournament.queries.door import Debt, debts_at, door_of
from tournament.queries.dues import seasons_with_dues
from tournament.queries.impact import Impact
from tournament.queries.ledger import Wording, receipts_of
from tournament.queries.rules import ruleset_of
from tournament.services.confirming import ask_first
from tournament.services.dues import note_dues, write_dues
from tournament.services.ledger import lines_of, mark_paid, part_key, write_line
from tournament.services.payouts import note_money, standing_of
from tournament.services.people import link_teams
from tournament.services.teams import check_in
from tournament.services.transactions import announce, hold_seasons, team_numbered, writing
from tournament.words.phrases import money
from tournament.words.texts import NOTE_LONG

NOTHING: Mapping[str, int] = MappingProxyType({})


def door(
    actor: Actor,
    event: Event,
    number: int,
    key: uuid.UUID | None,
    *,
    here: bool = False,
    takes: Mapping[str, int] = NOTHING,
) -> tuple[Team, list[Ledger]]:
    """Record that a team is `here` and take what it owes; either can be left out.

    `takes` maps the keys of the debts to the sums in cents that were shown. Sending the same key again writes nothing.
    Raises Conflict and stores nothing if a debt is no longer owed or its sum has changed.
    """
    with writing(event) as event:
        done = lines_of(event, key)
        if done is not None:
            return team_numbered(event, number), done
        if here:
            team, _ = check_in(actor, event, number, "desk")
        else:
            team = team_numbered(event, number)
        if not takes:
            return team, []
        link_teams(event, [team.pk])
        if seasons_with_dues(event):
            hold_seasons()
        lines = _take(actor, event, team, _chosen(event, team, takes), Wording(key))
    return team, lines


def _chosen(event: Event, team: Team, takes: Mapping[str, int]) -> list[Debt]:
    """The debts to take, as they are owed now."""
    owed = debts_at(event, team)
    chosen = [debt for debt in owed if takes.get(debt.key) == debt.cents]
    if len(chosen) < len(takes):
        raise Conflict(f"Nothing was taken: {_why(event, team, owed)}")
    return chosen


def _why(event: Event, team: Team, owed: Sequence[Debt]) -> str:
    """What a team owes now, if a page showed something else, and what was taken last."""
    last = event.ledger.filter(team=team, reverses=None, reversed_by=None).order_by("number").last()
    receipt = f" {receipts_of([last])} is the last one of this {ruleset_of(event).unit}." if last else ""
    if not owed:
        return f"Paid already: {team.full_name}.{receipt}"
    sums = ", ".join(f"{debt.words} {money(debt.cents, event.currency)}" for debt in owed)
    return f"This is owed now by {team.full_name}: {sums}.{receipt}"


def _take(actor: Actor, event: Event, team: Team, debts: Sequence[Debt], said: Wording) -> list[Ledger]:
    """Add a line for each debt, and a log entry for the team and for each member."""
    before, lines = standing_of(event, team), list[Ledger]()
    own = [debt for debt in debts if debt.kind != DUES]
    for debt in own:
        lines.append(write_line(actor, event, debt.kind, debt.cents, team, said, len(lines)))
    if own:
        mark_paid(event, [team])
        note_money(actor, event, "pay", "paid", team, sum(debt.cents for debt in own), lines, before)
    for debt in debts:
        if debt.season is None or debt.member is None:
            continue
        line = write_dues(actor, debt.season, debt.member, debt.cents, said, len(lines), event=event)
        note_dues(actor, line, "paid")
        lines.append(line)
    return lines


def take_all(actor: Actor, event: Event, key: uuid.UUID | None, *, confirmed: str | None = None) -> list[Ledger]:
    """Take everything that the teams who are here owe, as `confirmed`. Sending the same key again writes nothing.

    Raises Conflict if nobody who is here owes anything.
    """
    with writing(event) as event:
        teams = list(event.teams.filter(status="playing").exclude(here_at=None).order_by("number"))
        keys = {team.pk: part_key(key, 1000 + team.number) if key else None for team in teams}
        done = [line for team in teams for line in lines_of(event, keys[team.pk]) or ()]
        if done:
            return done
        rows = [row for row in door_of(event, with_money=True).here if row.owes]
        if not rows:
            raise Conflict("Everybody who is here has paid.")
        said = tuple(f"{row.team.in_full}: {money(row.owes, event.currency)}" for row in rows)
        note = f"{money(sum(row.owes for row in rows), event.currency)} from those who are here."
        ask_first(Impact(note=note, warning="They pay", warnings=said), confirmed)
        link_teams(event, [row.team.pk for row in rows])
        if seasons_with_dues(event):
            hold_seasons()
        lines = []
        for row in rows:
            lines += _take(actor, event, row.team, row.debts, Wording(keys[row.team.pk]))
    return lines


def set_note(actor: Actor, event: Event, number: int, note: str) -> Team:
    """Write the desk's note about a team. Only officials read it."""
    with writing(event) as event:
        team = team_numbered(event, number)
        text = " ".join(note.split())[:NOTE_LONG]
        if team.note != text:
            team.note = text
            team.save(update_fields=["note"])
            announce(actor, event, "change", "team", number, "note", {"team": str(team)})
    return team

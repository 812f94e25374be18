"""Entering and changing teams: one by one at the desk, or a whole list at once."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import replace

from django.db.models import Max

from tournament.access import Actor
from tournament.models import Event, Player, Side, Team
from tournament.models.team import BEFORE
from tournament.queries.roster import RosterRow, cleaned_row, numbered, roster_faults
from tournament.queries.rules import ruleset_of
from tournament.refusals import Changed, Fault, Invalid
from tournament.services import paid
from tournament.services.journal import note
from tournament.services.transactions import look_again, team_numbered, writing
from tournament.texts import name_key


def add_team(actor: Actor, event: Event, row: RosterRow) -> Team:
    """Enter one team, a walk-in too: once games are played it joins with the next round that is drawn."""
    with writing(event) as event:
        team = _enter(event, _checked(event, [row]))[0]
        paid.book_paid(actor, event, [team], "")
        said = {"team": str(team)} | ({"joins": team.joined_in} if team.joined_in > 1 else {})
        note(actor, event, "enter", "team", team.number, "team", said, after=_plain(row))
    return team


def enter_roster(actor: Actor, event: Event, rows: Sequence[RosterRow], *, replace: bool = False) -> list[Team]:
    """Enter a whole list, all of it or nothing. `replace` throws the teams away that were entered before.

    Raises Invalid with a fault for each row and column that cannot be taken.
    """
    with writing(event) as event:
        if replace:
            _may_replace(event)
            paid.mark_unpaid(actor, event, list(event.teams.all()), "The list was replaced")
            event.rounds.all().delete()
            event.teams.all().delete()
        if not rows:
            raise Invalid([Fault("text", "There are no names in this list.")])
        teams = _enter(event, _checked(event, rows))
        paid.book_paid(actor, event, teams, "Paid as the list says", BEFORE)
        code, said = "replaced" if replace else "list", {"teams": [len(teams), ruleset_of(event).unit]}
        note(actor, event, "enter", "teams", len(teams), code, said, after=[str(team) for team in teams])
    return teams


def change_team(
    actor: Actor, event: Event, number: int, row: RosterRow, *, marks: Collection[str] = ("paid", "in_pot")
) -> Team:
    """Change a team's name, number, players, city, fee or pot.

    `marks` names those of `paid` and `in_pot` that were set on the form: the others stay as they are by now, because
    a page that was opened an hour ago knows nothing of the money that was taken since.
    """
    with writing(event) as event:
        team = team_numbered(event, number)
        before = _stored(team)
        kept = {mark: getattr(team, mark) for mark in ("paid", "in_pot") if mark not in marks}
        [new] = _checked(event, [replace(row, **kept)], instead_of=team.pk)
        if new.number is not None and new.number != team.number and event.frozen_at is not None:
            raise Invalid([Fault("number", "Numbers stay as they are once games are played.")])
        team.number = new.number or team.number
        team.name, team.key = new.name, name_key(new.name)
        team.city, team.club = new.city, new.club
        team.save()
        team.players.all().delete()
        add_players([team], [new])
        _change_money(actor, event, team, new)
        look_again(event, sides__team=team)
        said = {"team": str(team)}
        note(actor, event, "change", "team", team.number, "team", said, before=before, after=_plain(new))
    return team


def withdraw_team(actor: Actor, event: Event, number: int, after_round: int, *, disqualified: bool = False) -> Team:
    """A team leaves after a round. Drawn games that remain are forfeited when their round starts, or drawn again.

    Whoever leaves during the playoffs keeps the place in the cut: who was out there stays out.
    """
    with writing(event) as event:
        team = team_numbered(event, number)
        played = Side.objects.filter(team=team).exclude(round__state="planned").order_by("-round__number")
        last = played.values_list("round__number", flat=True).first() or 0
        if team.status != "playing":
            raise Changed(f"Already withdrawn: {team.name}.")
        _may_leave_after(event, team, after_round)
        team.status = "disqualified" if disqualified else "left"
        team.left_after = after_round
        team.save(update_fields=["status", "left_after"])
        said = {"team": str(team), "after": after_round, "was": "playing", "now": team.status}
        seen = {"last": last} if last > after_round else {}
        note(actor, event, "withdraw", "team", number, team.status, said | seen)
    return team


def return_team(actor: Actor, event: Event, number: int) -> Team:
    with writing(event) as event:
        team = team_numbered(event, number)
        before = team.status
        team.status, team.left_after = "playing", None
        team.save(update_fields=["status", "left_after"])
        said = {"team": str(team), "was": before, "now": team.status}
        note(actor, event, "return", "team", number, "team", said)
    return team


def remove_team(actor: Actor, event: Event, number: int) -> str:
    """Take a team off the list before the event opens. A draw that was made is taken back with it."""
    with writing(event) as event:
        team = team_numbered(event, number)
        if event.frozen_at is not None:
            raise Changed("Games have been played, so a team that leaves stays on the list.")
        name, before = str(team), _stored(team)
        paid.check_no_money(event, team)
        event.rounds.filter(state="planned").delete()
        team.delete()
        note(actor, event, "remove", "team", number, "team", {"team": name}, before=before)
    return name


def draw_numbers(actor: Actor, event: Event) -> int:
    """Give every team a number by lot, 1 and up; the same seed gives the same numbers. Only before the draw."""
    with writing(event) as event:
        if event.rounds.exists():
            raise Changed("Rounds are drawn by these numbers. Delete the draw first.")
        teams = list(event.teams.all())
        order = sorted(teams, key=lambda team: team.key)
        random.Random(f"numbers/{event.seed}").shuffle(order)  # noqa: S311
        # Two steps, because no two teams may have the same number for a moment.
        free = iter(sorted(set(range(1, 10_000)) - {team.number for team in teams}, reverse=True))
        for team in order:
            Team.objects.filter(pk=team.pk).update(number=next(free))
        for number, team in enumerate(order, start=1):
            Team.objects.filter(pk=team.pk).update(number=number)
        before, after = [str(team) for team in teams], [str(team) for team in event.teams.all()]
        said = {"count": len(order), "seed": event.seed}
        note(actor, event, "number", "teams", len(order), "drawn", said, before=before, after=after)
    return len(order)


def _may_leave_after(event: Event, team: Team, after_round: int) -> None:
    last = max(event.rounds_planned, event.rounds.aggregate(last=Max("number"))["last"] or 0)
    if not 0 <= after_round <= last:
        raise Invalid([Fault("after_round", f"Rounds go from 0 (never played) to {last}.")])
    begun = event.rounds.filter(games__sides__team=team, stage="playoff").exclude(state="planned")
    if (played := begun.order_by("number").last()) and after_round < played.number:
        text = f"{team.name} played in {played}, round {played.number}, so the last round cannot be earlier."
        raise Invalid([Fault("after_round", text)])


def _checked(event: Event, rows: Sequence[RosterRow], instead_of: int | None = None) -> list[RosterRow]:
    cleaned, faults = [], []
    for row in rows:
        clean, wrong = cleaned_row(row)
        cleaned.append(clean)
        faults += wrong
    replaced = [] if instead_of is None else [instead_of]
    faults += roster_faults(event, cleaned, instead_of=replaced)
    if faults:
        raise Invalid(faults)
    return cleaned


def _may_replace(event: Event) -> None:
    if event.frozen_at is not None or event.rounds.exclude(state="planned").exists():
        raise Changed("Games have been played: the list can no longer be replaced.")


def _enter(event: Event, rows: Sequence[RosterRow]) -> list[Team]:
    rows = numbered(event, rows)
    begun = event.rounds.filter(stage="qualifying").exclude(state="planned").count()
    teams = Team.objects.bulk_create(team_row(event, row, begun + 1) for row in rows)
    add_players(teams, rows)
    return teams


def team_row(event: Event, row: RosterRow, joined_in: int) -> Team:
    """A team of a list that is not stored yet, without its players."""
    assert row.number is not None
    return Team(
        event=event,
        number=row.number,
        name=row.name,
        key=name_key(row.name),
        city=row.city,
        club=row.club,
        paid=row.paid,
        in_pot=row.in_pot,
        joined_in=joined_in,
    )


def add_players(teams: Sequence[Team], rows: Sequence[RosterRow]) -> None:
    Player.objects.bulk_create(
        Player(team=team, position=position, name=name, key=name_key(name))
        for team, row in zip(teams, rows, strict=True)
        for position, name in enumerate(row.players)
    )


def _change_money(actor: Actor, event: Event, team: Team, row: RosterRow) -> None:
    """What the form says about money goes through the ledger: a team that says it has paid has paid what it owes."""
    was_paid = team.paid
    if team.in_pot != row.in_pot:
        paid.put_in_pot(event, team, row.in_pot)
    if row.paid and not team.paid:
        team.paid = True
        paid.book_paid(actor, event, [team], "")
    elif was_paid and not row.paid:
        paid.mark_unpaid(actor, event, [team], "Marked as not paid")


def _plain(row: RosterRow) -> dict[str, object]:
    said = {"name": row.name, "players": list(row.players), "city": row.city, "club": row.club}
    return {key: value for key, value in said.items() if value} | {"paid": row.paid, "in_pot": row.in_pot}


def _stored(team: Team) -> dict[str, object]:
    players = tuple(team.players.values_list("name", flat=True))
    return _plain(RosterRow(0, team.number, team.name, players, team.city, team.club, team.paid, team.in_pot))

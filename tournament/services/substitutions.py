"""A substitute plays for a team from a round on, or in one round only, with the director's approval."""

from __future__ import annotations

from tournament.access import Actor
from tournament.models import Event, Player, Substitution
from tournament.queries.signatures import lineup, open_rounds
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.transactions import look_again, team_numbered, writing
from tournament.texts import Refused, clean_name, name_key


def substitute(
    actor: Actor,
    event: Event,
    number: int,
    *,
    position: int,
    into: str,
    from_round: int,
    only: bool = False,
    reason: str = "",
) -> Substitution:
    """Approve that somebody sits in a player's place. Sheets of earlier rounds keep the names they had.

    Raises Changed where the team has left, Invalid where the place, the round or the name cannot be so.
    """
    with writing(event) as event:
        team = team_numbered(event, number)
        if team.status != "playing":
            raise Changed(f"Already withdrawn: {team.name}. No substitute can be named.")
        players = lineup(team, from_round)
        faults = []
        if position not in range(len(players)):
            faults.append(Fault("position", "Choose the player who does not play."))
        if from_round not in dict(open_rounds(event)):
            faults.append(Fault("from_round", "A substitute plays from the game in play on, or from a later one."))
        name = _name(into, faults)
        if name and name_key(name) in {name_key(player) for player in players}:
            faults.append(Fault("into", f"{name} already plays for {team.name}."))
        elif name and (other := _plays_elsewhere(event, team.pk, name)):
            faults.append(Fault("into", f"{name} already plays for {other}."))
        if faults:
            raise Invalid(faults)
        made = Substitution.objects.create(
            team=team,
            position=position,
            out=players[position],
            into=name,
            from_round=from_round,
            to_round=from_round if only else None,
            reason=reason.strip()[:200],
            approved_by=actor.person,
        )
        look_again(event, sides__team=team)
        said = {"team": str(team), "player": name, "out": made.out, "since": from_round, "reason": made.reason}
        note(actor, event, "substitute", "team", number, "once" if only else "from", said)
        return made


def _name(text: str, faults: list[Fault]) -> str:
    try:
        return clean_name(text)
    except Refused as refusal:
        faults.append(Fault("into", str(refusal)))
        return ""


def _plays_elsewhere(event: Event, team: int, name: str) -> str:
    """The team that has this player and still plays; a player of a team that has left may sit in."""
    players = Player.objects.filter(team__event=event, team__status="playing", key=name_key(name)).exclude(team=team)
    found = players.select_related("team").first()
    return found.team.name if found else ""

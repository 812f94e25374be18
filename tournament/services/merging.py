"""Two entries become one team: two players who came alone, say."""

from __future__ import annotations

from tournament.access import Actor
from tournament.models import Event, Game, Player, Team
from tournament.phrases import DONE
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.paid import carry_over, waive_fee
from tournament.services.teams import remove_team, withdraw_team
from tournament.services.transactions import team_numbered, writing
from tournament.texts import Refused, clean_name, name_key


def merge_teams(actor: Actor, event: Event, number: int, other: int, name: str = "") -> Team:
    """Take the players of another entry into a team, which keeps its number and its games.

    Before the event opens the other entry goes off the list. Later it leaves after the rounds that have been started:
    what it played stays, and nothing more is asked of it. Raises Changed where one of them is in a game or has left,
    Invalid for a name that cannot be.
    """
    with writing(event) as event:
        team, joining = team_numbered(event, number), team_numbered(event, other)
        _may_merge(team, joining)
        before = {"name": team.name, "players": _names(team), "joining": str(joining), "with": _names(joining)}
        players = [*_names(team), *_names(joining)]
        carry_over(actor, event, joining, team)
        if event.frozen_at is None:
            remove_team(actor, event, other)
        else:
            waive_fee(actor, event, joining, f"Merged into {team}")
            begun = event.rounds.filter(stage="qualifying").exclude(state="planned").count()
            withdraw_team(actor, event, other, begun)
        if name.strip():
            team.name = _free_name(event, team, name)
            team.key = name_key(team.name)
            team.save(update_fields=["name", "key"])
        Player.objects.filter(team=team).delete()
        Player.objects.bulk_create(
            Player(team=team, position=place, name=one, key=name_key(one)) for place, one in enumerate(players)
        )
        merged, after = {"joining": str(joining), "team": str(team)}, {"name": team.name, "players": players}
        note(actor, event, "merge", "team", number, "teams", merged, before=before, after=after)
    return team


def _may_merge(team: Team, joining: Team) -> None:
    if team.pk == joining.pk:
        raise Invalid([Fault("other", "Choose another entry.")])
    for one in (team, joining):
        if one.status != "playing":
            raise Changed(f"Already withdrawn: {one.name}.")
        open_game = Game.objects.filter(sides__team=one, round__state="running").exclude(state__in=DONE).first()
        if open_game is not None:
            raise Changed(f"At table {open_game.table} now: {one.name}. Merge when that game is signed.")


def _names(team: Team) -> list[str]:
    """The players; an entry of one player without a list has the player's name."""
    return list(team.players.values_list("name", flat=True)) or [team.name]


def _free_name(event: Event, team: Team, text: str) -> str:
    try:
        name = clean_name(text)
    except Refused as refusal:
        raise Invalid([Fault("name", str(refusal))]) from refusal
    if event.teams.filter(key=name_key(name)).exclude(pk=team.pk).exists():
        raise Invalid([Fault("name", f"The name {name} is already taken.")])
    return name

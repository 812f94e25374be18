"""Who signed, who wrote a line, who sits for a side, and what teams are told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import F

from tournament.access import Actor
from tournament.models import Event, Game, Journal, Notice, Round, Signature, Team

# The signatures of a sheet: which of them stand, who gave them, and how.


def standing_signatures(signatures: Iterable[Signature], code: str) -> list[Signature]:
    """The signatures that stand under the sheet with this code: the last of each side, unless it was taken back."""
    last: dict[int, Signature] = {}
    for one in sorted(signatures, key=lambda one: one.revision):
        if one.code == code:
            last[one.side] = one
    return [one for one in last.values() if one.how != "back"]


def signed_sides(round_: Round) -> dict[int, set[int]]:
    """The sides of each game of a round whose signature stands under its sheet as it is now, in one query."""
    rows = Signature.objects.filter(game__round=round_, code=F("game__result__code")).order_by("revision")
    last = {(game, side): how for game, side, how in rows.values_list("game_id", "side", "how")}
    found: dict[int, set[int]] = defaultdict(set)
    for (game, side), how in last.items():
        if how != "back":
            found[game].add(side)
    return found


# Who plays for a team in a round: the players as entered, with the substitutes who sit in for them.


def lineup(team: Team, number: int) -> tuple[str, ...]:
    """The players of a team in a round, in seat order; the latest substitution of a place counts."""
    players = [player.name for player in team.players.all()]
    for one in sorted(team.substitutions.all(), key=lambda one: one.pk):
        if one.from_round <= number and (one.to_round is None or number <= one.to_round):
            players[one.position : one.position + 1] = [one.into]
    return tuple(players)


def substitutions_of(team: Team) -> tuple[str, ...]:
    """Every substitution of a team as a sentence, in the order in which they were approved."""
    return tuple(one.words for one in team.substitutions.select_related("approved_by"))


def open_rounds(event: Event) -> list[tuple[int, str]]:
    """The rounds from which on a substitute may play: the one in play and all that follow."""
    rounds = list(event.rounds.order_by("number"))
    closed = max((one.number for one in rounds if one.state == "closed"), default=0)
    titles = {one.number: str(one) for one in rounds}
    last = max([closed + 1, event.rounds_planned, *titles])
    return [(number, titles.get(number, f"Game {number}")) for number in range(closed + 1, last + 1)]


def first_open_round(event: Event) -> int:
    return open_rounds(event)[0][0]


# Notices that teams have not read yet, and the public list of corrections.


def unread_notices(teams: Iterable[int]) -> list[Notice]:
    """The notices that these teams have still to read, oldest first."""
    return list(Notice.objects.filter(team__in=list(teams), seen_at=None).select_related("team"))


def corrections_of(event: Event) -> list[Journal]:
    """Every correction of a final game of an event, the newest first; `key` is that of the game."""
    acts = Journal.objects.filter(event=event, action="correct-final", noun="game").select_related("user", "device")
    return [act for act in acts if act.key.isdecimal()]


def table_of(actor: Actor, team: Team) -> Game | None:
    """The game that a team plays now at the table of this tablet; None where it sits elsewhere."""
    if actor.device is None:
        return None
    games = Game.objects.select_related("round__event").filter(sides__team=team, round__state="running")
    return games.filter(table=actor.device.table, round__event=actor.device.event_id).first()

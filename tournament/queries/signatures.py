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
    for signature in sorted(signatures, key=lambda signature: signature.revision):
        if signature.code == code:
            last[signature.side] = signature
    return [signature for signature in last.values() if signature.how != "back"]


def signed_sides(round_: Round) -> dict[int, set[int]]:
    """The sides of each game of a round whose signature stands under its sheet as it is now, in one query."""
    rows = Signature.objects.filter(game__round=round_, code=F("game__result__code")).order_by("revision")
    last = {(game, side): how for game, side, how in rows.values_list("game_id", "side", "how")}
    sides: dict[int, set[int]] = defaultdict(set)
    for (game, side), how in last.items():
        if how != "back":
            sides[game].add(side)
    return sides


# Who plays for a team in a round: the players as entered, with the substitutes who sit in for them.


def lineup(team: Team, number: int) -> tuple[str, ...]:
    """The players of a team in a round, in seat order; the latest substitution of a place counts."""
    players = [player.name for player in team.players.all()]
    for substitution in sorted(team.substitutions.all(), key=lambda substitution: substitution.pk):
        if substitution.from_round <= number and (substitution.to_round is None or number <= substitution.to_round):
            players[substitution.position : substitution.position + 1] = [substitution.into]
    return tuple(players)


def substitutions_of(team: Team) -> tuple[str, ...]:
    """Every substitution of a team as a sentence, in the order in which they were approved."""
    return tuple(substitution.words for substitution in team.substitutions.select_related("approved_by"))


def open_rounds(event: Event) -> list[tuple[int, str]]:
    """The rounds from which on a substitute may play: the one in play and all that follow."""
    rounds = list(event.rounds.order_by("number"))
    closed = max((round_.number for round_ in rounds if round_.state == "closed"), default=0)
    titles = {round_.number: str(round_) for round_ in rounds}
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

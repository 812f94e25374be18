"""Who sits at a table: as its tablet was told, and now.

With everything that it sends, a tablet says who sat at the table. A player is recognized by the key of the row, or by
the name, if the desk removed the player and entered the same name again. A different spelling of a name is the same
player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import prefetch_related_objects

from tournament.models import Game, Player, Substitution
from tournament.queries.lineups import seated
from tournament.queries.scored import sides_with_teams
from tournament.words.texts import name_key


class SatSide(NamedTuple):
    """A side of a table: its team by key and name, and the players by seat, each with the key of a row and a name."""

    team: int
    name: str
    players: tuple[tuple[str, str], ...]

    @property
    def row(self) -> dict[str, Any]:
        """The side as a page passes it to its script, and as the script sends it in messages."""
        return {"team": self.team, "name": self.name, "players": [list(player) for player in self.players]}


def sitting(game: Game) -> tuple[SatSide, ...]:
    """Who sits at a game's table now, side by side."""
    prefetch_related_objects([game], sides_with_teams(), "sides__team__players", "sides__team__substitutions")
    sides = sorted(game.sides.all(), key=lambda side: side.index)
    return tuple(
        SatSide(
            side.team_id,
            side.team.name,
            tuple((_key(row), row.name) for row in seated(side.team, game.round.number)),
        )
        for side in sides
    )


def _key(row: Player | Substitution) -> str:
    return f"{'s' if isinstance(row, Substitution) else 'p'}{row.pk}"


def sat(body: Mapping[str, Any]) -> tuple[SatSide, ...]:
    """Who sat at the table when the tablet sent this; empty if it does not say so, because an old script sent it."""
    rows = body.get("who") or ()
    return tuple(SatSide(row["team"], row["name"], tuple((key, name) for key, name in row["players"])) for row in rows)


class Others(NamedTuple):
    """Who sat there, and who sits there instead, by name; both empty if the sides have changed places."""

    then: tuple[str, ...] = ()
    now: tuple[str, ...] = ()


def others_sit(game: Game, body: Mapping[str, Any]) -> Others | None:
    """Who sits there now instead of the people that the message names; None if nobody does, or it names nobody."""
    then = sat(body)
    if not then:
        return None
    now = sitting(game)
    teams_then = [side.team for side in then]
    teams_now = [side.team for side in now]
    gone = tuple(side.name for side in then if side.team not in teams_now)
    came = tuple(side.name for side in now if side.team not in teams_then)
    if gone or came:
        everybody = tuple(side.name for side in then)
        return Others(then=gone or everybody, now=came)
    if teams_then != teams_now:
        # The same teams have changed places.
        return Others()
    return _other_players(then, now)


def _other_players(then: Sequence[SatSide], now: Sequence[SatSide]) -> Others | None:
    """Which players of the same sides sat there, and who sits there instead; None if nobody changed."""
    old_names, new_names = [], []
    for old_side, new_side in zip(then, now, strict=True):
        # Nothing can be said about a seat that had no name, or has none any more.
        for old, new in zip(old_side.players, new_side.players, strict=False):
            if not _is_player(old, new):
                old_names.append(old[1])
                new_names.append(new[1])
    if not old_names:
        return None
    return Others(then=tuple(old_names), now=tuple(new_names))


def _is_player(then: tuple[str, str], now: tuple[str, str]) -> bool:
    """Whether a seat still has the same player: the same row, or a row with the same name."""
    then_key, then_name = then
    now_key, now_name = now
    return then_key == now_key or name_key(then_name) == name_key(now_name)

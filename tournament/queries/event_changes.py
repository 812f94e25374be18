"""What changed while an event was played, in its file: substitutes, the clock of a round, sheets from paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from scoring.fields import Fields
from tournament.models import Game, Round, Team
from tournament.models.entry import OPENING
from tournament.queries.lines import active_entries
from tournament.queries.verification import PAPER

CLOCK = ("paused_at", "paused_seconds", "extra_seconds", "time_called_at")
SUBSTITUTE = frozenset("position out in from_round to_round reason".split())
LOOK = frozenset("accepted by at reason".split())
LONGEST_DAY = 86_400


@dataclass(frozen=True, slots=True)
class FileSubstitute:
    """A substitution of the file."""

    position: int
    out: str
    into: str
    from_round: int
    to_round: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class FileLook:
    """A second person's look at a sheet from paper."""

    accepted: bool
    by: str
    at: datetime
    reason: str


def changes_of_team(team: Team) -> dict[str, Any]:
    """The substitutions of a team, for the file."""
    said = [
        {"position": one.position, "out": one.out, "in": one.into, "from_round": one.from_round}
        | ({"to_round": one.to_round} if one.to_round else {})
        | ({"reason": one.reason} if one.reason else {})
        for one in sorted(team.substitutions.all(), key=lambda one: one.pk)
    ]
    return {"substitutes": said} if said else {}


def clock_of_round(round_: Round) -> dict[str, Any]:
    """What was done to a round's clock, for the file."""
    found = {name: getattr(round_, name) for name in CLOCK}
    return {name: one.isoformat() if isinstance(one, datetime) else one for name, one in found.items() if one}


def paper_of_game(game: Game) -> dict[str, Any]:
    """Which lines of a sheet came from paper, counted as the file counts them, and who has compared them."""
    from_paper = {entry.position for entry in game.entries.all() if entry.source == PAPER}
    active = active_entries(game.entries.all())
    first = 0 if active and active[0].kind == OPENING else 1
    lines = [place for place, entry in enumerate(active, start=first) if entry.position in from_paper]
    result = getattr(game, "result", None)
    looks = [
        {"accepted": one.accepted, "by": one.name, "at": one.made_at.isoformat()}
        | ({"reason": one.reason} if one.reason else {})
        for one in sorted(game.verifications.all(), key=lambda one: one.pk)
        if result is not None and one.code == result.code
    ]
    return ({"paper": lines} if lines else {}) | ({"looks": looks} if looks else {})


def read_substitutes(data: Any, fields: Fields) -> list[FileSubstitute]:
    """The substitutions of a team; a fault at the team's field where one cannot be read."""
    made = []
    for one in data if isinstance(data, list) else [] if data is None else [None]:
        said = Fields(one if isinstance(one, Mapping) else {})
        said.only(SUBSTITUTE)
        position, first, last = said.number("position"), said.number("from_round"), said.number("to_round")
        names, reason = (said.text("out")[:40], said.text("in")[:40]), said.text("reason")[:200]
        rounds = first is not None and 1 <= first <= 1000 and (last is None or first <= last <= 1000)
        if said.problems or position is None or not 0 <= position < 8 or not rounds or not all(names):
            fields.refuse("substitutes", "each needs a position, the names out and in, and from_round.")
            return []
        made.append(FileSubstitute(position, *names, first or 1, last, reason))
    return made


def read_clock(fields: Fields) -> dict[str, Any]:
    """The fields of the round's clock."""
    found: dict[str, Any] = {name: read_moment(fields, name) for name in ("paused_at", "time_called_at")}
    for name, low in (("paused_seconds", 0), ("extra_seconds", -LONGEST_DAY)):
        number = fields.number(name) or 0
        if not low <= number <= 100 * LONGEST_DAY:
            fields.refuse(name, f"{number} is no number of seconds.")
        found[name] = number
    return found


def read_looks(data: Any, fields: Fields) -> list[FileLook]:
    """The looks at a sheet from paper, the latest last."""
    looks = []
    for one in data if isinstance(data, list) else [] if data is None else [None]:
        said = Fields(one if isinstance(one, Mapping) else {})
        said.only(LOOK)
        accepted, by, at = said.flag("accepted"), said.text("by")[:40], read_moment(said, "at")
        reason = said.text("reason")[:200]
        if said.problems or accepted is None or not by or at is None or not (accepted or reason):
            fields.refuse("looks", "each needs accepted, by and at; a rejection also a reason.")
            return []
        looks.append(FileLook(accepted, by, at, reason))
    return looks


def read_moment(fields: Fields, key: str) -> datetime | None:
    """A time with its zone; without one it is read as UTC."""
    text = fields.text(key)
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        fields.refuse(key, f"“{text}” is no time like 2026-11-21T19:00:00+00:00.")
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)

"""What an act changes, as shown before it is done, and the key of the version that somebody has read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

# Shown if there is nothing before a change, or after it.
NONE = "—"


class Change(NamedTuple):
    """One change: where it is, what it is, and its words before and after."""

    place: str
    what: str
    before: str
    after: str


class Group(NamedTuple):
    """The changes in one place: `same` counts the tables that stay as they are, `notes` are shown below."""

    title: str
    changes: tuple[Change, ...]
    same: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Impact:
    """What an act changes.

    `note` says what is shown, `summary` has a sentence for each round, `why_not` says why nothing is drawn again, if
    that is so. `warnings` are what the act ends or deletes, and `warning` says which of the two.

    `can_keep` says whether the old draw can stay; `reseeds` that the bracket changes; `redraws` that a drawn round
    would be drawn differently now. `ground` is the current draw as plain data, for a user who keeps the draw.
    """

    groups: tuple[Group, ...] = ()
    note: str = ""
    summary: tuple[str, ...] = ()
    warning: str = ""
    warnings: tuple[str, ...] = ()
    why_not: str = ""
    can_keep: bool = False
    reseeds: bool = False
    redraws: bool = False
    ground: tuple[Any, ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        """All changes, in the order of their groups."""
        return tuple(change for group in self.groups for change in group.changes)

    @property
    def key(self) -> str:
        """The key of exactly this impact: confirming it confirms no other.

        Its first part names the state before the act, for a user who confirms it and keeps the draw.
        """
        changes = [[group.title, group.changes, group.notes] for group in self.groups]
        return f"{key_of_ground(self.ground, self.warnings)}-{_hashed([changes, self.why_not])}"


def key_of_ground(ground: tuple[Any, ...], warnings: tuple[str, ...]) -> str:
    """The first part of the key: the current draw, and what the act ends or deletes."""
    return _hashed([ground, warnings])


def _hashed(content: list[Any]) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

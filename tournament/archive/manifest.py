"""The head of an event file: its version, its writer and migration, how many rows it has, its checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.db.migrations.loader import MigrationLoader

from tournament import PROGRAM
from tournament.errors import Fault
from tournament.models import Event
from tournament.site.database import OPEN_WITH_1_0

VERSION = 4
NO_EVENT_FILE = "This file is not an Uptown event file."
TOO_OLD = f"This file was written by Uptown 1.0 or earlier. {OPEN_WITH_1_0}"
NEWER = f"This file was written by a newer version of Uptown than this one, {PROGRAM}. Install that version first."
CHANGED = "The file was changed or damaged after it was written: it does not give the checksum of its manifest."
# Far more than any file of this site has, and far less than what exhausts Python.
DEEPEST = 99
TOO_DEEP = f"The file is nested too deeply: at most {DEEPEST} levels can be read."

Models = Mapping[str, Mapping[str, Any]]


def sealed(models: Models) -> dict[str, Any]:
    """The file with its manifest in front."""
    manifest = {
        "version": VERSION,
        "program": PROGRAM,
        "migration": migrations()[-1],
        "counts": counts_of(models),
        "sha256": checksum(models),
    }
    return {"manifest": manifest, "models": models}


def counts_of(models: Models) -> dict[str, int]:
    return {name: len(part["rows"]) for name, part in models.items()}


def checksum(models: Models) -> str:
    """SHA-256 of the rows, independent of their layout."""
    canonical = json.dumps(models, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # An unpaired surrogate is refused later, with its place.
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def migrations() -> list[str]:
    """The names of the migrations that this version knows, in order."""
    graph = MigrationLoader(None, ignore_no_migrations=True).graph
    [last] = graph.leaf_nodes(Event._meta.app_label)
    return [name for app, name in graph.forwards_plan(last) if app == Event._meta.app_label]


def manifest_fault(data: Any) -> Fault | None:
    """Why a file cannot even be examined; None if its content is as it was written."""
    if not isinstance(data, Mapping):
        return Fault("file", NO_EVENT_FILE)
    manifest = data.get("manifest")
    if is_too_old(data):
        return Fault("version", TOO_OLD)
    if not isinstance(manifest, Mapping) or not isinstance(data.get("models"), Mapping):
        return Fault("file", NO_EVENT_FILE)
    if manifest.get("version") != VERSION or type(manifest["version"]) is not int:
        return Fault("version", NEWER if _is_later(manifest.get("version")) else NO_EVENT_FILE)
    if {*data} != {"manifest", "models"}:
        return Fault("file", "An event file has a manifest and models, and nothing else.")
    if _is_deep(data, DEEPEST):
        return Fault("file", TOO_DEEP)
    if manifest.get("sha256") != checksum(data["models"]):
        return Fault("manifest", CHANGED)
    if manifest.get("migration") not in migrations():
        return Fault("manifest", NEWER)
    return _count_fault(manifest.get("counts"), data["models"])


def _count_fault(counts: Any, models: Models) -> Fault | None:
    """The differences between the rows in the file and the counts in its manifest."""
    for name, part in models.items():
        told = counts.get(name) if isinstance(counts, Mapping) else None
        rows = part.get("rows") if isinstance(part, Mapping) else None
        if isinstance(rows, list) and told != len(rows):
            text = f"The manifest counts {told} rows of {name}, and the file holds {len(rows)}."
            return Fault("manifest", text)
    return None


def is_too_old(data: Mapping[str, Any]) -> bool:
    """Whether a version before 4 wrote it: its settings were at the top, with the rounds next to them."""
    return "models" not in data and (data.get("version") in (1, 2, 3) or {"teams", "rounds"} <= {*data})


def _is_later(version: Any) -> bool:
    return type(version) is int and version > VERSION


def _is_deep(value: Any, left: int) -> bool:
    if not isinstance(value, Mapping | list):
        return False
    inner = value if isinstance(value, list) else value.values()
    return left == 0 or any(_is_deep(one, left - 1) for one in inner)

"""The manifest of an event file: its version, how many of everything it holds, and the checksum of all of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from scoring.ledger import listed
from tournament import PROGRAM
from tournament.refusals import Fault

VERSION = 3
VERSIONS = (1, 2, 3)
# Files of version 1 have no manifest: people wrote them by hand.
MANIFESTED = 2


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """The file with its manifest in front."""
    manifest = {"version": VERSION, "program": PROGRAM, "counts": counts_of(data), "sha256": checksum(data)}
    return {"manifest": manifest} | data


def manifest_fault(data: Mapping[str, Any]) -> Fault | None:
    """Why a file is not what was written; None where it is, and where it is of a version without a manifest."""
    manifest, version = data.get("manifest"), data.get("version")
    version = 1 if version is None else version
    if type(version) is not int or version not in VERSIONS:
        known = listed(map(str, VERSIONS))
        text = f"Field version: this site reads event files of versions {known}, and this is {version}."
        return Fault("version", text)
    if manifest is None and version < MANIFESTED:
        return None
    if not isinstance(manifest, Mapping) or not isinstance(manifest.get("sha256"), str):
        return Fault("manifest", f"A file of version {version} has a manifest; this one has lost it.")
    if manifest.get("version") != version or manifest["sha256"] != checksum(data):
        text = "The file was changed or damaged after it was written: it does not give the checksum of its manifest."
        return Fault("manifest", text)
    return None


def count_fault(data: Mapping[str, Any]) -> Fault | None:
    """Where a readable file holds more or less than its manifest counts."""
    manifest = data.get("manifest")
    said = manifest.get("counts") if isinstance(manifest, Mapping) else None
    counts = counts_of(data)
    for name, count in counts.items() if manifest is not None else ():
        told = said.get(name) if isinstance(said, Mapping) else None
        if told != count:
            return Fault("manifest", f"The manifest counts {told} {name}, and the file holds {count}.")
    return None


def checksum(data: Mapping[str, Any]) -> str:
    """SHA-256 over the content, without its manifest and however it is laid out."""
    content = {key: value for key, value in data.items() if key != "manifest"}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def counts_of(data: Mapping[str, Any]) -> dict[str, int]:
    games = list(_games(data))
    return {
        "teams": len(data.get("teams") or ()),
        "games": len(games),
        "lines": sum(len(game.get("lines") or ()) for game in games),
        "signatures": sum(len(game.get("signed") or ()) for game in games),
        "notices": sum(len(game.get("notices") or ()) for game in games),
        "receipts": len(data.get("ledger") or ()),
        "acts": len(data.get("journal") or ()),
    }


def _games(data: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    for round_ in data.get("rounds") or ():
        yield from (table for table in round_["tables"] if "teams" in table)
    for key in ("tiebreaks", "playoffs"):
        yield from (data.get(key) or {}).get("games") or ()

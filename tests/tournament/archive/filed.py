"""Event files in tests: what one tells, one with another value, and one that somebody forged a fitting manifest for."""

from __future__ import annotations

import copy
import json
from typing import Any

from django.db.models import Model

from tournament.archive.manifest import checksum, counts_of
from tournament.archive.store import export_event
from tournament.models import Event


def filed(event: Event) -> dict[str, Any]:
    """The event file as it is read from the disk."""
    file: dict[str, Any] = json.loads(json.dumps(export_event(event)))
    return file


def told(event: Event) -> dict[str, list[list[Any]]]:
    """The rows of the event file, without the act of importing it."""
    models = export_event(event)["models"]
    acts = models["Journal"]
    action = acts["columns"].index("action")
    acts["rows"] = [row for row in acts["rows"] if row[action] != "import"]
    return {name: part["rows"] for name, part in models.items()}


def rows_of(data: dict[str, Any], model: type[Model]) -> list[dict[str, Any]]:
    """The rows of a model, each as an object."""
    part = data["models"][model.__name__]
    return [dict(zip(part["columns"], row, strict=True)) for row in part["rows"]]


def changed(data: dict[str, Any], model: type[Model], row: int, **values: Any) -> dict[str, Any]:
    """The file with other values in a row (counted from 1), and sealed again."""
    data = copy.deepcopy(data)
    part = data["models"][model.__name__]
    for column, value in values.items():
        part["rows"][row - 1][part["columns"].index(column)] = value
    return resealed(data)


def resealed(data: dict[str, Any]) -> dict[str, Any]:
    """The file with a fitting manifest, as somebody makes it who forges one."""
    models = data["models"]
    counted = {name: part for name, part in models.items() if isinstance(part, dict) and "rows" in part}
    fitting = {"counts": counts_of(counted), "sha256": checksum(models)}
    return {"manifest": data["manifest"] | fitting, "models": models}

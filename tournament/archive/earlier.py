"""Bring an event file of an earlier version forward with Django's migrations instead of code of its own.

An empty database is migrated to the point at which the file was written, the rows go in through the models of that
time, the migrations bring them forward, and today's export reads them out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Field, ForeignKey, Model

from tournament.archive.export import event_file
from tournament.archive.inserting import store
from tournament.archive.parts import links_and_facts, target_of
from tournament.archive.rows import read_rows
from tournament.errors import DomainError, ValidationFailed
from tournament.models import Event
from tournament.site.database import scratch_database

APP = Event._meta.app_label
UNFIT = "The file was written by an earlier version, and its rows cannot be brought to this one: {}"


def brought_forward(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same event as today's migrations have it. Raises ValidationFailed.

    Migrations that change rows write to the default connection, so the scratch database replaces it. It does so only
    for this thread, because every thread has its own connections; other threads keep using the site's.
    """
    try:
        with scratch_database():
            _store_as_written(data)
            executor = MigrationExecutor(connection)
            executor.migrate(executor.loader.graph.leaf_nodes())
            return event_file(Event.objects.get())
    except DomainError:
        raise
    except Exception as fault:
        # Forged rows may make any line of any migration fail; nothing of them is stored.
        raise ValidationFailed(UNFIT.format(fault)) from fault


def _store_as_written(data: Mapping[str, Any]) -> None:
    """The rows of a file, in tables as they were when it was written."""
    executor = MigrationExecutor(connection)
    target = [(APP, data["manifest"]["migration"])]
    executor.migrate(target)
    apps = executor.loader.project_state(target).apps
    models = {model.__name__: model for model in apps.get_app_config(APP).get_models()}
    names = [name for name in data["models"] if name in models]

    def columns_of(model: type[Model]) -> Sequence[Field[Any, Any]]:
        part = data["models"][model.__name__]
        told = part.get("columns") if isinstance(part, Mapping) else None
        columns = told if isinstance(told, list) else []
        return [field for field in links_and_facts(model) if field.name in columns or _must_be_told(field)]

    rows = read_rows(data["models"], names, models.__getitem__, columns_of)
    for name in _in_order(names, models):
        for row in rows.by_model[name]:
            # The log names rows by these numbers.
            row.pk = row._number
        store(rows.by_model[name])


def _must_be_told(field: Field[Any, Any]) -> bool:
    """Whether a row cannot be stored without its own value."""
    return not field.null and field.get_default() is None and not getattr(field, "auto_now_add", False)


def _in_order(names: Sequence[str], models: Mapping[str, type[Model]]) -> list[str]:
    """The models in an order in which each one follows those that it links to."""
    order: list[str] = []
    left = list(names)
    while left:
        ready = [name for name in left if _targets(models[name]).isdisjoint(left)]
        if not ready:
            raise ValidationFailed(UNFIT.format("they lead to each other in a circle"))
        order += ready
        left = [name for name in left if name not in ready]
    return order


def _targets(model: type[Model]) -> set[str]:
    links = [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]
    return {target_of(link) for link in links} - {model.__name__}

"""The names of entries become players: the team's own row where the name sits in a team, else a row of the entry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from django.db import migrations

from tournament.words.texts import name_key, near_key

SHOWS = ["full", "initial", "hidden"]


def stricter(first: str, other: str) -> str:
    return max(first, other, key=SHOWS.index)


def fill_near(apps: Any, schema_editor: Any) -> None:
    """Say of every person by what key it is near others."""
    people = apps.get_model("tournament", "Person").objects.exclude(key="")
    for person in people.iterator():
        person.near = near_key(person.name)
        person.save(update_fields=["near"])


def make_players(apps: Any, schema_editor: Any) -> None:
    registrations = apps.get_model("tournament", "Registration").objects
    for event in registrations.order_by("event").values_list("event", flat=True).distinct():
        entries = list(registrations.filter(event=event).select_related("team", "wants__team").order_by("position"))
        _make_players_of(apps.get_model("tournament", "Player"), entries)


def _make_players_of(player_model: Any, entries: list[Any]) -> None:
    """Write the players of an event's entries. Whoever joined another entry comes first: that row is his own."""
    seated: dict[int, list[Any]] = defaultdict(list)
    teams = {entry.team_id for entry in entries} | {entry.wants.team_id for entry in entries if entry.wants}
    for player in player_model.objects.filter(team__in=teams - {None}).order_by("position"):
        seated[player.team_id].append(player)
    partners: dict[int, list[Any]] = defaultdict(list)
    for entry in entries:
        if entry.state == "joined":
            main = _main_entry(entry, entries)
            if main is not None:
                partners[main.pk].append(entry)
    new: list[Any] = []
    for entry in sorted(entries, key=lambda one: one.state != "joined"):
        own = _own_names(entry, partners[entry.pk])
        show = entry.show
        main = _main_entry(entry, entries) if entry.state == "joined" else None
        if main is not None:
            # Nobody is shown by more than before: until now the stricter wish of the two held for both.
            show = stricter(show, main.show)
        rows = _rows_for(entry, own, seated, player_model, main)
        for number, row in enumerate(rows):
            row.entry, row.show = entry, stricter(row.show, show)
            if number == 0:
                row.contact, row.note, row.token_hash = entry.contact, entry.note, entry.token_hash
            if row.pk is None:
                new.append(row)
            else:
                row.save()
    player_model.objects.bulk_create(new)


def _main_entry(entry: Any, entries: Iterable[Any]) -> Any:
    """The entry in whose team a joined one plays; none where the desk joined it to a team that it had typed itself."""
    if entry.wants is not None:
        return next((other for other in entries if other.pk == entry.wants_id), None)
    of_team = (other for other in entries if other.state != "joined" and other.team_id == entry.team_id)
    return next(of_team, None) if entry.team_id else None


def _own_names(entry: Any, partners: Iterable[Any]) -> list[tuple[int, str]]:
    """The names that are the entry's own, each with its place: those of partners belong to their entries."""
    theirs = [name_key(str(name)) for partner in partners for name in partner.typed_names]
    own = []
    for position, name in enumerate(entry.typed_names):
        key = name_key(str(name))
        if key in theirs:
            theirs.remove(key)
        else:
            own.append((position, str(name)))
    return own


def _rows_for(
    entry: Any, own: list[tuple[int, str]], seated: dict[int, list[Any]], player_model: Any, main: Any
) -> list[Any]:
    """A row for each name: that of the team with the same key, then one that the desk has renamed, else a new one."""
    team = entry.team_id or (main.team_id if main is not None else None)
    there = seated[team] if team else []
    found: dict[int, Any] = {}
    _claim(own, found, there, lambda row, name: row.key == name_key(name))
    left = len(own) - len(found)
    if entry.state == "in" and left == len(there):
        _claim(own, found, there, lambda row, name: True)
    rows = []
    for position, name in own:
        row = found.get(position)
        if row is None:
            key = name_key(name)
            if key == "a player":
                # Who was deleted has a key that tells the row from others.
                key = f"a player e{entry.pk} {position}"
            place = main.typed_names.index(name) if main is not None and name in main.typed_names else position
            row = player_model(position=place, name=name, key=key, show="full")
        rows.append(row)
    return rows


def _claim(
    own: list[tuple[int, str]], found: dict[int, Any], there: list[Any], fits: Callable[[Any, str], bool]
) -> None:
    for position, name in own:
        row = next((row for row in there if fits(row, name)), None)
        if position not in found and row is not None:
            found[position] = row
            there.remove(row)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0039_players_of_entries")]

    operations = [
        migrations.RunPython(fill_near, migrations.RunPython.noop),
        migrations.RunPython(make_players, migrations.RunPython.noop),
    ]

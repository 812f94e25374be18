"""Which events count in a season. A season may be inside another, as a month within the year: then in both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from django.db.models import QuerySet

from tournament.models import Event, Season


def season_state(slug: str) -> tuple[object, ...] | None:
    """What decides the public page of a season; None if there is none.

    After a restore another season may get a key that was used before: the time distinguishes them.
    """
    return Season.objects.filter(slug=slug).values_list("pk", "created_at", "version").first()


def events_of(season: Season) -> QuerySet[Event]:
    """The events that count in a season, also those of the seasons within it, in order of date."""
    events = Event.objects.filter(season__in=within([season.pk])).exclude(slug__startswith=Event.REHEARSAL)
    return events.order_by("date", "pk")


def within(seasons: Collection[int]) -> set[int]:
    """These seasons with all that are inside them, by key."""
    found, level = set(seasons), set(seasons)
    while level:
        level = set(Season.objects.filter(within__in=level).values_list("pk", flat=True)) - found
        found |= level
    return found


def around(season: Season | None) -> list[Season]:
    """The season and those that contain it, the innermost first."""
    seasons: list[Season] = []
    while season is not None and season not in seasons:
        seasons.append(season)
        season = season.within
    return seasons


def related(changed: Iterable[int | None], seasons: Mapping[int, Season]) -> set[int]:
    """All seasons that show part of one of these, by key: those around them, with all within those.

    `seasons` are all that exist.
    """
    found = set[int]()
    for pk in changed:
        while pk is not None and pk not in found:
            found.add(pk)
            pk = seasons[pk].within_id if pk in seasons else None
    grown = True
    while grown:
        parts = {season.pk for season in seasons.values() if season.within_id in found}
        grown = not parts <= found
        found |= parts
    return found


def may_lie_within(season: Season) -> QuerySet[Season]:
    """The seasons of which a season can be a part: neither itself nor one of its parts."""
    return Season.objects.exclude(pk__in=within([season.pk]) if season.pk else [])

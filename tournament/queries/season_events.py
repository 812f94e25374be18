"""Which events count in a season. A season may lie within another, as a month within the year: then in both."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import QuerySet

from tournament.models import Event, Season


def events_of(season: Season) -> QuerySet[Event]:
    """The events that count in a season, also those of the seasons within it, in order of date."""
    events = Event.objects.filter(season__in=within([season.pk])).exclude(slug__startswith=Event.REHEARSAL)
    return events.order_by("date", "pk")


def within(seasons: Collection[int]) -> set[int]:
    """These seasons with all that lie within them, by key."""
    found, level = set(seasons), set(seasons)
    while level:
        level = set(Season.objects.filter(within__in=level).values_list("pk", flat=True)) - found
        found |= level
    return found


def around(season: Season | None) -> list[Season]:
    """The season and those in which it lies, the innermost first."""
    seasons: list[Season] = []
    while season is not None and season not in seasons:
        seasons.append(season)
        season = season.within
    return seasons


def related(seasons: Iterable[int]) -> set[int]:
    """All seasons whose events show something of one of these, by key: those around them, with all within those."""
    rows = Season.objects.filter(pk__in=set(seasons)).select_related("within")
    return within({outer.pk for season in rows for outer in around(season)})


def may_lie_within(season: Season) -> QuerySet[Season]:
    """The seasons of which a season can be a part: neither itself nor one that is a part of it."""
    return Season.objects.exclude(pk__in=within([season.pk]) if season.pk else [])

"""The sides of games with their teams, in one query."""

from __future__ import annotations

from django.db.models import Prefetch

from tournament.models import Side


def sides_with_teams() -> Prefetch:
    """To prefetch with games. Fetching the teams by themselves names every one of them, which SQLite refuses beyond a
    thousand (“Expression tree is too large”)."""
    return Prefetch("sides", queryset=Side.objects.select_related("team"))

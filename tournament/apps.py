"""The app. Signing in, anywhere, begins a sitting."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in

from tournament import sitting


class TournamentConfig(AppConfig):
    name = "tournament"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        user_logged_in.connect(_begin, dispatch_uid="tournament.sitting")


def _begin(request: Any, **facts: Any) -> None:
    if request is not None and hasattr(request, "session"):
        sitting.begin(request.session, request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_USER_AGENT", ""))

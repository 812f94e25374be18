"""The app. A session knows who signed in from where."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate, pre_migrate

from tournament.site import sessions


class TournamentConfig(AppConfig):
    name = "tournament"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tournament.models.triggers import lay_triggers, lift_triggers

        pre_migrate.connect(lift_triggers, sender=self, dispatch_uid="tournament.lift")
        post_migrate.connect(lay_triggers, sender=self, dispatch_uid="tournament.lay")
        user_logged_in.connect(_begin, dispatch_uid="tournament.site.sessions")


def _begin(request: Any, **facts: Any) -> None:
    if request is not None and hasattr(request, "session"):
        sessions.begin(request.session, request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_USER_AGENT", ""))

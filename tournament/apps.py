"""The app. A session knows who signed in where; forms speak in plain words."""

from __future__ import annotations

import sys
from typing import Any

from django import forms
from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models.signals import post_migrate, pre_migrate

from tournament.site import sessions

# What a field says where its form has no words of its own.
PLAIN = (
    (forms.Field, "required", "Please fill this in."),
    (forms.DateField, "invalid", "Please enter a date."),
    (forms.IntegerField, "invalid", "A whole number is needed."),
    (forms.ChoiceField, "invalid_choice", "Please choose from the list."),
    (forms.MultipleChoiceField, "invalid_choice", "Please choose from the list."),
)


class TournamentConfig(AppConfig):
    name = "tournament"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tournament.models.triggers import lay_triggers, lift_triggers

        # While one thread makes a paper, the others answer tablets: they get their turn after a millisecond, not five.
        sys.setswitchinterval(0.001)
        for field, fault, words in PLAIN:
            field.default_error_messages[fault] = words
        MinValueValidator.message, MaxValueValidator.message = "At least %(limit_value)s.", "At most %(limit_value)s."
        pre_migrate.connect(lift_triggers, sender=self, dispatch_uid="tournament.lift")
        post_migrate.connect(lay_triggers, sender=self, dispatch_uid="tournament.lay")
        user_logged_in.connect(_begin, dispatch_uid="tournament.site.sessions")


def _begin(request: Any, **facts: Any) -> None:
    if request is not None and hasattr(request, "session"):
        sessions.begin(request.session, request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_USER_AGENT", ""))

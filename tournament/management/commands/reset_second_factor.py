"""`manage.py reset_second_factor NAME`: for the only owner, after losing phone and recovery codes."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.services.accounts import reset_factor


class Command(BaseCommand):
    help = "Take the second factor of an account back: it sets up a new one at its next sign-in."
    # The checks read every page of the site, which this command never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name with which the account signs in")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"There is no account “{options['name']}”.")
        reset_factor(user)
        self.stdout.write(f"{user.get_username()} sets up a new second factor at the next sign-in.")

"""`manage.py rebuild_results EVENT`: discard the cached results of an event and compute them from the hands."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.errors import Damaged
from tournament.models import Event, Game
from tournament.services.signatures import rebuild_results
from tournament.words.phrases import counted

UNSIGNED = (
    "{} is no longer final: its signatures belong to another version of the sheet. “verify” tells what was changed."
)


class Command(BaseCommand):
    help = "Recompute every result of an event from its entries."
    # The checks read every page of the site, which this command never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", help="the event's name in its address")

    def handle(self, *args: Any, **options: Any) -> None:
        event = Event.objects.filter(slug=options["event"]).first()
        if event is None:
            raise CommandError(f"There is no event “{options['event']}”.")
        final = set(Game.objects.filter(round__event=event, state="final").values_list("pk", flat=True))
        try:
            games = rebuild_results(event)
        except Damaged as fault:
            raise CommandError(f"Nothing was changed. {fault}") from fault
        self.stdout.write(f"{counted(games, 'game')} computed from their entries.")
        for game in Game.objects.filter(pk__in=final).exclude(state="final").select_related("round"):
            self.stdout.write(UNSIGNED.format(game))

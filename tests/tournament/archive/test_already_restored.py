"""`manage.py restore --already-restored` on either database: a new epoch for every event, and the log says why."""

from __future__ import annotations

import io

from django.contrib.auth.models import User
from django.core.management import call_command

from tests.factories import make_event
from tournament.models import Event, Journal


def test_every_event_begins_an_epoch_and_tells_why(dana: User) -> None:
    events = {event.pk: event for event in (make_event("Columbus Open", dana), make_event("Akron Open", dana))}
    said = io.StringIO()
    call_command("restore", "--already-restored", stdout=said)
    assert said.getvalue().splitlines() == [
        "2 events. Start the site now: the tablets will send again what they hold. Leave their pages open.",
        "Every sign-in has ended: sign in again. What was taken back after the backup was made is not known here: look "
        "through officials and tablets of each event, and change the passwords that should no longer hold.",
    ]
    for after in Event.objects.all():
        before = events.pop(after.pk)
        assert after.epoch != before.epoch and after.version > before.version + 1000
        assert [act.text for act in Journal.objects.filter(event=after, action="restore")] == [
            "Not known: which accounts, offices and tablets were taken back after the backup was made",
            "Restored by the means of the database; the tablets will send again what they hold",
        ]
    assert events == {}

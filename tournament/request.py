"""A request as views see it: Django's, with what the middlewares of this site add."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from tournament.access import Actor
from tournament.models import Event


class Request(HttpRequest):
    """Only a type: it is never instantiated, so that any server can create Django's own request."""

    htmx: HtmxDetails
    actor: Actor
    # A user who typed the password and has not shown the second factor yet: not signed in.
    half: User | None
    # What its address is about: an event, what is done there, and the number of a team, round, or game in it.
    about: tuple[Event, str, str] | None

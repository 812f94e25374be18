"""A request as views see it: Django's, and what the middlewares of this site set."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from tournament.access import Actor
from tournament.models import Event


class Request(HttpRequest):
    """Only a type: no request is made of it, so that whatever serves the site may make Django's own."""

    htmx: HtmxDetails
    actor: Actor
    # Whoever typed the password and has not shown the second factor yet: signed in nowhere.
    half: User | None
    # What its address is about: an event, what is done there, and the number of a team, a round or a game in it.
    about: tuple[Event, str, str] | None

"""The public pages of an event as their rows in `urls.py` list them: a new one is in every test that walks them."""

from __future__ import annotations

from django.core.signing import get_cookie_signer
from django.test import Client
from django.urls import reverse

from tournament.gate.public_pages import PublicPage
from tournament.models import Event, Game, Team
from tournament.urls import PUBLIC
from tournament.views.checkin import COOKIE

# The values in addresses: the first team, a game that is over.
PLACES = {"<int:number>": "1", "<int:pk>": "{final}"}


def address_of(page: PublicPage) -> str:
    route = str(page.pattern)
    for place, stands_for in PLACES.items():
        route = route.replace(place, stands_for)
    return "/e/{slug}/" + route


# By name, everything that is read by its address alone; `PAGES` without the picture.
READ = {str(page.name): address_of(page) for page in PUBLIC if not page.asks}
PAGES = {name: address for name, address in READ.items() if address.endswith("/")}
# Those of an event in which nothing was played yet, and nobody is entered.
OF_ANY_EVENT = [str(page.name) for page in PUBLIC if page.name in PAGES and not page.pattern.converters]


def addresses_in(event: Event, pages: dict[str, str] = PAGES) -> dict[str, str]:
    """The same in one event: the sheet of a game is among them where one is over."""
    final = Game.objects.filter(round__event=event, state="final").order_by("pk").first()
    return {
        name: address.format(slug=event.slug, final=final and final.pk)
        for name, address in pages.items()
        if final or "{final}" not in address
    }


def asked_in(event: Event) -> dict[str, str]:
    """Those that ask for something and show where a team plays, as `phone_of` opens them."""
    return {
        "search": reverse("search", args=[event.slug]) + "?team=Ann",
        "check-in": reverse("check-in", args=[event.slug]),
    }


def phone_of(team: Team) -> Client:
    """The phone that checked this team in. It is no stranger at the door, and one everywhere else."""
    client = Client()
    signer = get_cookie_signer(salt=COOKIE + str(team.event.epoch))
    client.cookies[COOKIE] = signer.sign(f"{team.pk}|{team.here_at.isoformat() if team.here_at else ''}")
    return client

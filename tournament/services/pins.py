"""PINs of teams: made here, shown once on paper or on the screen, kept as hashes; and what a wrong one leads to."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import timedelta

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.utils import timezone

from tournament.access import Actor
from tournament.models import Device, Event, Game, Pin, Side, Team
from tournament.queries.rules import ruleset_of
from tournament.services.journal import note, place_of
from tournament.services.transactions import Shown, writing
from tournament.words.held import Reason

DIGITS = 6
WRONG_AT_MOST = 5
PAUSE = timedelta(minutes=1)
# A sheet is signed while its event is locked, and a whole field is printed at once: so the hash costs milliseconds and
# not the third of a second of a password. What keeps a PIN of an evening safe is the pause.
ROUNDS = 20_000
HASHER = PBKDF2PasswordHasher()


def give_pins(actor: Actor, event: Event, numbers: Collection[int]) -> dict[int, str]:
    """New PINs for the teams with these numbers; the ones that they had before work no more."""
    with writing(event, Shown.INSIDE) as event:
        teams = list(Team.objects.filter(event=event, number__in=numbers).order_by("number"))
        pins = {team.number: f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}" for team in teams}
        Pin.objects.filter(team__in=teams).delete()
        Pin.objects.bulk_create(Pin(team=team, hash=hashed(pins[team.number])) for team in teams)
        if teams:
            who = {"team": str(teams[0])} if len(teams) == 1 else {"teams": [len(teams), ruleset_of(event).unit]}
            code = "team" if len(teams) == 1 else "teams"
            note(actor, event, "pin", "event", event.pk, code, who, after={"teams": list(pins)})
        return pins


def hashed(pin: str) -> str:
    """What is kept of a PIN."""
    return HASHER.encode(pin, HASHER.salt(), ROUNDS)


def pin_refusal(actor: Actor, game: Game | None, side: int, pin: str) -> str:
    """Why nobody signs for this side with this PIN on this tablet; empty where it is right or none is asked for.

    It says so instead of raising, because what it counts has to stay although nothing is signed.
    """
    if game is None or not Event.objects.filter(pk=game.round.event_id, sign_with="pin").exists():
        return ""
    with writing(game.round.event_id, Shown.INSIDE) as event:
        at_table = Side.objects.filter(game=game, index=side).select_related("team").first()
        if at_table is None:
            return ""
        device = Device.objects.get(pk=actor.tablet.pk)
        if _is_paused(device):
            return Reason("paused")
        team = at_table.team
        known = Pin.objects.filter(team=team).first()
        if known is None:
            return Reason("no-pin", team=team.name)
        if HASHER.verify(pin[:20], known.hash):
            _count(device, 0)
            return ""
        wrong = device.wrong_pins + 1
        _count(device, wrong)
        # The answer shows the pause on the page that it brings.
        actor.tablet.signing_paused_until = device.signing_paused_until
        note(actor, event, "wrong-pin", "game", game.pk, "wrong", place_of(game) | {"team": team.name})
        return Reason("paused") if _is_paused(device) else Reason("wrong-pin", count=wrong, most=WRONG_AT_MOST)


def _count(device: Device, wrong: int) -> None:
    """Note how many PINs in a row were wrong; the fifth begins the pause, and then it counts anew."""
    if wrong == device.wrong_pins:
        return
    if wrong >= WRONG_AT_MOST:
        wrong, device.signing_paused_until = 0, timezone.now() + PAUSE
    device.wrong_pins = wrong
    device.save(update_fields=["wrong_pins", "signing_paused_until"])


def _is_paused(device: Device) -> bool:
    """A clock that fell back does not make the pause longer than it is."""
    until = device.signing_paused_until
    return until is not None and timedelta() < until - timezone.now() <= PAUSE

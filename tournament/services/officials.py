"""Who runs an event: directors and verifiers, with an account of their own."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from tournament.access import Actor
from tournament.models import Event, Official
from tournament.queries.rules import open_directors
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.transactions import writing


def appoint_official(
    actor: Actor, event: Event, username: str, role: str, password: str = "", email: str = ""
) -> tuple[Official, bool]:
    """Make somebody director or verifier; tells whether an account was made. An account that exists keeps its password.

    A new one with a mail address has none until its owner chooses one by the link that goes there. Raises Invalid where
    a new account has no good password, or the person holds this office already.
    """
    if role not in dict(Official.ROLES):
        raise Invalid([Fault("role", "Director or verifier?")])
    with writing(event) as event:
        known = User.objects.filter(username__iexact=username.strip()).first()
        user = known or _new_user(username.strip(), password, email)
        office = Official.objects.filter(event=event, user=user).first()
        if office is not None and office.role == role:
            raise Invalid([Fault("username", f"{user.get_username()} is {office.get_role_display().lower()} already.")])
        if office is not None:
            _must_leave_a_director(event, office)
        before = {"role": office.role} if office else None
        office, _ = Official.objects.update_or_create(event=event, user=user, defaults={"role": role})
        code, said = "known" if known else "new", {"name": user.get_username(), "role": role}
        note(actor, event, "appoint", "official", user.pk, code, said, before=before, after={"role": role})
    return office, known is None


def dismiss_official(actor: Actor, event: Event, user: int) -> str:
    """Take an office back; the account stays. Gives the person's name."""
    with writing(event) as event:
        office = Official.objects.filter(event=event, user__pk=user).select_related("user").first()
        if office is None:
            raise Changed("This person is no longer an official of this event.")
        _must_leave_a_director(event, office)
        name = office.user.get_username()
        office.delete()
        said = {"name": name, "role": office.role}
        note(actor, event, "dismiss", "official", user, "dismissed", said, before={"role": office.role})
    return name


def _new_user(username: str, password: str, email: str) -> User:
    user = User(username=username, email=email)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as fault:
        raise Invalid([Fault("username", text) for text in fault.messages]) from fault
    if settings.MAIL and not email:
        raise Invalid([Fault("email", f"There is no account “{username}” yet: where does its invitation go?")])
    if settings.MAIL:
        user.set_unusable_password()
        user.save()
        return user
    if not password:
        raise Invalid([Fault("password", f"There is no account “{username}” yet: give it a password.")])
    try:
        validate_password(password, user)
    except ValidationError as fault:
        raise Invalid([Fault("password", text) for text in fault.messages]) from fault
    user.set_password(password)
    user.save()
    return user


def _must_leave_a_director(event: Event, office: Official) -> None:
    if office.role == "director" and not open_directors(event).exclude(pk=office.pk).exists():
        raise Invalid([Fault("username", "An event needs a director: appoint another one first.")])

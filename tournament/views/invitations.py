"""The mail by which a new official chooses a password of their own."""

from __future__ import annotations

from smtplib import SMTPException

from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tournament.models import Official
from tournament.request import Request


def invite(request: Request, office: Official) -> str:
    """Send the invitation; what the page says of it."""
    user, role = office.user, office.get_role_display().lower()
    text = render_to_string("mail/invitation.txt", _facts(request, office) | {"user": user, "role": role})
    try:
        send_mail(f"{office.event.name}: you are {role}", text, None, [user.email])
    except (OSError, SMTPException):
        return f"{user} is {role}, but the mail could not be sent. “Forgot your password?” sends a link later."
    return f"{user} is {role}. The invitation is on its way to {user.email}."


def _facts(request: Request, office: Official) -> dict[str, str]:
    return {
        "by": request.actor.account.get_username(),
        "event": office.event.name,
        "uid": urlsafe_base64_encode(force_bytes(office.user.pk)),
        "token": default_token_generator.make_token(office.user),
        "domain": request.get_host(),
        "protocol": str(request.scheme),
    }

"""Accounts in forms: appointing an official, choosing a password."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User

from tournament.forms.fields import PlainForm, PlainWords
from tournament.models import Official
from tournament.site.passwords import LEAST

HELP = f"At least {LEAST} characters. Several words are easy to type."
EMAIL_HELP = "Where a link goes when you forgot the password. Nobody else sees it."


class OfficialForm(PlainForm):
    """A name to sign in with, an office, and for a new account the address for its invitation, or else a password."""

    username = forms.CharField(label="Name to sign in", max_length=150)
    role = forms.ChoiceField(label="Role", choices=Official.ROLES)
    email = forms.EmailField(
        label="Email address",
        required=False,
        help_text="A link to choose a password goes there. Leave it empty for somebody who has an account.",
    )
    password = forms.CharField(
        label="Password",
        required=False,
        strip=False,
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password"}),
        help_text=f"At least {LEAST} characters. Leave it empty for somebody who has an account.",
    )

    def __init__(self, *args: Any, **settings_: Any) -> None:
        super().__init__(*args, **settings_)
        del self.fields["password" if settings.MAIL else "email"]


class SignInForm(PlainWords, AuthenticationForm):
    """Name and password."""


class PasswordForm(PlainWords, PasswordChangeForm):
    """Django's form and validators; the page explains what a password needs."""

    email = forms.EmailField(label="Email address", required=False, help_text=EMAIL_HELP)

    def __init__(self, *args: Any, **settings_: Any) -> None:
        super().__init__(*args, **settings_)
        _in_words(self)
        self.fields["old_password"].label = "Your current password"
        self.fields["email"].initial = self.user.email
        if not settings.MAIL:
            del self.fields["email"]


class NewPasswordForm(PlainWords, SetPasswordForm):  # type: ignore[type-arg]  # generic in the stub alone
    """The same without the old password, for a user who followed the link in a mail."""

    def __init__(self, *args: Any, **settings_: Any) -> None:
        super().__init__(*args, **settings_)
        _in_words(self)


class ForgottenForm(PlainWords, PasswordResetForm):
    """Where the link goes."""

    def __init__(self, *args: Any, **settings_: Any) -> None:
        super().__init__(*args, **settings_)
        self.fields["email"].label = "Mail address"

    def get_users(self, email: str) -> Iterator[User]:
        """Find the accounts of an address, including those that were invited and have no password yet."""
        yield from User.objects.filter(email__iexact=email, is_active=True)


def _in_words(form: forms.Form) -> None:
    form.fields["new_password1"].help_text = HELP
    form.fields["new_password2"].label = "New password, again"
    form.fields["new_password2"].help_text = ""

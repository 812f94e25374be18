"""Accounts in forms: appointing an official, a password of one's own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm

from tournament.models import Official


class OfficialForm(forms.Form):
    """A name to sign in with, an office, and a password where the account is new."""

    username = forms.CharField(label="Name to sign in", max_length=150)
    role = forms.ChoiceField(label="Role", choices=Official.ROLES)
    password = forms.CharField(
        label="Password",
        required=False,
        strip=False,
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password"}),
        help_text="At least 12 characters. Leave it empty for somebody who has an account.",
    )


class PasswordForm(PasswordChangeForm):
    """Django's form and validators; the page says in words what a password needs."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.fields["old_password"].label = "Your current password"
        self.fields["new_password1"].help_text = "At least 12 characters. Several words are easy to type."
        self.fields["new_password2"].label = "New password, again"
        self.fields["new_password2"].help_text = ""

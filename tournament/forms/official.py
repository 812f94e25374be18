"""Appointing an official."""

from __future__ import annotations

from django import forms

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

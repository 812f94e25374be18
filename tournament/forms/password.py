"""A password of one's own as a form: the old one, and the new one twice."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import PasswordChangeForm


class PasswordForm(PasswordChangeForm):
    """Django's form and validators; the page says in words what a password needs."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.fields["old_password"].label = "Your current password"
        self.fields["new_password1"].help_text = "At least 12 characters. Several words are easy to type."
        self.fields["new_password2"].label = "New password, again"
        self.fields["new_password2"].help_text = ""

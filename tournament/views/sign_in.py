"""Signing in as an official."""

from __future__ import annotations

from django.contrib.auth.views import LoginView

sign_in = LoginView.as_view(template_name="sign_in.html", redirect_authenticated_user=True)

"""Signing in as an official, and where one is signed in."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from tournament import access
from tournament.queries.signins import sign_ins_of
from tournament.services.signins import end_sign_ins

sign_in = LoginView.as_view(template_name="sign_in.html", redirect_authenticated_user=True)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_ins(request: HttpRequest) -> HttpResponse:
    """Every browser that is signed in with this account; one of them is signed out, or all others."""
    access.require(request.actor, "see-sign-ins")
    current = request.session.session_key
    if request.method == "POST":
        ended = end_sign_ins(request.actor, current, request.POST.get("key", ""))
        words = f"{ended} browser{'' if ended == 1 else 's'} signed out." if ended else "It was signed out already."
        messages.success(request, words)
        return redirect("sign-ins")
    return render(request, "sign_ins.html", {"sign_ins": sign_ins_of(request.actor.person, current)})

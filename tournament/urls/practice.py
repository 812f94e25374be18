"""Addresses of the practice table."""

from django.urls import path

from tournament.views import practice

urlpatterns = [
    path("", practice.practice, name="practice"),
    path("entries/", practice.entries, name="practice-entry"),
    path("preview/", practice.preview, name="practice-preview"),
    path("undos/", practice.undos, name="practice-undo"),
    path("seats/", practice.seats, name="practice-seats"),
    path("signatures/", practice.signatures, name="practice-signature"),
]

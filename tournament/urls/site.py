"""Addresses of the site itself: the list of events, signing in and out, health."""

from django.contrib.auth.views import LogoutView
from django.urls import path, re_path

from tournament.views import event_file, events, setup, sign_in, trust, works

WORK = "(?P<work>[0-9a-f]{32})"

urlpatterns = [
    path("", events.event_list, name="events"),
    path("new/", setup.event_new, name="event-new"),
    path("new/draft/", setup.event_draft, name="event-draft"),
    path("new/copy/", setup.event_copy, name="event-copy"),
    path("import/", event_file.event_import, name="event-import"),
    path("import/<slug:event>/", event_file.event_imported, name="event-imported"),
    re_path(rf"^works/{WORK}/$", works.work_page, name="work"),
    re_path(rf"^works/{WORK}/cancellation/$", works.work_cancellation, name="work-cancellation"),
    re_path(rf"^works/{WORK}/file/$", works.work_result, name="work-result"),
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-in/again/", sign_in.sign_in_again, name="sign-in-again"),
    path("sign-ins/", sign_in.sign_ins, name="sign-ins"),
    path("password/", sign_in.password, name="password"),
    path("trust/", trust.trust, name="trust"),
    path("trust/uptown.crt", trust.certificate, name="trust-certificate"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]

"""A form that is sent to a tablet's addresses: refused in JSON like any other body, and nobody is signed in by it."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.tournament.submissions.conftest import Tablet

FORMS = ["multipart/form-data; boundary=q", "multipart/form-data", "application/x-www-form-urlencoded"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["submissions", "known", "ping"])
def test_a_form_is_no_message(tablet: Tablet, name: str, form: str) -> None:
    headers = {"Authorization": f"Table {tablet.token}"}
    answer = Client().post(f"/t/api/{name}/", b"again_password=x", content_type=form, headers=headers)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/json")


def test_nobody_signs_in_at_an_address_without_the_check_of_forms(tablet: Tablet, dana: User) -> None:
    client, said = Client(enforce_csrf_checks=True), "again_name=dana&again_password=a+long+enough+password"
    answers = [
        client.post(f"/t/api/{name}/", said, content_type=FORMS[2], headers={"Origin": "https://elsewhere.example"})
        for name in ("submissions", "known", "ping")
    ]
    statuses = [answer.status_code for answer in answers]
    assert (statuses, settings.SESSION_COOKIE_NAME in client.cookies) == ([401] * 3, False)
    dana.refresh_from_db()
    assert dana.last_login is None

"""The second factor as an owner meets it on the internet: an app is set up, and asked for from then on; accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings

from tests.browser.conftest import LAPTOP, PHONE, look
from tests.browser.test_looks import AXE, too_wide, unfair
from tests.factories import PASSWORD, make_event, make_user
from tests.tournament.test_accounts import app_code, code_of, key_on


def faults(page: Any, name: str) -> list[str]:
    """What does not fit or shuts somebody out."""
    found = [*too_wide(page), *unfair(page, "light", PHONE), *unfair(page, "dark", LAPTOP)]
    look(page, name)
    return found


def sign_in(page: Any, name: str) -> None:
    page.goto("/sign-in/?next=/accounts/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()


def test_an_owner_sets_an_app_up_and_shows_its_code_from_then_on(
    new_page: Callable[..., Any], transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "SECOND_FACTOR", True)
    otis = make_user("otis", is_staff=True)
    make_event(director=make_user("dana"))
    page = new_page(PHONE)
    page.add_init_script(path=AXE)
    sign_in(page, "otis")
    page.get_by_role("heading", name="Set up your second factor").wait_for()
    assert faults(page, "factor-set-up") == []
    page.get_by_label("Code", exact=True).fill(code_of(key_on(page.content())))
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    assert (page.locator(".codes code").count(), faults(page, "factor-codes")) == (10, [])
    page.get_by_role("link", name="I have kept them").click()
    page.get_by_role("heading", name="Accounts").wait_for()
    page.get_by_role("button", name="Close the account dana").click()
    page.get_by_text("The account dana is closed").wait_for()
    assert faults(page, "accounts") == []
    page.get_by_role("button", name="Sign out", exact=True).click()
    sign_in(page, "otis")
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    assert faults(page, "factor-code") == []
    page.get_by_label("Code", exact=True).fill(app_code(otis, 1))
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Accounts").wait_for()

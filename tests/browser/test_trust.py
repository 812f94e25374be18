"""The page of trust on devices as they are held: nothing sticks out, big targets, nothing serious for axe."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.browser.conftest import LAPTOP, PHONE, TABLET, TABLET_UPRIGHT, look
from tests.browser.test_desk import at_desk
from tests.browser.test_looks import AXE, FINDINGS, STICKS_OUT
from tests.browser.turns import TURN
from tests.factories import make_round, make_teams
from tournament.models import Event
from tournament.serving.certificates import hall_certificates

pytestmark = pytest.mark.nightly


@pytest.fixture(autouse=True)
def trusted(settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    settings.HALL_SITE, settings.HALL_TRUST = "https://192.168.1.20:8000/", "http://192.168.1.20:8001/trust/"
    hall_certificates(tmp_path / "certificates", ["192.168.1.20"], "Uptown at laptop", timezone.now())


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [PHONE, TABLET, TABLET_UPRIGHT])
def test_the_page_of_trust_fits_and_is_read_by_everybody(
    new_page: Callable[..., Any], size: tuple[int, int], dark: bool
) -> None:
    page = new_page(size, dark=dark, bypass_csp=True)
    page.goto("/trust/")
    for summary in page.locator("summary").all():
        assert summary.bounding_box()["height"] >= 56
    page.get_by_text("iPad, iPhone").click()
    look(page, f"trust-{size[0]}{'-dark' if dark else ''}")
    for name in ("Android", "Windows", "Mac"):
        page.locator("summary", has_text=name).last.click()
    assert page.evaluate(STICKS_OUT) <= 0
    page.add_script_tag(path=AXE)
    assert page.evaluate(FINDINGS) == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_desk_shows_the_picture_to_scan(
    new_page: Callable[..., Any], size: tuple[int, int], event: Event, dana: User
) -> None:
    with TURN:
        make_round(event, [tuple(make_teams(event, 2))])
    page = at_desk(new_page, dana, size)
    page.goto(f"/desk/{event.slug}/tablets/")
    assert page.locator(".hall-trust .qr").is_visible()
    assert page.evaluate(STICKS_OUT) <= 0
    look(page, f"tablets-{size[0]}")

"""Every sign that a name may have can be printed; every other is refused and named."""

from __future__ import annotations

from unicodedata import bidirectional

import pytest
from django.contrib.auth.models import User
from django.test import Client
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from tests.factories import make_event
from tournament.models import Event
from tournament.reports.pdf.lettering import LAST, register_fonts
from tournament.signs import RIGHT_TO_LEFT, is_printable, unprintable
from tournament.texts import Refused, clean_name


def test_signs_are_those_of_the_bundled_font() -> None:
    register_fonts()
    font = pdfmetrics.getFont(LAST)
    assert isinstance(font, TTFont)
    known = {code for code in font.face.charToGlyph if code >= 32}
    wanted = {code for code in known if bidirectional(chr(code)) not in RIGHT_TO_LEFT} | {0x200C, 0x200D}
    assert {code for code in range(32, 0x20000) if is_printable(chr(code))} == wanted


@pytest.mark.parametrize(
    "name",
    [
        "Aces",
        "Łódź Ñandú",
        "Команда",
        "Ομάδα",
        "A/B",
        "<b>bold</b>",
        "=1+1",
        "x\u0302 hat",
        "♠ Kings",
        "Team\u200d",
        "½ Đặng",
        "Aces 🂡",
    ],
)
def test_names_that_can_be_printed_are_taken(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "signs"),
    [
        ("牌 team", "“牌” (U+724C)"),
        ("فريق", "“ف” (U+0641), “ر” (U+0631), “ي” (U+064A), “ق” (U+0642)"),
        ("Aces 🏆", "“🏆” (U+1F3C6)"),
        ("קבוצה", "“ק” (U+05E7), “ב” (U+05D1), “ו” (U+05D5), “צ” (U+05E6), “ה” (U+05D4)"),
        ("👩‍🚀", "“👩” (U+1F469), “🚀” (U+1F680)"),
    ],
)
def test_names_that_cannot_be_printed_are_refused_with_the_sign(name: str, signs: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_name(name)
    assert str(refused.value) == (
        f"This cannot be printed: {signs}. Please write the name in letters that paper can show."
    )


def test_unprintable_names_each_sign_once() -> None:
    assert unprintable("牌牌a") == "牌"


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/desk/open/teams/", "/desk/open/rounds/1/clock/", "/sign-in/"])
def test_a_form_with_a_sign_that_no_database_keeps_is_refused_with_its_field(
    client: Client, dana: User, address: str
) -> None:
    make_event("Open", dana)
    if address.startswith("/desk/"):
        client.force_login(dana)
    for name in ("reason", "again_name", "name"):
        answer = client.post(address, {name: "a\0b", "again_password": "x"})
        assert answer.status_code == 422
        assert f"“{name}” holds a character that cannot be stored." in answer.content.decode()
    assert list(Event.objects.get().journal.exclude(action="create")) == []


@pytest.mark.django_db
def test_the_log_is_searched_without_that_sign(client: Client, dana: User) -> None:
    make_event("Open", dana)
    client.force_login(dana)
    assert client.get("/desk/open/log/", {"q": "a\0", "act": "draw\0"}).status_code == 200

"""What the site's log says of an address: never what would open something for whoever reads it."""

from __future__ import annotations

import logging

import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "said"),
    [
        # A mail program takes the full stop behind a link for a part of it.
        ("/password/new/Mg/dijo0e-9ec05a820d7dd71422d471c4a4b6cf21/.", "/password/new/***"),
        ("/password/new/Mg/dijo0e-9ec05a820d7dd71422d471c4a4b6cf21/%20x", "/password/new/***"),
        # The code of a card is typed behind the address.
        ("/t/2U8T-2R6J", "/t/***"),
        ("/t/2u8t2r6j/", "/t/***/"),
        ("/t/2U8T%202R6J", "/t/***"),
        ("/t/nobody/", "/t/nobody/"),
        ("/t/notices/x/", "/t/notices/x/"),
        ("/t/table/games/9/", "/t/table/games/9/"),
    ],
)
def test_what_opens_something_is_left_out_of_addresses(
    client: Client, caplog: pytest.LogCaptureFixture, address: str, said: str
) -> None:
    assert client.get(address).status_code == 404
    (console,) = (one for one in logging.getLogger().handlers if one.name == "console")
    (record,) = caplog.records
    assert console.format(record).endswith(f" WARNING django.request Not Found: {said}")

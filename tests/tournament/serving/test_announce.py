"""What a start prints: nothing that is shown only once may be cut off."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from tournament.services.accounts import new_password
from tournament.serving.server import announce


@pytest.mark.parametrize("width", [20, 60, 80])
def test_every_password_is_printed_whole_whatever_the_width_of_the_window(width: int) -> None:
    passwords = [new_password() for _ in range(200)]
    people = [
        (f"owner{place}", password, "everything; shown only this once") for place, password in enumerate(passwords)
    ]
    said = io.StringIO()
    announce(Console(file=said, width=width), 8000, people, [("Sign in", "/sign-in/")])
    words = {word for line in said.getvalue().splitlines() for word in line.split()}
    assert set(passwords) <= words

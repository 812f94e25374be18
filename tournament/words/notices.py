"""What a team is told by a notice: of a sheet that an official changed."""

from __future__ import annotations

from typing import Any

from tournament.words.saying import TEXT, Facts, say

SENTENCES = {
    "corrected": "{round}, table {table}, was corrected: {reason}",
    "again": "{round}, table {table}: {teams:against}: void, to be played again: {reason}",
    "swapped": "{round}: {first} and {second} were swapped: {reason}",
    TEXT: "{text}",
}


def text(code: str, facts: Facts) -> str:
    return say(SENTENCES[code], facts)


def read_back(said: str) -> tuple[str, dict[str, Any]]:
    """The code and values of a notice that was kept as a sentence: its words."""
    return TEXT, {"text": said}

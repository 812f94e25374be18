"""Notes of a draw that were kept as sentences."""

from __future__ import annotations

from tournament.pairing.words import TEXT, Note


def read_back(sentence: str) -> Note:
    """The note of a sentence: its words."""
    return Note(TEXT, teams=(sentence,))

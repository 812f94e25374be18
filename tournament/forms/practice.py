"""The practice table's form: the game that it carries along, and the acts on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.document import all_sheets
from scoring.fields import parse_json
from scoring.ledger import CannotScore
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.forms.hand import read_hand
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.tablet import KINDS, Practice, practice_page, practice_problems, with_hand

LONGEST_PRACTICE, MOST_PRACTICE_LINES = 64 * 1024, 200
UNREADABLE = "This practice game cannot be read. Begin a new one."


def read_sheet(data: Mapping[str, str]) -> Practice:
    """A new practice game with the chosen sheet, or the usual one if there is no such sheet."""
    key = data.get("sheet", "")
    return Practice(key) if key in _sheets() else Practice()


def read_practice(data: Mapping[str, str]) -> Practice:
    """The game in the form. Raises ValidationFailed for anything that no page of ours has sent."""
    text = data.get("document", "")
    try:
        document = parse_json(text) if 0 < len(text) <= LONGEST_PRACTICE else {}
        practice = Practice(
            document["sheet"], document["dealer"], tuple(document["entries"]), tuple(map(tuple, document["signed"]))
        )
        if _is_sound(practice) and not practice_problems(practice):
            return practice
    except (CannotScore, TypeError, KeyError, ValueError):
        pass
    raise ValidationFailed([Fault("document", UNREADABLE)])


def write_hand(practice: Practice, data: Mapping[str, str]) -> Practice:
    """A hand, or one that does not count, after the last line. Raises ValidationFailed if the rules refuse it."""
    longer = with_hand(practice, read_hand(sheet_of(practice), data).checked().facts)
    if problems := practice_problems(longer):
        raise ValidationFailed([Fault(problem.field, problem.text, problem.rule) for problem in problems])
    return longer


def take_back(practice: Practice, data: Mapping[str, str]) -> Practice:
    """Undo of the last line."""
    if not practice.entries:
        raise Conflict("There is nothing to undo.")
    return practice.without_last()


def name_dealer(practice: Practice, data: Mapping[str, str]) -> Practice:
    """Who deals first."""
    seat = data.get("dealer", "")
    if not any(seat == str(chair.seat) for chair in sheet_of(practice).seats):
        raise ValidationFailed([Fault("seat", "There is no such seat at this table.")])
    if practice.entries:
        raise Conflict("A hand is already recorded, so the first dealer stays.")
    return practice.dealt_by(int(seat))


def sign_side(practice: Practice, data: Mapping[str, str]) -> Practice:
    """A player signs for a side of a finished game."""
    sheet = sheet_of(practice)
    side = next((unsigned for unsigned in sheet.unsigned if str(unsigned.index) == data.get("side", "")), None)
    if side is None or data.get("code", "") != sheet.code:
        raise Conflict("The sheet has changed since you looked at it. Please check it again before signing.")
    if data.get("name", "") not in side.players:
        raise ValidationFailed([Fault("name", "Choose the name of a player of this side.")])
    return practice.signed_by(side.index, data["name"])


def sheet_of(practice: Practice) -> GameSheet:
    sheet = practice_page(practice).sheet
    assert sheet is not None
    return sheet


def _sheets() -> set[str]:
    return {sheet.key for _, sheet in all_sheets()}


def _is_sound(practice: Practice) -> bool:
    seats = range(len(sheet_of(Practice(practice.sheet)).seats)) if practice.sheet in _sheets() else range(0)
    return (
        (practice.dealer is None or (type(practice.dealer) is int and practice.dealer in seats))
        and len(practice.entries) <= MOST_PRACTICE_LINES
        and all(isinstance(entry, dict) and entry.get("entry") in KINDS for entry in practice.entries)
        and len(practice.signed) <= len(seats)
        and all(_is_signature(signature) for signature in practice.signed)
        and bool(seats)
    )


def _is_signature(signature: tuple[Any, ...]) -> bool:
    return (
        len(signature) == 2 and type(signature[0]) is int and isinstance(signature[1], str) and len(signature[1]) <= 40
    )

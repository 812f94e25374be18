"""A hand that does not count: the table names the rule, the sheet has the words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.queries.asking import void_of_sheet
from tournament.queries.sheetfacts import GameSheet
from tournament.refusals import Fault, Invalid

LONGEST = 40


def void_facts(sheet: GameSheet, data: Mapping[str, str]) -> tuple[dict[str, Any], list[Fault]]:
    """The facts of a void; only reasons that need no director's choice are taken."""
    try:
        return void_of_sheet(sheet, data.get("rule", "").strip()[:LONGEST]), []
    except Invalid as refusal:
        return {"entry": "void"}, list(refusal.faults)

"""A hand that does not count: the table names the rule, the sheet has the words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.queries.asking import void_reasons_of
from tournament.queries.sheet import GameSheet
from tournament.refusals import Fault


def void_facts(sheet: GameSheet, data: Mapping[str, str]) -> tuple[dict[str, Any], list[Fault]]:
    """The facts of a void; only reasons that need no director's choice are taken."""
    rule = data.get("rule", "").strip()
    reason = next((reason for reason in void_reasons_of(sheet) if reason.rule == rule), None)
    if reason is None:
        return {"entry": "void"}, [Fault("rule", "Say why the hand does not count.")]
    facts = {"entry": "void", "rule": reason.rule, "reason": reason.when}
    return {key: value for key, value in facts.items() if value}, []

"""A hand in which one side wins the auction: who, the bid, and the books that side took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.forms.entry.numbers import whole_number
from tournament.refusals import Fault

QUESTIONS = {
    "seat": "Who won the bid?",
    "bid": "Which bid was played?",
    "books": "How many books did the bidding side take?",
}


# What scores nothing and may be written beside it.
BESIDE = ("trump", "direction")


def is_bidder_form(data: Mapping[str, str]) -> bool:
    """Whether the form itself says that it asked for the winner of an auction: then no sheet has to be looked at."""
    return "cards" not in data and any(field in data for field in QUESTIONS)


def bidder_facts(data: Mapping[str, str]) -> tuple[dict[str, Any], list[Fault]]:
    """The facts of the hand as far as they were given, and a fault for everything that is missing or no number."""
    facts: dict[str, Any] = {"entry": "hand"}
    faults = []
    for field, question in QUESTIONS.items():
        text = data.get(field, "").strip()
        if not text:
            faults.append(Fault(field, question))
        elif field == "bid":
            facts["bid"] = text[:20]
        elif (number := whole_number(text)) is None:
            faults.append(Fault(field, f"“{text[:20]}” is not a number. {question}"))
        else:
            facts[field] = number
    for name in BESIDE:
        if said := data.get(name, "").strip():
            facts[name] = said[:20]
    return facts, faults

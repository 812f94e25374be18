"""A hand in which everybody bids: one bid and one number of tricks for every seat or side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.forms.entry.numbers import whole_number
from tournament.queries.asking import FIRST_SIX, Asked
from tournament.refusals import Fault

MOST_SEATS = 8
NO_BID = "pass"


def is_tricks_form(asked: Asked | None, data: Mapping[str, str]) -> bool:
    """Whether the form asked everybody for a bid; a form that was sent says so itself."""
    return asked.by != "bidder" if asked is not None else "cards" in data


def tricks_facts(asked: Asked | None, data: Mapping[str, str]) -> tuple[dict[str, Any], list[Fault]]:
    """The facts of the hand, and a fault for every bid or number of tricks that is missing or no number."""
    faults: list[Fault] = []
    bidders = {turn.place.index: turn.place.name for turn in asked.turns} if asked else _posted("bid", data)
    takers = {place.index: place.name for place in asked.takers} if asked else _posted("tricks", data)
    word = asked.word if asked else "tricks"
    cards = whole_number(data.get("cards", ""))
    facts: dict[str, Any] = {"entry": "hand", "cards": asked.cards if cards is None and asked else cards}
    facts["bids"] = [_bid(index, name, data, faults) for index, name in sorted(bidders.items())]
    facts |= _beside(asked, data)
    if _thrown_in(facts["bids"], data):
        facts["tricks"] = [0] * (len(asked.takers) if asked else len(facts["bids"]))
        return facts, faults
    facts["tricks"] = [_tricks(index, name, word, data, faults) for index, name in sorted(takers.items())]
    if FIRST_SIX in facts["bids"]:
        if (answer := data.get("first_six")) in ("yes", "no"):
            facts["first_six"] = answer == "yes"
        else:
            faults.append(Fault("first_six", "First six bid: were all six won?"))
    return facts, faults


def _beside(asked: Asked | None, data: Mapping[str, str]) -> dict[str, Any]:
    """What scores nothing and may be written all the same: trumps, and a first round of bidding with its dealer."""
    said: dict[str, Any] = {}
    if trump := data.get("trump", "").strip():
        said["trump"] = trump[:20]
    calls = [data.get(f"auction-{turn.place.index}", "").strip() for turn in asked.auction] if asked else []
    if asked and any(calls):
        said |= {"auction": [call[:30] or NO_BID for call in calls], "dealer": asked.dealer.index}
    return said


def _thrown_in(bids: list[str], data: Mapping[str, str]) -> bool:
    """Everybody passed and nobody wrote tricks down: the rules say what that comes to."""
    return bool(bids) and set(bids) == {NO_BID} and not any(field.startswith("tricks-") for field in data)


def _posted(field: str, data: Mapping[str, str]) -> dict[int, str]:
    """The fields that were sent, where the sheet no longer asks for any."""
    return {index: f"seat {index + 1}" for index in range(MOST_SEATS) if f"{field}-{index}" in data}


def _bid(index: int, name: str, data: Mapping[str, str], faults: list[Fault]) -> str:
    text = data.get(f"bid-{index}", "").strip()
    if not text:
        faults.append(Fault(f"bid-{index}", f"What did {name} bid?"))
    return text[:30]


def _tricks(index: int, name: str, word: str, data: Mapping[str, str], faults: list[Fault]) -> int:
    text = data.get(f"tricks-{index}", "").strip()
    number = whole_number(text)
    if not text:
        faults.append(Fault(f"tricks-{index}", f"How many {word} did {name} take?"))
    elif number is None:
        faults.append(Fault(f"tricks-{index}", f"“{text[:20]}” is not a number: how many {word} did {name} take?"))
    return number if number is not None else 0

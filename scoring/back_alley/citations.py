"""Which clause the lines, problems and verdicts of a sheet cite. Every id stands in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping

PARTNER_RAISE = "ba.var.partner_double_board"
FIRST_SIX = "ba.var.first_six"
BLIND = "ba.var.blind"
RAINBOW4 = "ba.var.rainbow4"
PLAIN_RAINBOW = "ba.var.rainbow_plain"
REDEAL_DEMAND = "ba.var.redeal_demand"
TIGHT_REDEAL = "ba.high_two.redeal"
THROWN_IN = "ba.partnership.allpass"
SPADES = "ba.var.spades_trump"


def _book(contract: str, **clauses: str) -> Mapping[str, str]:
    everything = dict.fromkeys(("board", "one_card", "extra", "rainbow", "schedule", "thrown_in"), contract)
    return {"contract": contract, **everything, **clauses}


_PARTNERSHIP = {"schedule": "ba.partnership.schedule", "thrown_in": THROWN_IN, "rainbow": RAINBOW4}
_INDIVIDUAL = {"board": "ba.individual.board", "one_card": "ba.individual.one_card"}

CITES: Mapping[str, Mapping[str, str]] = {
    "partnership": _book("ba.partnership", **(_PARTNERSHIP | {"board": "ba.partnership.board"})),
    "all": _book("ba.partnership", **(_PARTNERSHIP | {"board": "ba.var.all"})),
    "high-two": _book("ba.high_two", board="ba.high_two.board", thrown_in=THROWN_IN),
    "individual": _book("ba.individual", **_INDIVIDUAL),
    "oh-hell": _book(
        "ba.individual",
        **_INDIVIDUAL,
        extra="ba.individual.18",
        rainbow="ba.individual.18",
        schedule="ba.individual.18",
    ),
    "korean": _book("ba.individual.26"),
    "wild": _book("ba.commercial"),
}

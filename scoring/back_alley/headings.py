"""What players call the clauses of Back Alley, for sheets and screens."""

from __future__ import annotations

from collections.abc import Mapping

HEADINGS: Mapping[str, str] = {
    "ba.partnership": "contract",
    "ba.partnership.board": "boards",
    "ba.partnership.allpass": "all pass",
    "ba.partnership.schedule": "the deals",
    "ba.var.25deals": "25 deals",
    "ba.var.partner_double_board": "partner’s double board",
    "ba.var.first_six": "first six tricks",
    "ba.var.rainbow4": "rainbow",
    "ba.var.rainbow8": "rainbow",
    "ba.var.rainbow12": "rainbow",
    "ba.var.rainbow_plain": "rainbow",
    "ba.var.blind": "blind bids",
    "ba.var.fixed_deal": "the same deal every time",
    "ba.var.spades_trump": "spades are trumps",
    "ba.var.reduced": "42 cards",
    "ba.var.redeal_demand": "redeal on demand",
    "ba.var.all": "all",
    "ba.high_two": "contract",
    "ba.high_two.board": "boards on one card",
    "ba.high_two.redeal": "hand without trumps",
    "ba.individual": "contract",
    "ba.individual.board": "board",
    "ba.individual.one_card": "one-card deals",
    "ba.individual.18": "18 deals",
    "ba.individual.26": "26 deals",
    "ba.commercial": "contract",
}

"""What players call the clauses of Okinawa, for sheets and screens."""

from __future__ import annotations

from collections.abc import Mapping

HEADINGS: Mapping[str, str] = {
    "ok.contract": "contract",
    "ok.okinawa": "Okinawa",
    "ok.var.okinawa_fail50": "failed Okinawa",
    "ok.schedule": "13 hands",
    "ok.throw_up": "throw-up",
    "ok.var.no_throw_up": "no throw-up",
    "ok.var.one_ten": "throw-up",
    "all-pass": "all pass",
}

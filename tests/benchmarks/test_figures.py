"""The figures: what counts as worse, and that no page is forgotten."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.urls import resolve

from tests.benchmarks.figures import Figures, bent, items_of, slower, unlisted, worse
from tests.tournament.test_access import ADDRESSES

# Addresses that one can look at and that no item opens.
LEFT_OUT = {
    "a step of signing in": {"sign-in", "sign-in-code", "second-factor", "password", "password-new"},
    "a page of a few words": {"password-forgotten", "password-sent", "order-gone", "trust", "manifest", "team-note"},
    "a file as it is stored": {"trust-certificate"},
    "a page for whoever has a private link": {"entry"},
    "leads to another page": {"sheet-code", "one-paper"},
    "comes after an act": {"event-imported", "money-reversal", "game-verification"},
    "a small paper": {"receipt-pdf"},
    "the desk's preview of a hand costs the same": {"tablet-preview"},
}


def test_every_page_is_measured_or_left_out_with_a_reason() -> None:
    paths = [item.path for kind in ("evening", "season") for item in items_of(kind) if item.path]
    known = dict.fromkeys(("final", "playing", "line", "person"), 1) | {"last": "evening"}
    opened = {str(resolve(urlsplit(path.format(**known)).path).url_name) for path in paths}
    looked_at = {name for name, (get, _post) in ADDRESSES.items() if get is not None}
    left_out = {name for names in LEFT_OUT.values() for name in names}
    assert (sorted(looked_at - opened - left_out), sorted(left_out & opened), sorted(left_out - looked_at)) == (
        [],
        [],
        [],
    )


BEFORE = {
    "page": {"24": Figures(10, 1000, 5.0, 2.0), "100": Figures(10, 4000, 20.0, 8.0)},
    "act": {"24": Figures(20, 500, 9.0, 3.0), "100": Figures(20, 500, 9.0, 3.0)},
}


def test_what_is_within_the_slack_is_not_worse() -> None:
    now = {
        "page": {"24": Figures(10, 1030, 9.0, 2.2), "100": Figures(9, 4100, 90.0, 9.0)},
        "act": {"24": Figures(20, 500, 99.0, 3.0), "100": Figures(20, 510, 99.0, 3.0)},
    }
    assert (slower(BEFORE, now), worse(BEFORE, now), unlisted(BEFORE, now)) == ([], [], [])


def test_what_grows_faster_than_the_evening_is_said() -> None:
    straight = {"24": Figures(10, 1000), "100": Figures(10, 4000), "500": Figures(10, 20_500)}
    square = {"24": Figures(10, 1000), "100": Figures(10, 4000), "500": Figures(10, 100_000)}
    assert bent({"page": straight, "small": {"24": Figures(1, 1)}}) == []
    assert bent({"page": square}) == ["page: 96,000 calls more at 500, in a straight line 15,789"]


def test_each_figure_that_is_worse_is_said() -> None:
    now = {
        "page": {"24": Figures(11, 1000, 6.0, 2.4), "100": Figures(10, 5000, 25.0, 10.0)},
        "other": {"24": Figures(1, 1)},
    }
    assert slower(BEFORE, now) == [
        "page, 24: 10 to 11 statements, 2.00 to 2.40 times the loop (6.0 ms)",
        "page, 100: 4,000 to 5,000 calls, 8.00 to 10.00 times the loop (25.0 ms)",
    ]
    assert worse(BEFORE, now) == [
        "page, 24: 11 statements, the file says 10",
        "page: the larger one takes 4,000 calls more than the smaller, the file says 3,000",
    ]
    assert unlisted(BEFORE, now) == [
        "other: the file does not have it; figures --write --only adds it",
        "act: the file has it, and nothing measures it",
    ]

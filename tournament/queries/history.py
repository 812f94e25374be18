"""The journal of an event: searched and filtered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

from django.db.models import Q, QuerySet

from tournament.access import Actor, may
from tournament.models import Event, Game, Journal

PER_PAGE = 50


# What the acts of each right are done to, where it is no game.
NOUNS = {
    "change-teams": ("team", "teams"),
    "check-in-desk": ("team",),
    "decide-entries": ("entry",),
    "draw": ("round", "team", "teams"),
    "pair-tablets": ("device", "table"),
    "pay": ("money", "team"),
    "run-playoffs": ("bracket", "event", "round"),
    "run-rounds": ("round",),
    "seat-round": ("round",),
    "set-up": ("event", "official", "options"),
    "answer": ("call",),
    "archive": ("event",),
}

# What only those read who handle the money: the acts with sums in them, a team marked as paid, and dues, which an
# earlier version noted at the person.
MONEY = Q(noun="money") | Q(action__in=["pay", "dues"])


def acts_of(event: Event, *, with_money: bool) -> QuerySet[Journal]:
    """The acts of an event, those of money for who handles it."""
    acts = Journal.objects.filter(event=event)
    return acts if with_money else acts.exclude(MONEY)


def actions_of(event: Event, *, with_money: bool) -> tuple[str, ...]:
    acts = acts_of(event, with_money=with_money)
    return tuple(sorted(acts.order_by().values_list("action", flat=True).distinct()))


def game_history(game: Game) -> list[Journal]:
    """Everything that was done to one game, the newest first."""
    acts = Journal.objects.filter(event=game.round.event_id, noun="game", key=str(game.pk))
    return list(acts.select_related("user", "device")[:PER_PAGE])


def last_act(event: Event, action: str, key: str, actor: Actor) -> Journal | None:
    """The last act on the one of this number, or without a number on what this right is about: who came first.

    What was done to another one is no change here.
    """
    acts = acts_of(event, with_money=may(actor, "pay", event)).filter(noun__in=NOUNS.get(action, ("game",)))
    acts = acts.exclude(action="print").select_related("event", "user", "device")
    return (acts.filter(key=key) if key else acts).first()


def acts_found(event: Event, text: str = "", action: str = "", *, with_money: bool = True) -> Sequence[Journal]:
    """The acts of an event with every one of these words in what they say, who did them and where, before or after."""
    acts = acts_of(event, with_money=with_money).select_related("user", "device")
    if action:
        acts = acts.filter(action=action[:30])
    words = [word.casefold() for word in text.replace("\0", "").split()[:8]]
    # Without words nothing is read yet: a page of the log reads its own acts.
    return [act for act in acts if _has(act, words)] if words else cast("Sequence[Journal]", acts)


def _has(act: Journal, words: Sequence[str]) -> bool:
    changed = json.dumps([act.was, act.became], ensure_ascii=False, default=str)
    text = "\n".join((act.text, act.who, act.address, changed)).casefold()
    return all(word in text for word in words)

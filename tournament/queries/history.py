"""The journal of an event: searched and filtered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

from django.db.models import Q, QuerySet

from tournament.access import Actor, may
from tournament.models import Event, Game, Journal
from tournament.queries.impact import NONE
from tournament.words.phrases import in_words

PER_PAGE = 50


# What an official decides about one entry, or about several at once.
ENTRIES = "decide-entries"
# The targets of the acts of each right, if that is not a game.
NOUNS = {
    "change-teams": ("team", "teams"),
    ENTRIES: ("entry", "entries"),
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

# Acts that only those who handle the money may read: acts with sums, a team marked as paid, and dues, which an earlier
# version recorded under the person.
MONEY = Q(noun="money") | Q(action__in=["pay", "dues"])


def acts_of(event: Event, *, with_money: bool) -> QuerySet[Journal]:
    """The acts of an event, and those about money if the actor handles money."""
    acts = Journal.objects.filter(event=event)
    return acts if with_money else acts.exclude(MONEY)


def actions_of(event: Event, *, with_money: bool) -> tuple[str, ...]:
    acts = acts_of(event, with_money=with_money)
    return tuple(sorted(acts.order_by().values_list("action", flat=True).distinct()))


def game_history(game: Game) -> list[Journal]:
    """Everything that was done to one game, newest first."""
    acts = Journal.objects.filter(event=game.round.event_id, noun="game", key=str(game.pk))
    return list(acts.select_related("user", "device")[:PER_PAGE])


def last_act(event: Event, action: str, key: str, actor: Actor) -> Journal | None:
    """The last act on the object of this right, or on the one with this number: what somebody did who came first.

    For an entry, only a decision about it, or about several with it, explains why it no longer waits.
    """
    acts = acts_of(event, with_money=may(actor, "pay", event)).filter(noun__in=NOUNS.get(action, ("game",)))
    acts = acts.exclude(action="print").select_related("event", "user", "device")
    if action == ENTRIES:
        return acts.filter(Q(noun="entries") | Q(key=key)).first()
    return (acts.filter(key=key).first() if key else None) or acts.first()


def what_changed(act: Journal) -> str:
    """The act in words; if something was changed, from what to what."""
    was, became = act.was, act.became
    if not isinstance(was, dict) or not isinstance(became, dict):
        return act.text
    names = [name for name in {**was, **became} if was.get(name) != became.get(name)]
    before, after = (in_words({name: state.get(name) for name in names}) for state in (was, became))
    return f"{act.text}: {before or NONE} → {after or NONE}" if before or after else act.text


def acts_found(event: Event, text: str = "", action: str = "", *, with_money: bool = True) -> Sequence[Journal]:
    """The acts of an event that contain each of these words: in the text, the place, the name, or the values."""
    acts = acts_of(event, with_money=with_money).select_related("user", "device")
    if action:
        acts = acts.filter(action=action[:30])
    words = [word.casefold() for word in text.replace("\0", "").split()[:8]]
    # Without search words nothing is read yet: a page of the log reads only its own acts.
    return [act for act in acts if _has(act, words)] if words else cast("Sequence[Journal]", acts)


def _has(act: Journal, words: Sequence[str]) -> bool:
    changed = json.dumps([act.was, act.became], ensure_ascii=False, default=str)
    text = "\n".join((act.text, act.who, act.address, changed)).casefold()
    return all(word in text for word in words)

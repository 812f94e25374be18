"""The content of an event file: the models whose rows belong to an event, in the order in which they are stored.

Every field of such a model is included unless `LEFT_OUT` gives a reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Field, ForeignKey, Model, Q, QuerySet

from tournament.models import (
    Bye,
    Call,
    Decision,
    Entry,
    Event,
    Game,
    Journal,
    Ledger,
    Notice,
    Placing,
    Player,
    Registration,
    Round,
    Side,
    Signature,
    Substitution,
    Team,
    Verification,
)
from tournament.models.team import DUES

# Why a field is not in the file.

ACCOUNT = "an account or a tablet of this site: the file has its name"
COUNTS_HERE = "counts the writes on this site"
OF_THIS_SITE = "belongs to this site"
DUES_STAY = "dues are the season's and stay at home"
NAMELESS = "a person of the club stays at home: the wish is in the row, and who it is is found again by the name"

LEFT_OUT: dict[type[Model], dict[str, str]] = {
    Event: {
        "slug": OF_THIS_SITE,
        "epoch": OF_THIS_SITE,
        "created_at": OF_THIS_SITE,
        "archived_at": OF_THIS_SITE,
        "version": COUNTS_HERE,
        "public_version": COUNTS_HERE,
        "wall_code": OF_THIS_SITE,
        "receipts_from": OF_THIS_SITE,
        "since_copy": OF_THIS_SITE,
        "season": "another site has other seasons: an imported event counts in none",
        "counts": "its weight in a season of this site",
        "word": "holds for minutes, in this hall",
        "word_until": "holds for minutes, in this hall",
    },
    Substitution: {"approved_by": ACCOUNT, "person": NAMELESS},
    Player: {"token_hash": "the private link leads to this site", "person": NAMELESS, "instead_of": NAMELESS},
    Game: {"version": COUNTS_HERE},
    Call: {"answered_by": ACCOUNT, "coming_by": ACCOUNT},
    Entry: {"client_key": OF_THIS_SITE, "entered_by": ACCOUNT, "device": ACCOUNT},
    Signature: {"witness": ACCOUNT, "device": ACCOUNT},
    Verification: {"by": ACCOUNT},
    Notice: {"seen_by": ACCOUNT, "seen_on": ACCOUNT},
    Decision: {"made_by": ACCOUNT},
    Placing: {"made_by": ACCOUNT},
    Ledger: {"key": OF_THIS_SITE, "made_by": ACCOUNT, "season": DUES_STAY, "member": DUES_STAY, "desk": DUES_STAY},
    Journal: {"user": ACCOUNT, "device": ACCOUNT},
}


@dataclass(frozen=True)
class Part:
    """The rows of one model. `ways` lead from the model to its event; a row may belong to it by any of them.

    `called` names a row in a sentence. `order` is the order in the file: rows are numbered by it, and other rows refer
    to them by that number. `people` are the accounts and tablets whose name is in `by`. `only` excludes rows.
    """

    model: type[Model]
    ways: tuple[str, ...]
    called: str
    order: tuple[str, ...] = ("pk",)
    people: tuple[str, ...] = ()
    only: Q | None = None

    @property
    def name(self) -> str:
        return self.model.__name__

    @property
    def fields(self) -> list[Field[Any, Any]]:
        """The fields that the file has, in the order of the model."""
        return columns_of(self.model)

    def rows_of(self, event: Event) -> QuerySet[Any]:
        """The rows of an event in their order."""
        every = self.model._base_manager.all()
        belongs = Q()
        for way in self.ways:
            belongs |= Q(pk__in=every.filter(**{way: event.pk}).values("pk"))
        return every.filter(belongs, self.only or Q()).order_by(*self.order)


PARTS = (
    Part(Event, ("pk",), "The event"),
    Part(Team, ("event",), "Team {number}"),
    Part(Registration, ("event",), "Entry {position}", order=("position",)),
    Part(Player, ("team__event", "entry__event"), "Player {row}"),
    Part(Substitution, ("team__event",), "{team}, substitute {row}", people=("approved_by",)),
    Part(Round, ("event",), "Game {number}", order=("number",)),
    Part(Bye, ("round__event",), "{round}, bye {row}"),
    Part(Game, ("round__event",), "{round}, table {table}"),
    Part(Side, ("game__round__event",), "{game}, side {index}"),
    Part(Call, ("game__round__event",), "{game}, call {row}"),
    Part(
        Entry,
        ("game__round__event",),
        "{game}, line {position}",
        order=("game_id", "position", "revision"),
        people=("entered_by", "device"),
    ),
    # An official who signs for a side is named; a tablet is not.
    Part(Signature, ("game__round__event",), "{game}, signature {row}", people=("witness",)),
    Part(Verification, ("game__round__event",), "{game}, second look {row}"),
    Part(Notice, ("game__round__event",), "{game}, notice {row}"),
    Part(Decision, ("event",), "Decision {number}", order=("number",), people=("made_by",)),
    Part(Placing, ("event",), "Placing {number}", order=("number",), people=("made_by",)),
    Part(Ledger, ("event",), "Receipt {number}", order=("number",), people=("made_by",), only=~Q(kind=DUES)),
    Part(Journal, ("event",), "Log, line {row}", people=("user", "device"), only=~Q(action="dues")),
)

# What the key of a log entry refers to, by its noun. Numbers mean the same everywhere; the keys of tablets, accounts,
# and persons are not exported.
KEYS_OF_ROWS: dict[str, type[Model]] = {"event": Event, "game": Game, "call": Call, "notice": Notice, "ruling": Entry}
KEYS_THAT_STAY = frozenset("bracket entry money round table team teams".split())


def columns_of(model: type[Model]) -> list[Field[Any, Any]]:
    """The fields of a model that are in a file."""
    left_out = LEFT_OUT.get(model, {})
    return [field for field in links_and_facts(model) if field.name not in left_out]


def links_and_facts(model: type[Model]) -> list[Field[Any, Any]]:
    """The fields of a model, of today or of an earlier migration, without its key and its link to the event.

    Every row of a file belongs to the one event in it.
    """
    return [field for field in model._meta.concrete_fields if not field.primary_key and not leads_to(field, "Event")]


def leads_to(field: Field[Any, Any], model: str) -> bool:
    """Whether a field is a link to a model, of today or of an earlier migration."""
    return isinstance(field, ForeignKey) and target_of(field) == model


def target_of(field: ForeignKey[Any, Any]) -> str:
    return field.remote_field.model.__name__

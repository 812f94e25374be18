"""What a thing of the event file consists of, declared once: from it things are read, written out, and described.

A thing is a dataclass. Each of its facts is annotated with how JSON has it; a fact without a default is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar, dataclass_transform, get_type_hints

from django.utils.dateparse import parse_date

from scoring.fields import Fields
from tournament.errors import Fault
from tournament.models.stored import author

# Before and after them a time cannot be shown in every time zone.
YEARS = range(1900, 2201)
LONGEST_TEXT = 500


class Record(Fields):
    """The fields of one object of the file; whatever is wrong with one becomes a fault that names its place."""

    def __init__(self, facts: Mapping[str, Any], where: str | None, faults: list[Fault]) -> None:
        super().__init__(facts)
        self.where = where
        self.faults = faults

    def refuse(self, field: str, text: str) -> None:
        super().refuse(field, text)
        self.faults.append(fault_in(self.where, field, text))


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A fact of any form. `key` is its name in the file and `source` that in the row, where they are not its own.

    No row has it where `source` is None. `missing` is the sentence where it is not there. What is as it would be
    without being told is left out of the file, unless it is `always` told.
    """

    key: str = ""
    source: str | None = ""
    missing: str = ""
    always: bool = False

    def read(self, record: Record, key: str) -> Any:
        return record.facts.get(key)

    def find(self, row: Any) -> Any:
        """What a row has of it; by way of another row where the source has a dot."""
        for name in (self.source or "").split("."):
            row = getattr(row, name, None)
        return row

    def write(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class Text(Fact):
    """A text, cut at its longest; one of its choices where it has any."""

    longest: int = LONGEST_TEXT
    choices: Collection[str] = ()

    def read(self, record: Record, key: str) -> Any:
        text = record.text(key)
        if text and self.choices and text not in self.choices:
            record.refuse(key, f"“{text}” is not known: {', '.join(self.choices)}.")
            return None
        return text[: self.longest] or None

    def schema(self) -> dict[str, Any]:
        return {"enum": ["", *self.choices]} if self.choices else {"type": "string", "maxLength": LONGEST_TEXT}


@dataclass(frozen=True)
class By(Text):
    """Who did it: in the words of an event file that the row came from, or by its account or tablet."""

    people: tuple[str, ...] = ()

    def find(self, row: Any) -> Any:
        return author(row.by, *(getattr(row, name) for name in self.people))


@dataclass(frozen=True)
class Whole(Fact):
    """A whole number within its limits."""

    low: int
    high: int
    sentence: str = "a whole number from {low} to {high:,} is needed."
    step: int = 1

    def read(self, record: Record, key: str) -> Any:
        value = record.facts.get(key)
        if value is None or (type(value) is int and value in range(self.low, self.high + 1, self.step)):
            return value
        wrong = f"“{key}” must be a whole number."
        text = self.sentence.format(value, low=self.low, high=self.high)
        record.refuse(key, text if type(value) is int else wrong)
        return None

    def schema(self) -> dict[str, Any]:
        if self.step > 1:
            return {"enum": list(range(self.low, self.high + 1, self.step))}
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Flag(Fact):
    def read(self, record: Record, key: str) -> Any:
        return record.flag(key)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class Numbers(Fact):
    def read(self, record: Record, key: str) -> Any:
        return list(record.numbers(key))

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "integer"}}


@dataclass(frozen=True)
class Texts(Fact):
    most: int = 0
    choices: Collection[str] = ()

    def read(self, record: Record, key: str) -> Any:
        texts = record.texts(key)
        if len(texts) > self.most:
            record.refuse(key, f"at most {self.most} {key} can be named.")
        if self.choices and not set(texts) <= {*self.choices}:
            record.refuse(key, f"each is one of {', '.join(self.choices)}.")
        return texts

    def schema(self) -> dict[str, Any]:
        items = {"enum": [*self.choices]} if self.choices else {"type": "string"}
        return {"type": "array", "items": items, "maxItems": self.most}


class Moment(Fact):
    """A time with its zone; without one it is read as UTC."""

    def read(self, record: Record, key: str) -> Any:
        text = record.text(key)
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            record.refuse(key, f"“{text}” is not a time like 2026-11-21T19:00:00+00:00.")
            return None
        if moment.year not in YEARS:
            record.refuse(key, f"“{text}” is not between the years {YEARS[0]} and {YEARS[-1]}.")
            return None
        return moment if moment.tzinfo else self.without_zone(record, key, moment)

    def without_zone(self, record: Record, key: str, moment: datetime) -> datetime | None:
        return moment.replace(tzinfo=UTC)

    def write(self, value: Any) -> Any:
        return value.isoformat() if value else None

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": LONGEST_TEXT}


class ZonedMoment(Moment):
    def without_zone(self, record: Record, key: str, moment: datetime) -> None:
        record.refuse(key, "a time with its zone is needed.")


class Day(Moment):
    def read(self, record: Record, key: str) -> Any:
        text = record.text(key)
        try:
            day = parse_date(text)
        except ValueError:
            day = None
        if text and day is None:
            record.refuse(key, f"“{text}” is not a date like 2026-11-21.")
        return day


@dataclass(frozen=True)
class Object(Fact):
    """An object of whatever keys."""

    sentence: str

    def read(self, record: Record, key: str) -> Any:
        value = record.facts.get(key)
        if value is not None and not isinstance(value, Mapping):
            record.refuse(key, self.sentence)
            return None
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


class Thing:
    """A thing of the file. `needs` is the sentence where it lacks what it must have.

    `called` names its place by the value of `numbered`, or by its place in the list; what is not called anything is
    named with the field that it stands in, behind `each`.
    """

    # By the names that they have here, each with its key and source; what is so where nothing is told; their keys.
    forms: ClassVar[dict[str, Fact]]
    defaults: ClassVar[dict[str, Any]]
    keys: ClassVar[frozenset[str]]
    needs: ClassVar[str] = "an object is needed."
    called: ClassVar[str] = ""
    unnumbered: ClassVar[str] = ""
    numbered: ClassVar[str] = ""
    each: ClassVar[str] = ""
    # Where it stands in the file, and whether every fact of it can be read.
    located: str = ""
    sound: bool = True

    def fits(self) -> bool:
        """Whether its facts go together."""
        return True

    @classmethod
    def placed(cls, data: Any, index: int, within: str | None) -> str | None:
        """Where the thing stands in the words of a fault; None where the field that it stands in says it."""
        number = data.get(cls.numbered) if isinstance(data, Mapping) else None
        if type(number) is int:
            return cls.called.format(number, within=within) or None
        return (cls.unnumbered or cls.called).format(index, within=within) or None


Some = TypeVar("Some", bound=Thing)


@dataclass(frozen=True)
class One(Fact):
    """A thing of its own, at a place of its own."""

    thing: type[Thing]

    def read(self, record: Record, key: str) -> Any:
        data = record.facts.get(key)
        return None if data is None else read(self.thing, data, self.thing.called, record.faults)

    def schema(self) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.thing.__name__}"}


@dataclass(frozen=True)
class Many(One):
    """A list of things. `alone` is the field that may stand for the whole object.

    What is no list is refused by the `sentence`, or as one thing that lacks everything.
    """

    sentence: str = ""
    most: int = 0
    alone: str = ""

    def read(self, record: Record, key: str) -> Any:
        rows = record.facts.get(key)
        if rows is None:
            return None
        if not isinstance(rows, list):
            if self.sentence:
                record.refuse(key, self.sentence)
                return []
            rows = [None]
        if self.most and len(rows) > self.most:
            record.refuse(key, f"at most {self.most:,} {key} can be read; here are {len(rows):,}.")
            return []
        things = (self._thing(record, key, row, index) for index, row in enumerate(rows, start=1))
        return [thing for thing in things if thing is not None]

    def _thing(self, record: Record, key: str, row: Any, index: int) -> Any:
        if self.alone and not isinstance(row, Mapping):
            row = {self.alone: row}
        where = self.thing.placed(row, index, record.where)
        if where is not None:
            return read(self.thing, row, where, record.faults)
        faults: list[Fault] = []
        thing = read(self.thing, row, None, faults)
        for fault in faults:
            record.refuse(key, self.thing.each.format(index) + fault.text)
        return thing

    def find(self, row: Any) -> Any:
        return sorted(super().find(row).all(), key=lambda row: row.pk)

    def write(self, value: Any) -> Any:
        return [row if isinstance(row, dict) else written(self.thing, row) for row in value]

    def schema(self) -> dict[str, Any]:
        items = super().schema()
        if self.alone:
            items = {"anyOf": [items, self.thing.forms[self.alone].schema()]}
        return {"type": "array", "items": items} | ({"maxItems": self.most} if self.most else {})


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
def declared(thing: type[Some]) -> type[Some]:
    """Make a thing of a class: a dataclass whose annotated facts can be read and written."""
    thing = dataclass(kw_only=True)(thing)
    thing.forms = {
        name: replace(fact, key=fact.key or name, source=name if fact.source == "" else fact.source)
        for name, hint in get_type_hints(thing, include_extras=True).items()
        for fact in getattr(hint, "__metadata__", ())
    }
    thing.keys = frozenset(fact.key for fact in thing.forms.values())
    thing.defaults = {
        field_.name: field_.default if field_.default_factory is MISSING else field_.default_factory()
        for field_ in fields(thing)  # type: ignore[arg-type]
        if (field_.default, field_.default_factory) != (MISSING, MISSING)
    }
    return thing


def read(thing: type[Some], data: Any, where: str | None, faults: list[Fault]) -> Some | None:
    """Read a thing, with a fault for everything that is not as declared; None where it lacks what it needs.

    Of a thing that is not sound, the facts that cannot be read are as if nobody had told them.
    """
    if not isinstance(data, Mapping):
        faults.append(fault_in(where, "", thing.needs))
        return None
    record = Record(data, where, faults)
    record.only(thing.keys)
    values: dict[str, Any] = {}
    lacking = False
    for name, fact in thing.forms.items():
        value = fact.read(record, fact.key)
        if value is not None:
            values[name] = value
            continue
        lacking = lacking or name not in thing.defaults
        if fact.missing and fact.key not in {problem.field for problem in record.problems}:
            record.refuse(fact.key, fact.missing)
    created = None if lacking else thing(**values)
    if not record.problems and (created is None or not created.fits()):
        record.refuse("", thing.needs)
    if created is not None:
        created.located = where or ""
        created.sound = not record.problems
    return created


def fault_in(where: str | None, field: str, text: str) -> Fault:
    """A fault of a field; of the whole thing without one; without a place only what is wrong."""
    if where is None:
        return Fault(field, text)
    named = ", ".join(filter(None, (where, f"field {field}" if field else "")))
    return Fault(field, f"{named[:1].upper()}{named[1:]}: {text}")


def written(thing: type[Thing], row: Any, **more: Any) -> dict[str, Any]:
    """What the file tells of a row; `more` takes the place of what the row has, and adds what no row has."""
    data = {}
    for name, fact in thing.forms.items():
        if name in more or fact.source is not None:
            value = fact.write(more[name] if name in more else fact.find(row))
            if fact.always or value not in (None, thing.defaults.get(name)):
                data[fact.key] = value
    return data


def row_of(thing: Thing, kind: type[Thing] | None = None) -> dict[str, Any]:
    """The facts as the row's fields: of the whole thing, or of a kind of thing that it is."""
    return {
        fact.source: getattr(thing, name)
        for name, fact in (kind or type(thing)).forms.items()
        if fact.source and "." not in fact.source and not isinstance(fact, One)
    }


def schema(thing: type[Thing]) -> dict[str, Any]:
    """The JSON Schema of a file that is one thing."""
    things: dict[str, dict[str, Any]] = {}
    _describe(thing, things)
    whole = things.pop(thing.__name__)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "$defs": things}


def _describe(thing: type[Thing], things: dict[str, dict[str, Any]]) -> None:
    if thing.__name__ in things:
        return
    facts = thing.forms
    needed = [fact.key for name, fact in facts.items() if fact.missing or name not in thing.defaults]
    properties = {fact.key: {"anyOf": [fact.schema(), {"type": "null"}]} for fact in facts.values()}
    properties |= {fact.key: fact.schema() for fact in facts.values() if fact.key in needed}
    things[thing.__name__] = {
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
    }
    for fact in facts.values():
        if isinstance(fact, One):
            _describe(fact.thing, things)

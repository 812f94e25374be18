"""What is typed or posted: fields for names, money in whole cents, and options; and showing a service's refusals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scoring.options import Option
from tournament.errors import DomainError
from tournament.words.phrases import minus
from tournament.words.texts import Refused, clean_name

MOST_CENTS = 10_000_00

# A field's messages in place of Django's: by kind of field, and by fault.
PLAIN_WORDS = (
    (forms.Field, "required", "Please fill this in."),
    (forms.DateField, "invalid", "Please enter a date."),
    (forms.TimeField, "invalid", "Please enter a time, such as 11:00 p.m."),
    (forms.IntegerField, "invalid", "A whole number is needed."),
    (forms.ChoiceField, "invalid_choice", "Please choose from the list."),
    (forms.MultipleChoiceField, "invalid_choice", "Please choose from the list."),
)
LIMITS_IN_WORDS = {"min_value": "At least %(limit_value)s.", "max_value": "At most %(limit_value)s."}


class PlainWords:
    """A form whose fields say in plain words what is wrong, unless they have their own words."""

    fields: dict[str, forms.Field]

    def full_clean(self) -> None:
        """Give the fields their messages just before validation, when every form has added its last field."""
        for field in self.fields.values():
            speak_plainly(field)
        super().full_clean()  # type: ignore[misc]  # every form has it


class PlainForm(PlainWords, forms.Form):
    """The base of every form of the site."""


def speak_plainly(field: forms.Field) -> None:
    """Replace the words that Django gave this field."""
    for kind, fault, words in PLAIN_WORDS:
        # A field that has no words of its own has Django's very object. Comparing texts would translate each of them.
        if field.error_messages.get(fault) is kind.default_error_messages[fault]:
            field.error_messages[fault] = words
    field.error_messages = {**LIMITS_IN_WORDS, **field.error_messages}
    if isinstance(field, forms.MultiValueField):
        for part in field.fields:
            speak_plainly(part)


def choice_field(form: forms.BaseForm, name: str) -> forms.ChoiceField:
    """A field whose choices are known only when its form is created."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    return field


def offered(field: forms.ChoiceField) -> list[tuple[Any, Any]]:
    """What a field offers: (value, words), or (heading, such pairs)."""
    # A form assigns choices as a list or generates them on demand; the stub knows what may be assigned.
    choices: Any = field.choices
    return list(choices)


def plain(text: str) -> str:
    """The typed text, with wide digits and a long minus as some keyboards send them."""
    return unicodedata.normalize("NFKC", text).replace("−", "-").strip()


def whole_number(text: str, low: int = -999_999, high: int = 999_999) -> int | None:
    """A whole number between two others, as it is typed, with or without a sign; None for anything else."""
    text = plain(text)
    number = int(text) if re.fullmatch(r"[-+]?[0-9]{1,6}", text) else high + 1
    return number if low <= number <= high else None


class NameField(forms.CharField):
    """A clean name; refused with a sentence if it could deceive.

    `free` are texts that name no player and no team. Names that are `known` were there before, and may stay.
    """

    def __init__(self, *, longest: int = 40, free: bool = False, **settings: Any) -> None:
        self.longest, self.free, self.known = longest, free, frozenset[str]()
        super().__init__(**settings)
        self.widget.attrs.setdefault("maxlength", longest * 2)

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        if not text:
            return ""
        try:
            return clean_name(text, longest=self.longest, free=self.free or text in self.known)
        except Refused as refusal:
            raise ValidationError(str(refusal)) from refusal


def keep_known(form: forms.BaseForm, names: Iterable[str]) -> None:
    """Let existing names stay as they are: those of deleted players, and those from before today's rules."""
    known = frozenset(names)
    for field in form.fields.values():
        if isinstance(field, NameField):
            field.known = known


class MoneyField(forms.CharField):
    """An amount as it is spoken, “10”, “12.50” or “$12,50”, in whole cents. Empty is zero, and zero empty."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(required=False, **settings)
        self.widget.attrs.update({"inputmode": "decimal", "autocomplete": "off"})

    def prepare_value(self, value: Any) -> Any:
        if value == 0:
            return ""
        if isinstance(value, int):
            return f"{value // 100}" + (f".{value % 100:02d}" if value % 100 else "")
        return value

    def clean(self, value: Any) -> int:
        text = super().clean(value).strip().lstrip("$€£").strip()
        if not text:
            return 0
        if not (match := re.fullmatch(r"(\d{1,6})(?:[.,](\d{1,2}))?", text, re.ASCII)):
            raise ValidationError("An amount is needed, like 10 or 12.50.")
        cents = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
        if cents > MOST_CENTS:
            raise ValidationError(f"At most {MOST_CENTS // 100:,} can be charged.")
        return cents


class OrderField(forms.MultiValueField):
    """What counts first, second, third: lists one after another, each item once."""

    def __init__(self, choices: Mapping[str, str], **settings: Any) -> None:
        offered = [("", "–"), *choices.items()]
        fields = [forms.ChoiceField(choices=offered, required=False) for _ in choices]
        super().__init__(fields, widget=OrderWidget(offered, len(choices)), require_all_fields=False, **settings)

    def compress(self, values: list[str]) -> list[str]:
        return [value for value in values if value]


class OrderWidget(forms.MultiWidget):
    """A select for each place of the order."""

    template_name = "components/order.html"

    def __init__(self, choices: list[tuple[str, str]], places: int) -> None:
        super().__init__([forms.Select(choices=choices) for _ in range(places)])

    def decompress(self, value: Any) -> list[str]:
        chosen = list(value or ())
        return chosen + [""] * (len(self.widgets) - len(chosen))

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        for position, widget in enumerate(context["widget"]["subwidgets"], start=1):
            widget["attrs"]["aria-label"] = f"Place {position}"
        return context


def option_field(option: Option) -> forms.Field:
    """The form field of an option, with its title, words, limits, and what the printed sheet says."""
    if option.type == "list":
        if option.in_order:
            return OrderField(option.choices, label=option.title, required=True)
        boxes = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=list(option.choices.items()), label=option.title, widget=boxes)
    if option.type == "number":
        return _number_field(option)
    return forms.ChoiceField(choices=list(option.choices.items()), label=option.title)


def stage_field(option: Option, title: str) -> forms.Field:
    """The form field of an option's value in a stage; unchanged, it is the same as before."""
    field: Any = forms.CharField() if option.type == "number" else option_field(option)
    if option.type in ("choice", "yes-no"):
        field.choices = [("", "the same"), *option.choices.items()]
    if option.type == "number":
        field.help_text = "".join(f"“none”: {words.replace(': ', '; ')}." for words in option.choices.values())
    field.label, field.required = title, False
    field.widget.attrs |= {"aria-label": f"{title}: {option.title.rstrip(':')}", "placeholder": "the same"}
    return field  # type: ignore[no-any-return]


def option_initial(option: Option) -> Any:
    """The present value of an option as its field shows it."""
    if option.type == "yes-no":
        return "yes" if option.value else "no"
    return list(option.value) if option.type == "list" else option.value


def option_value(option: Option, cleaned: Any) -> Any:
    """The value of a field, in the form a rule sheet accepts."""
    return cleaned == "yes" if option.type == "yes-no" else cleaned


def _number_field(option: Option) -> forms.IntegerField:
    none = option.choices.get("none", "")
    empty = f"If left empty: {none.replace(': ', '; ')}." if none else ""
    text = f"{_limits(option)} {empty}".strip()
    field = forms.IntegerField(label=option.title, required=not none, help_text=text)
    field.widget.attrs.update({"min": option.low, "max": option.high, "placeholder": "none" if none else ""})
    return field


def _limits(option: Option) -> str:
    """The unit and its range: “Points, 0 to 100.”; text in parentheses comes after the figures."""
    unit, _, aside = option.unit.partition("(")
    unit = unit.strip() or ("" if aside else "number")
    unit = f"that many {unit}" if unit.startswith("or ") else unit
    bounded = option.low is not None and option.high is not None
    figures = f"{minus(option.low)} to {minus(option.high)}" if bounded else ""
    words = ", ".join(part for part in (unit[:1].upper() + unit[1:], figures) if part)
    return f"{words} ({aside}." if aside else f"{words}."


def show_faults(form: forms.Form, refusal: DomainError) -> int:
    """Put the faults into the form. Returns the status to answer with."""
    for fault in refusal.faults:
        name = fault.field.removeprefix("options.")
        form.add_error(name if name in form.fields else None, fault.text)
    return refusal.status

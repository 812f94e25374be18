"""manage.py schema: what an event file may hold, as JSON Schema."""

from tournament.archive.declared import schema
from tournament.archive.things import EventFile
from tournament.management.commands.sheets import Command as Printing


class Command(Printing):
    help = "Print the JSON Schema of event files (draft 2020-12)."

    def content(self) -> object:
        return schema(EventFile)

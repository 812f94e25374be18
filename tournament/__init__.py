"""The site: teams, rounds, hands at the tables, standings and playoffs of a card tournament."""

# The version of the program, stated only here: `pyproject.toml`, pages, files, and commands read it.
__version__ = "1.1.0"
PROGRAM = f"Uptown {__version__}"

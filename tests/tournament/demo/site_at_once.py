"""The settings of a demo whose player does not wait between two hands."""

from tournament.settings import *  # noqa: F403

ROOT_URLCONF = "tests.tournament.demo.urls_at_once"

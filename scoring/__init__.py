"""Scoring: facts of a game in, explained points out. This package imports the standard library only."""

"""The demo: a home page with open doors, the hall in one window, tables that play by themselves.

A room above the site: a club's site never loads it. What it adds to the settings stands in `parts`.
"""

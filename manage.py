#!/usr/bin/env python
"""The command line of Uptown where it is not installed: `python manage.py help` lists the commands."""

from tournament.cli import main

if __name__ == "__main__":
    main()

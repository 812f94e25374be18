"""The installation: by its name a tablet tells this site from another one in the same hall."""

from __future__ import annotations

from django.db import models


class Installation(models.Model):
    """One row, so that the name travels with every backup: what tablets keep belongs to the site, not to a laptop."""

    name = models.CharField(max_length=16)

    def __str__(self) -> str:
        return self.name

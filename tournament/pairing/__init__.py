"""Who meets whom: plain data and a seed in, draws out. Nothing here knows Django, a database or a score."""

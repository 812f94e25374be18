"""Serving a hall: its certificates and the trust in them, the server beside what runs with it, backups by the clock."""

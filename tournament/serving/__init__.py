"""Serving a hall: certificates and trust, the server and what runs with it, backups by the clock."""

"""What an event file says, written into the database."""

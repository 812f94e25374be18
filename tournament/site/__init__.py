"""What the program stands on: its database, data folder and network, what is shared, counted and kept in memory."""

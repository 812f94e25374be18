"""What the program is built on: database, data folder, and network, and what is shared, counted, and cached."""

"""How a problem is opened, played, read and written."""

"""What an answer earns."""

"""What agents and helper models read and write."""

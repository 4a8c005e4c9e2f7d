"""What agents read and write."""

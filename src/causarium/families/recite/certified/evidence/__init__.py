"""What passages say in figures: marks, the table that they make, and the key derived from it."""

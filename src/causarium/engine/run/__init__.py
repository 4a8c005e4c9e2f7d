"""A run: its options, its folder, its cost, its progress."""

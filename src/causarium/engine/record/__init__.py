"""What an episode leaves in a log."""

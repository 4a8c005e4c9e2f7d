"""What many rows of this family show together."""

"""What a text determines."""

"""What can be seen in a text without its truth."""

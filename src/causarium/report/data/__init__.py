"""What a report says, computed from rows."""

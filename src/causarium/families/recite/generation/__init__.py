"""Drawing documents."""

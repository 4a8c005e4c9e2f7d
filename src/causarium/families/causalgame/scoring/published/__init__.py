"""What a session of a published game earns."""

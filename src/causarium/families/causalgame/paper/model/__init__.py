"""What a session is: the game, the instance, and what can be done."""

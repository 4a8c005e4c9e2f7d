"""How a case is played: its words, the replies to them, and the world that answers."""

"""How a table is played: its words, the replies to them, and the world that answers."""

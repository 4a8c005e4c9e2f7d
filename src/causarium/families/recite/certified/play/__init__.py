"""How a text is played: its words, the replies to them, and the world that takes the answer."""

"""How the world works. Knows no agent."""

"""The games: what each one is, and how drones fly in it. Nothing here knows an agent."""

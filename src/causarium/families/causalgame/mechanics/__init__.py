"""How drones fly, by edition. Nothing here knows an agent."""

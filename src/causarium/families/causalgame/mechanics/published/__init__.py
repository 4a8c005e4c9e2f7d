"""How drones of the published games fly."""

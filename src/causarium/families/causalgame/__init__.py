"""CausalGame: design drones under selection bias, noise and hidden causes."""

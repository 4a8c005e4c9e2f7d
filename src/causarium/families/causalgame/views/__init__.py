"""The board on which people play CausalGame in the browser."""

"""The board on which people play CausalLink in the browser."""

"""The board on which people play ReplaySCM in the browser."""

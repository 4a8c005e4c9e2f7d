"""The board on which people play CausaLab in the browser."""

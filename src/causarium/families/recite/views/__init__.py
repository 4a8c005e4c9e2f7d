"""The board on which people play ReCITE in the browser."""

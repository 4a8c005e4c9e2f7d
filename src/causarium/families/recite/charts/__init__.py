"""How this family's SVG is made."""

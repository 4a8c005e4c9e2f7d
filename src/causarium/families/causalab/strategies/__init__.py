"""How this family's players think."""

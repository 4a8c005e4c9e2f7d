"""Data and declarations: what sessions are made of, and what may be done in them."""

"""Players that need no family's rules, and the direct runner that plays without Inspect."""

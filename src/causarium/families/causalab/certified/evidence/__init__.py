"""What experiments leave open: crystals that fit, crystals that are alike, and right answers."""

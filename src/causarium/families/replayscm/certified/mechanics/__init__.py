"""What a system does, which systems fit what was shown, and which questions settle the rest."""

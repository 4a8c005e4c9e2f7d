"""The bench: the certified edition of CausaLab."""

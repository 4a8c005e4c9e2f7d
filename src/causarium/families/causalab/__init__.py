"""CausaLab: find out what acts on what in a crystal by experiment, and say what it does next."""

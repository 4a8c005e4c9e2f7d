"""CausaLab in the world and the words of its release."""

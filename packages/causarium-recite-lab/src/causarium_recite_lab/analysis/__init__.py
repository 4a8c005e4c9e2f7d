"""What rows of ReCITE say together, and how far they can be trusted."""

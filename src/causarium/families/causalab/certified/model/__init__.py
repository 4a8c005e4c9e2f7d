"""What an instance of CausaLab is, and what can be done in it."""

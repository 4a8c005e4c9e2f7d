"""Data and declarations of ReCITE."""

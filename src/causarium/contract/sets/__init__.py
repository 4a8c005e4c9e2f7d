"""Sets of instances and files of answers."""

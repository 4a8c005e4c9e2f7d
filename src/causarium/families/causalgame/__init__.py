"""CausalGame: decide what a fleet of drones carries, from books that numbers alone misread.

Both editions are values of their own: `certified` and `paper`.
"""

"""CausalLink: does one object make another move? Choose the trials that tell.

Each edition is a value of its own, in `certified` and in `paper`.
"""

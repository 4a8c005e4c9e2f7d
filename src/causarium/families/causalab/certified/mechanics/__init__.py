"""What a crystal does when properties are held, and which crystals fit what was seen."""

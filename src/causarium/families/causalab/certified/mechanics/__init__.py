"""What a crystal does when properties are held."""

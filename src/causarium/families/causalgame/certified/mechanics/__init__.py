"""What a leg's causes do: diagrams, the laws that they make, and effects read off a law."""

"""What the site has that nobody types: tables of cards, pictures of instances, taken-in pages."""

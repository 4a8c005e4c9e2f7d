"""What is proved of an instance, and what must break a proof."""

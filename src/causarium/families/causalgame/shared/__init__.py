"""What both editions of CausalGame use."""

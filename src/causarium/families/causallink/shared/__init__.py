"""What both editions of CausalLink use."""

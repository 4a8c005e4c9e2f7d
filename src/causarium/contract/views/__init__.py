"""What people see of an episode."""

"""The verdict on a session: the fleet, the claims, the rubric."""

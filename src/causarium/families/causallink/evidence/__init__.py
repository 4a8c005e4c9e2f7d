"""What observations determine: proofs, searches, version spaces, and what a log is worth."""

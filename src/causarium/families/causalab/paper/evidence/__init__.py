"""What observations determine: proofs, searches, version spaces."""

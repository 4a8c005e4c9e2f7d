"""Files of the published release."""

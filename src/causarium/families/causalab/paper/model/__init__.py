"""What there is before anything is drawn: data, declarations and the laws they obey."""

"""What a case is: what is shown, what is secret, what can be done."""

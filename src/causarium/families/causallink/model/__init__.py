"""What a case is: its configuration, what is shown, what is secret, what can be done."""

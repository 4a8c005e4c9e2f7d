"""What only those need who make ReCITE datasets or look into their scores."""

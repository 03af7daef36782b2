"""A strategy made by hand in a browser: every change evaluated at once, tried, compared, undone, written as a file."""

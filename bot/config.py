"""What an operator may set, and how it is read."""

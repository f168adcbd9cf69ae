"""When a digest is due, and when arXiv announces.  Pure."""

"""Which topics a paper belongs to, and why.  Pure."""

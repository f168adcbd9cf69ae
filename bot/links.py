"""Signed links that let a reader act from a mail without logging in.  Pure."""

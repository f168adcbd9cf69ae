"""Whether a topic is heating up: counts to windows, change and share.  Pure."""

"""The verbs.  Every door and every timer calls these and nothing deeper."""

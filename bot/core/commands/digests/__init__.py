"""When and where digests come: schedules, mail, and the destinations of both."""

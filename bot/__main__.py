"""python -m bot is paperround."""

"""The web door: topic pages, personal pages, feeds, health."""

"""The wiring and the clockwork: the only place that knows every concrete class."""

"""Momentum as a picture: PNG, SVG, table bars, sparkline.  Pure."""

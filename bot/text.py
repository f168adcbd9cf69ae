"""LaTeX to Unicode, names, cutting at words, escaping for each medium.  Pure."""

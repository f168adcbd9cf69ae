"""Text made comparable: stems, folded text, and the terms that are looked for in it."""

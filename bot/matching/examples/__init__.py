"""What papers have in common, as bags of words.

learning     the words that a topic learns
words        what example papers share, as printed; concepts, what they are about
likeness     names that share telling words with a text
"""

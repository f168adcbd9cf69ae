"""What the words of a request mean: a topic, an author, a category, a conversation, a time.

doubting and suggesting ask back where they can hardly be meant.
"""

"""Sentences that are no request of ours, and what each is answered.

wishes          fewer papers, more, or some for somebody else: several of our requests serve that
about_papers    papers that are named, or only judged
meaning         what means one request of ours, or is often asked: by example, in sayings.toml
did_you_mean    what is left: a verb misspelt, a topic's name, a question
"""

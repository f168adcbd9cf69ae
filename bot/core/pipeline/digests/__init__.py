"""From matches to digests in the outbox.

prepare       for every destination that is due: deciding, composing, then queued
notes         what a digest says besides its papers
example       what one would look like, before there is any news
"""

"""What the words of a request mean: a topic, an author, a category, a conversation, a time.

vocabulary      the words that patterns are made of
readings        the one shape of what answers instead of a verb: the first reading that fits does
subject         whose settings: the speaker's, or a conversation's
lookup          which topic; authors and categories, which of those; several, more than one
clauses         what trails behind a topic; exclusions, what a follow leaves out
mutes           what is muted until when; cadences, when digests come; ordinals, places in a list
sentences       what is no request of ours, and what it is answered
asked_back      what is asked before a follow whose words were hardly meant as a topic
"""

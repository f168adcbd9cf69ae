"""When and where digests come.

schedules     when; at_once, now; turning, no more, and again
mail          by mail; moving, from one address to another
confirming    the yes of whoever reads an address; sign_ups, how often it is asked for
destinations  where the subject of a request is reached; wording, how that stands in words
muted         what is silent now, and until when
"""

"""From the outbox to readers.

claiming      the next that may be sent
deliver       sends it and writes down; refusing says what a refusal means
letters       short mails that are no digests
queueing      what an operator does by hand, with verdicts on what is being sent just then
"""

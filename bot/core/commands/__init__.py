"""What people ask for: words in, one verb, a reply out.

verbs, people, kept                          what is typed or pressed; links; what is kept
following, silencing, schedules, mail …      what is asked for, a module a subject
subject, clauses, meaning, authors …         what the words mean, and for whom
destinations, entries                        where the subject is reached; papers as they are shown
errand                                       one request being carried out
"""

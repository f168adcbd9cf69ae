"""What people ask for: words in, one verb, a reply out.

verbs, people                                 words typed or pressed; links and strangers
following, editing, silencing, unmuting …     what they ask for, a module a subject
clauses, meaning, authors, categories …       what their words mean
errand                                        one request being carried out
"""

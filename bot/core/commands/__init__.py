"""What people ask for: words in, one verb, a reply out.

executing                   what is typed or pressed is read, carried out and answered
requests                    the verb of each request in a text, and what it is about
verbs                       the words that requests begin with, and what each does
answering                   words that only answer what was offered last: "yes", "2", "undo"
links                       what a signed link stands for, and how somebody joins by mail
asking                      questions to the papers of a topic, or to one
looking                     questions that change nothing
topics, digests, papers     what is asked for, a package a subject
words                       what the words mean: which topic, which author, until when
errand                      one request being carried out
personal_data               what is stored about someone: exported, or erased
"""

"""What is asked back before a follow whose words were hardly meant as a topic.

follow_checks   the order in which a text is tried: against papers, categories, and all below
no_topic        a place, a person, a web address; unavailable, what arXiv does not say of papers
people          authors, alone and beside other words; slips, words misspelt
bringing        whether a text brings papers as it stands, which speaks for a topic
"""

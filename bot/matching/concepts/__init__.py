"""What the fields call things.

thesaurus    concepts with their names, and the words in their company; with english and phrasing
facets       one thing that papers have in common, in all its spellings; compounds take words apart
commonness   how many papers hold a term
"""

"""The topic language.

grammar      from tokens to a tree, or a complaint
condition    what a paper has to meet; outside, what of that no text says
categories   arXiv's, and which of them somebody meant
"""

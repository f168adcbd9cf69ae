"""Answers to questions about papers: the contract."""

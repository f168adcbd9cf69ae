"""From a source into the store, and from stored papers to the topics that they match.

ingest        reads a source; news, which papers are news
unmatched     papers and topics that made trouble; rematching reads the past anew
catalogue     the topics that the files list; learning adds the words of followed ones
enrich        what a paper's own page adds
"""

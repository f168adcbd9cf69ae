"""`paperround doctor`: everything that could be wrong, looked at and not changed.

examination   runs every check; machine, ownership, postal and outside hold their own
findings      what a check says
"""

"""`paperround doctor`: everything that could be wrong, looked at and not changed.

examination   runs every check; machine, ownership and outside hold those of their own
findings      what a check says
"""

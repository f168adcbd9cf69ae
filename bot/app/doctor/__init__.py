"""`paperround doctor`: everything that could be wrong, looked at and not changed.

examination   runs every check; machine, ownership, postal and outside hold their own;
              in_slack, what outside asks of Slack
findings      what a check says
"""

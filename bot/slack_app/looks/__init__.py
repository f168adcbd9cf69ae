"""How things look in Slack.  Pure.

messages    a reply as a message; settings, a line for each wish
home        App Home; modals, windows
"""

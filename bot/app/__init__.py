"""The wiring and the service: the only place that knows every concrete class.

wiring        builds the house out of the configuration; reaching, what reaches outside; in_slack,
              the same of Slack; answering, who answers questions
service       the running service: doors and clockwork
doctor        everything that could be wrong, looked at
backups       made, checked and put back; rotation makes one a day and removes old ones
coverage      which categories are asked of arXiv; polling, what of them is the past
persons       people forgotten wholly, also in the mail folder
knowledge     a mark of the packaged files, that changes when they do
link_key      the secret that signs links
locks         one service a data folder
metrics       what Prometheus reads
journal       the log
"""

"""The running service: doors and clockwork in one loop.

serve         opens the doors, and starts the clockwork
clockwork     ticks: looks whether something is due, and starts it
looks         when which source is to be read
alerts        tells the operator of what has been wrong for long
vitals        what /healthz, /readyz and /metrics ask; pulse says whether the clockwork beats
supervisor    speaks to systemd; line watches the connection to Slack
ballast       room on the disk for the day it is full; writing, whether it takes a byte
setback       mends what a wrong clock wrote
listening     the port of the pages; background, long work beside the loop
"""

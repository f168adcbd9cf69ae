"""Paperround follows research topics for people.

A paper moves one way through the package::

    sources -> store -> matching -> digest -> channels

``core`` moves it: ``core.pipeline`` is what time does, ``core.commands`` what
people ask for.  ``slack_app``, ``web`` and ``cli`` are doors into ``core``.
``app`` wires everything together and is the only place that knows every
concrete class.  An upper floor may import a lower one, never the reverse:

    10  __main__
     9  cli
     8  app
     7  slack_app | web
     6  core
     5  sources | store | channels | answers
     4  block_kit | slack_client
     3  digest
     2  matching | momentum | charts | timetable
     1  text | links | config | addresses
     0  model
"""

__version__ = "0.1.0"

"""What people ask of topics: to follow, edit, find by example, mute and unmute them.

wish         what a follow asks for, as its words say it
following    with outlook and remarks: what it would have brought, and what to say of it
showing      a topic, and all of them; card, how one is shown; ranking, in which order many are
"""

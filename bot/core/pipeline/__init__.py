"""What time does: a paper comes in, goes into digests, and is sent.

ingest ─▶ prepare ─▶ deliver

papers        ingest, with all that is known of papers and topics before anybody is told
digests       prepare: what a digest says
deliveries    deliver: what becomes of a digest on its way
standing      how all of it stands, with silence and line; after a fault, recovering and setback
"""

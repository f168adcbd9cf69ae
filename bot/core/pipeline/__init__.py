"""What time does: a paper comes in, goes into digests, and is sent.

ingest ─▶ prepare ─▶ deliver

ingest     beginnings, enrich, learning, catalogue: what is known before anybody is told
prepare    deciding, composing, tidings, stillness, recovering, example: what a digest says
deliver    letters, refusing, verdicts, queueing: what becomes of it on its way
standing   how all of it stands; setback: a clock that was ahead
"""

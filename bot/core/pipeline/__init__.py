"""What time does: a paper comes in, goes into digests, and is sent.

ingest ─▶ prepare ─▶ deliver

ingest      with beginnings, unmatched, rematching, learning, catalogue, enrich: what is known
            before anybody is told
prepare     with deciding, composing, tidings, example: what a digest says
deliver     with letters, refusing, verdicts, queueing: what becomes of it on its way
standing    how all of it stands, with stillness; after a fault, recovering and setback
"""

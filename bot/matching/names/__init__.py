"""A bare name understood.

framing      takes it out of an event or a list, wording out of shorthands, kinds apart from a kind
naming       reads it as facets; alternatives gives further readings
emphasis     what of a reading is asked for
derived      readings as a query, to be shown and edited
"""

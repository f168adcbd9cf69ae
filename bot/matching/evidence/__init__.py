"""Which terms a paper holds, by `seen`, and how surely it shows facets, by `scoring`."""

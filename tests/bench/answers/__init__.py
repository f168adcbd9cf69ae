"""Questions over real papers, judged by reading."""

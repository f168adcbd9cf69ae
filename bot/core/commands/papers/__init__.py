"""What people ask of papers: to keep them, to see them, and why one came."""

"""All that is remembered: the contract of the store."""

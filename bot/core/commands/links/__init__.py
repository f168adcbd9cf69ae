"""What a signed link stands for: asked, then done; and how somebody joins by mail."""

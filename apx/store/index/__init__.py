"""memory.db: what recall is made of. Delete it and nothing is lost."""

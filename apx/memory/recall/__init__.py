"""Finding chunks among many: postings, vectors, evidence, ranking."""

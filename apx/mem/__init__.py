"""The curated store: typed memories as Markdown files in a git repository."""

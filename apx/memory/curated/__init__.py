"""How curated memories come into a prompt: found, fitted, not said twice."""

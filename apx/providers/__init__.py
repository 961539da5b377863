"""The rooms' way out to language models; each SDK is imported inside its adapter."""

"""What every chat platform needs alike: waiting, remembering, cutting, saying once."""

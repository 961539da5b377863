"""What of a text must survive exactly: ids, addresses, amounts, days, names."""

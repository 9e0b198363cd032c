"""A real server under more than a test suite has time for: killed, flooded, cut off, stormed."""

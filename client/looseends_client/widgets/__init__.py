"""What a screen is made of, one widget a file. A widget draws and posts what happened, and asks nobody."""

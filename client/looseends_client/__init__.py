"""What a person sees and presses, and the commands that put the parts together."""

"""Games that are over, as somebody looks back at them: found again, gone through, judged. Nothing here draws."""

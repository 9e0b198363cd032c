"""What travels between client and server: typed messages and framing, without I/O."""

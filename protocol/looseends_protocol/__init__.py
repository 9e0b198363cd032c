"""What travels between client and server: typed messages and frames, without a socket or a clock."""

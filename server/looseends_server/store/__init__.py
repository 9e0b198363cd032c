"""Where the server's facts outlive its process: one small interface, a store in SQLite, a store in memory.

What a fact means is for the tables that write it. Nothing here reads the clock, knows a rule of the game or logs:
results and exceptions say it all.
"""

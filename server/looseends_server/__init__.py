"""The server: who may do what, when, and what is kept. It draws nothing and never imports textual."""

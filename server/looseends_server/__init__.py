"""Who may do what, when, and what is kept: sessions, tables and the journal."""

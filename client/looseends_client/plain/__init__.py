"""The game as lines of text and one prompt: for a screen reader, a serial line, a pipe, a script, an editor's shell.

The same client, model and attendance as the screens; nothing here moves a cursor, colours, or draws a line again. No
screen and no widget may be imported, nor the library that draws them.
"""

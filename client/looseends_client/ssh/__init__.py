"""The SSH door: people come in over SSH, each with an app of their own in one process and one loop.

An app here is a client like any other: it talks to the server through the same `GameClient`, and nothing in this
package imports the server. What asyncssh and Textual need to live together in numbers is here and nowhere else.
"""

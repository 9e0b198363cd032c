"""The closed list of what a server refuses: a stable code for programs, one sentence for people.

Refusals of the game's own rules come from `looseends_core.decide` with codes `action/…` and a sentence of their
own. A code that is not in this list or there may not be sent.
"""

from __future__ import annotations

ERRORS: dict[str, str] = {
    # what arrived could not be read
    "frame/too_long": "The message is longer than this server allows.",
    "frame/unreadable": "The message is not one msgpack map within the limits of the protocol.",
    "frame/unknown": "This server does not know that kind of message.",
    "frame/invalid": "The message lacks a field or has a field of the wrong kind.",
    # hello
    "hello/first": "Say hello before anything else.",
    "hello/again": "This connection has said hello already.",
    "hello/version": "Client and server speak different versions of the protocol: upgrade the older one.",
    "hello/token": "This server does not know that token.",
    "hello/code": "This server does not know that code, or it has been used.",
    "hello/door": "Only a door of this server may say who comes through it.",
    "hello/password": "This server asks for a password.",
    "hello/insecure": "This server takes tokens only over TLS or from its own machine.",
    "hello/late": "The connection said nothing in time.",
    "name/invalid": "A name has 1 to 20 visible characters and does not begin with bot:, which marks a bot.",
    "name/taken": "That name belongs to somebody else on this server.",
    # this connection
    "session/taken_over": "You connected from somewhere else; that connection goes on.",
    "session/silent": "Nothing was heard from you for too long.",
    "session/too_fast": "Too many messages: wait a little.",
    "session/kicked": "The host of the server ended your connection.",
    "session/banned": "You may not use this server.",
    # the server
    "server/full": "The server is full: try again later.",
    "server/too_many": "Too many connections from your address: try again later.",
    "server/closing": "The server is shutting down; it will be back with every game as it was.",
    "server/cannot_save": "The server cannot save the game at the moment: the table waits until it can.",
    "server/fault": "Something went wrong on the server with that message; nothing was changed.",
    # tables
    "table/unknown": "There is no such table.",
    "table/not_here": "You are at no table.",
    "table/full": "Every seat of that table is taken.",
    "table/seat_taken": "That seat is taken.",
    "table/no_such_seat": "That table has no such seat.",
    "table/password": "That table asks for its password.",
    "table/tries": "Too many wrong tries: wait before the next.",
    "table/too_many": "You have as many open tables as this server allows.",
    "table/started": "The game has started already.",
    "table/not_started": "The game has not started yet.",
    "table/seats_open": "Every seat must be taken before the game can start.",
    "table/not_host": "Only the host of the table may do that.",
    "table/not_seated": "You have no seat at that table.",
    "table/rules": "Those rules are outside their limits.",
    "table/no_spectators": "That table admits no spectators.",
    "table/spectators_full": "That table has as many spectators as it admits.",
    "table/removed": "The host of the table took you off your seat.",
    "table/closed": "That table was closed.",
    "table/busy": "That table has too much to do at the moment: try again.",
    "table/frozen": "That table is set aside after a fault; nothing of it is lost.",
    "table/no_level": "This server has no bot of that level.",
    "table/nobody_there": "Nobody sits there.",
    # the game's flow
    "action/stale": "The table has moved on since you chose that.",
    "ready/not_asked": "Nobody is being asked to be ready.",
    "nonce/not_asked": "No nonce is being asked of you.",
    "record/none": "There is no finished round to show yet.",
    # finished games
    "game/unknown": "There is no such finished game, or it is not yours to see.",
    "game/not_yours": "You did not play in that game, or it was not your turn there.",
    "daily/played": "You have played the deal of today: the next one is there tomorrow.",
    "contest/closed": "How a contest went is shown to those who have finished a game of it.",
    "game/busy": "The finished games are being searched for you already: wait for that answer.",
    "game/unreadable": "The finished games cannot be read at the moment: try again later.",
    "replay/shown": "A finished game is shown at that table: nothing is played there.",
    "replay/none": "No replay is shown at this table.",
    # hints
    "hint/off": "This table gives no hints.",
    "hint/not_asked": "A hint is for your own turn.",
    "hint/running": "A hint for you is being thought of already.",
    "hint/none": "No hint could be thought of just now: try again.",
    # talk
    "chat/empty": "There is nothing in that line that can be shown.",
    "chat/too_fast": "Too many lines: wait a little.",
    "chat/muted": "The host of the server has muted you.",
    "chat/off": "Spectators may not talk at this table.",
}

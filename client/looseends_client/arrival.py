"""Coming to a server: the hello with whatever is kept of us there, and in words why it does not let us in.

No screen and no command is known here; both show what comes out.
"""

from __future__ import annotations

from looseends_client.game_client import GameClient, NotConnected, RequestRefused
from looseends_client.tls import ServerNotTrusted
from looseends_protocol.people_text import visible

FORGOTTEN = "This server does not know the token that was kept for you: it has forgotten you, or it is another server."


class NotLetIn(Exception):
    """The server cannot be reached or does not let us in; the message says why and what to do now.

    `code` and `said` are the server's own, `suggestion` a name that is free; each is empty where it said nothing.
    """

    def __init__(self, sentence: str, code: str = "", said: str = "", suggestion: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.said = said
        self.suggestion = suggestion


async def arrive(client: GameClient, server: str) -> str:
    """Connect, as somebody new where the server does not know us any more; return a sentence that says so, or nothing.

    Raises NotLetIn. `server` is what the server is called in sentences.
    """
    anew = ""
    try:
        try:
            await client.connect()
        except RequestRefused as error:
            if error.refusal.error != "hello/token":
                raise
            client.call_me(client.name)
            anew = FORGOTTEN
            await client.connect()
            return f"{anew} You begin anew as {visible(client.name)}."
    except RequestRefused as error:
        words = f"{anew} {error}".strip()
        raise NotLetIn(words, error.refusal.error, str(error), error.refusal.suggestion) from error
    except NotConnected as error:
        raise NotLetIn(
            f"{server} closed the connection, or said nothing, before it let us in. If the server uses TLS, join with "
            "the looseends:// address that it printed; else try again."
        ) from error
    except ServerNotTrusted as error:
        raise NotLetIn(str(error)) from error
    except OSError as error:
        reason = error.strerror or str(error) or type(error).__name__
        raise NotLetIn(f"No server answers at {server} ({visible(reason)}): is it running?") from error
    return ""

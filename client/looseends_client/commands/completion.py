"""`looseends completion`: the script that lets a shell complete the words of the command line."""

from __future__ import annotations

import sys
from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> int:
    """Print what completes `looseends` in a shell.

    bash: looseends completion bash > ~/.local/share/bash-completion/completions/looseends

    zsh: looseends completion zsh > ~/.zfunc/_looseends, with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc

    fish: looseends completion fish > ~/.config/fish/completions/looseends.fish

    Parameters
    ----------
    shell
        bash, zsh or fish.
    """
    from looseends_client.manual import completion as script

    sys.stdout.write(script(shell))
    return 0

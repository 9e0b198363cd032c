"""A store that fails, waits or loses power when a test says so, and never by chance."""

from __future__ import annotations

import copy
from collections.abc import Callable

from looseends_server.store.base import Change, OnDone, StoreFailed
from looseends_server.store.memory import Kept, MemoryStore


class FaultyStore(MemoryStore):
    """A MemoryStore with a disk that a test can break. What is held back or not yet committed is not durable."""

    def __init__(self, kept: Kept | None = None) -> None:
        super().__init__(kept)
        self._reason: str | None = None
        self._fails_for: Callable[[Change], bool] = _every
        self._holds = False
        self._held_back: list[tuple[Change | None, OnDone]] = []
        self._has_power = True

    def fail_with(self, reason: str, when: Callable[[Change], bool] | None = None) -> None:
        """From now on let each change fail, or those that `when` is true for, until `work_again`."""
        self._reason = reason
        self._fails_for = when or _every

    def work_again(self) -> None:
        """Let changes be kept again."""
        self._reason = None

    def hold(self) -> None:
        """From now on commit nothing and tell nobody, until `release`."""
        self._holds = True

    def release(self, count: int | None = None) -> None:
        """Let the first `count` of what was held back commit, and go on holding; without a count, let all of it."""
        released = len(self._held_back) if count is None else count
        self._holds = count is not None
        for change, on_done in self._held_back[:released]:
            super()._enqueue(change, on_done)
        del self._held_back[:released]

    @property
    def held_back(self) -> list[Change]:
        """What was written since `hold` and is not committed."""
        return [change for change, _ in self._held_back if change is not None]

    def lose_unsynced(self) -> FaultyStore:
        """Cut the power: this store commits nothing more and tells nobody; return the one that a restart opens."""
        self._has_power = False
        self._held_back.clear()
        self._queued.clear()
        return FaultyStore(copy.deepcopy(self.kept))

    def apply(self, change: Change) -> None:
        if self._reason is not None and self._fails_for(change):
            raise StoreFailed(self._reason)
        super().apply(change)

    def _enqueue(self, change: Change | None, on_done: OnDone) -> None:
        if not self._has_power:
            return
        if self._holds:
            self._held_back.append((change, on_done))
        else:
            super()._enqueue(change, on_done)


def _every(_change: Change) -> bool:
    return True

"""Values of a message type, made from its annotations alone, so that a new message or field is tested unasked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from looseends_protocol.limits import FrameCaps

_MSGPACK_INTS = (-(2**63), 2**64 - 1)
_MOST_ITEMS = 3


def messages_of(kind: type[msgspec.Struct], caps: FrameCaps) -> st.SearchStrategy[Any]:
    """Every message of this kind that a decoder with these caps takes; lists are kept short."""
    return _values(inspect.type_info(kind), caps)


def structs_in(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """Yield this type and every struct type inside it."""
    yield kind
    for field in inspect.type_info(kind).fields:  # type: ignore[attr-defined]
        yield from _structs_of(field.type)


def _structs_of(info: inspect.Type) -> Iterator[type[msgspec.Struct]]:
    match info:
        case inspect.StructType(cls=cls):
            yield from structs_in(cls)
        case inspect.UnionType(types=types):
            for one in types:
                yield from _structs_of(one)
        case inspect.VarTupleType(item_type=item):
            yield from _structs_of(item)
        case inspect.TupleType(item_types=items):
            for one in items:
                yield from _structs_of(one)


def _values(info: inspect.Type, caps: FrameCaps) -> st.SearchStrategy[Any]:
    match info:
        case inspect.StructType(cls=cls, fields=fields):
            return st.builds(cls, *[_values(field.type, caps) for field in fields])
        case inspect.UnionType(types=types):
            return st.one_of([_values(one, caps) for one in types])
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=low, le=high):
            least, most = _MSGPACK_INTS
            return st.integers(least if low is None else low, most if high is None else high)
        case inspect.StrType(min_length=shortest, max_length=longest):
            characters = st.characters(exclude_categories=["Cs"])
            return st.text(characters, min_size=shortest or 0, max_size=min(longest or 40, caps.text // 4))
        case inspect.BytesType(min_length=shortest, max_length=longest):
            return st.binary(min_size=shortest or 0, max_size=longest or caps.binary)
        case inspect.VarTupleType(item_type=item):
            return st.lists(_values(item, caps), max_size=_MOST_ITEMS).map(tuple)
        case inspect.TupleType(item_types=items):
            return st.tuples(*[_values(one, caps) for one in items])
    raise TypeError(f"no strategy for {info}: teach it here")

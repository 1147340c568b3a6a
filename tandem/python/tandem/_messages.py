# SPDX-License-Identifier: Apache-2.0
"""ROS messages as objects: fields are attributes, lists of numbers are numpy arrays."""
from __future__ import annotations

import html
from typing import Any, Iterator

import numpy as np

__all__ = ["Message"]


class Message:
    """A message that was received or read: message.pose.position.x. Assigning to an unknown field raises.

    `message._type` is its type, "geometry_msgs/msg/Pose"; `as_dict(message)` gives plain values.
    """

    __slots__ = ("_type", "_ros_fields")
    _type: str
    _ros_fields: dict[str, Any]

    def __init__(self, type_name: str, fields: dict[str, Any]) -> None:
        object.__setattr__(self, "_type", type_name)
        object.__setattr__(self, "_ros_fields", fields)

    def __getattr__(self, name: str) -> Any:
        try:
            return self._ros_fields[name]
        except KeyError:
            raise AttributeError(self._unknown(name)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._ros_fields:
            raise AttributeError(self._unknown(name))
        self._ros_fields[name] = value

    def __getitem__(self, name: str) -> Any:
        return self._ros_fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ros_fields)

    def __dir__(self) -> list[str]:
        return list(self._ros_fields)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message) or self._type != other._type:
            return NotImplemented
        return all(np.array_equal(value, other[name]) for name, value in self._ros_fields.items())

    __hash__ = None  # type: ignore[assignment]  # its fields can be changed

    def _unknown(self, name: str) -> str:
        return f"{self._type} has no field {name!r}; it has {', '.join(self._ros_fields) or 'none'}"

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={_short(value)}" for name, value in self._ros_fields.items())
        return f"{self._type.rsplit('/', 1)[-1]}({inner})"

    def _repr_html_(self) -> str:
        return f"<b>{html.escape(self._type)}</b>{_table(self)}"


def as_dict(message: Any) -> Any:
    """Plain dicts, lists and numbers, all the way down."""
    if isinstance(message, Message):
        return {name: as_dict(value) for name, value in message._ros_fields.items()}
    if isinstance(message, np.ndarray):
        return message.tolist()
    if isinstance(message, list):
        return [as_dict(each) for each in message]
    return message


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        shown = ", ".join(f"{each:.6g}" if isinstance(each, float) else str(each) for each in value[:8].tolist())
        return f"[{shown}{f', ... {len(value)} in all' if len(value) > 8 else ''}]"
    return repr(value)


def _table(message: Message) -> str:
    rows = []
    for name, value in message._ros_fields.items():
        cell = _table(value) if isinstance(value, Message) else html.escape(_short(value))
        rows.append(f"<tr><td>{html.escape(name)}</td><td style='text-align:left'>{cell}</td></tr>")
    return f"<table>{''.join(rows)}</table>"


def make(type_name: str, fields: dict[str, Any]) -> Message:
    """Called by the extension for every message it decodes."""
    return Message(type_name, fields)


def array(packed: bytes, dtype: str) -> np.ndarray:
    """Called by the extension for every list of numbers; writable, as the message's fields are."""
    return np.frombuffer(packed, dtype).copy()


def pack(values: Any, dtype: str, name: str) -> bytes:
    """The numbers of an array as the field has them; ValueError when they do not fit."""
    if isinstance(values, (bytes, bytearray)):
        given = np.frombuffer(values, np.uint8)
        if np.dtype(dtype).itemsize != 1:
            raise ValueError(f"{name}: expected an array of {np.dtype(dtype).name}, got bytes")
        return given.tobytes()
    given = np.asarray(values)
    if given.ndim != 1:
        raise ValueError(f"{name}: expected an array of one dimension, got shape {given.shape}")
    wanted = np.dtype(dtype)
    if given.dtype.kind not in "biuf":
        raise ValueError(f"{name}: expected an array of {wanted.name}, got {given.dtype.name}")
    with np.errstate(all="ignore"):
        taken = given.astype(wanted)
    if wanted.kind in "biu" and not np.array_equal(taken, given):
        raise ValueError(f"{name}: expected {wanted.name}, got numbers of {given.dtype.name} that do not fit")
    return taken.tobytes()

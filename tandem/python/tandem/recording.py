# SPDX-License-Identifier: Apache-2.0
"""Recordings (MCAP) as numpy arrays.

>>> from tandem import recording
>>> run = recording.open("run.mcap")
>>> odometry = run["/odom"]
>>> odometry["pose.pose.position.x"]     # (N,), read from the file now
>>> odometry.time                        # (N,), s since the recording began
>>> run.link("raptorlift").data          # the bytes of the field protocol, frame by frame

ROS samples are decoded by the type description that the file carries. Nothing but the file's summary is read before it
is asked for; a topic is read once.
"""
from __future__ import annotations

import html
import json
import os
import sys
from typing import Any, Iterator, Mapping, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tandem import _tandem
from tandem._messages import Message

__all__ = ["Link", "Recording", "Sample", "Topic", "open"]

_END = 2**64 - 1
_KINDS = {0: "opened", 1: "in", 2: "out", 3: "closed", 4: "ended", 5: "broken"}


class Sample(NamedTuple):
    """One message of a topic."""

    time: float  # s since the recording began, when it passed
    message: Any  # a Message; of JSON topics what the JSON holds


class Topic:
    """One topic of a recording: topic["pose.position.x"] is an array with one value for each message.

    Lists: (N, k) when all messages have k of them, else an object array of N arrays. Fields of messages in a list have
    paths as "transforms[].child_frame_id".
    """

    def __init__(self, file: Any, name: str, type_name: str, encoding: str, count: int, start: int, span: tuple[int, int]):
        self._file, self._start, self._span = file, start, span
        self.name, self.type, self.encoding = name, type_name, encoding
        self._count = count
        self._columns: dict[str, tuple[str, Any, Any]] | None = None
        self._logged: NDArray[np.int64] | None = None
        self._published: NDArray[np.int64] | None = None
        self._arrays: dict[str, NDArray[Any]] = {}
        self.problems: list[str] = []  # what of it could not be read

    @property
    def fields(self) -> list[str]:
        """Paths of all fields, as the type has them; nothing is read for it."""
        return self._file.fields(self.name)

    @property
    def type_text(self) -> str:
        """The type, as .msg files have it."""
        return self._file.type_text(self.name)

    def __getitem__(self, path: str) -> NDArray[Any]:
        columns = self._read()
        if path not in columns:
            raise KeyError(f"{self.name}: no field {path!r}; it has {', '.join(list(columns)[:20])}")
        if path not in self._arrays:
            self._arrays[path] = _array(*columns[path])
        return self._arrays[path]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All fields."""
        return {path: self[path] for path in self._read()}

    @property
    def stamps(self) -> NDArray[np.int64]:
        """ns since 1970, when each message passed."""
        self._read()
        assert self._logged is not None
        return self._logged

    @property
    def published(self) -> NDArray[np.int64]:
        """ns since 1970, the sender's own stamp."""
        self._read()
        assert self._published is not None
        return self._published

    @property
    def time(self) -> NDArray[np.float64]:
        """s since the recording began."""
        return (self.stamps - self._start) * 1e-9

    def between(self, start: float, end: float) -> Topic:
        """The same topic from `start` to `end`, s since the recording began; only that part is read."""
        first, last = (max(0, self._start + round(seconds * 1e9)) for seconds in (start, end))
        return Topic(self._file, self.name, self.type, self.encoding, self._count, self._start, (first, last))

    def __iter__(self) -> Iterator[Sample]:
        """Messages one by one, each read from the file when it is asked for."""
        for stamp, _, data in self._messages():
            message = json.loads(data) if self.encoding == "json" else self._file.decode(self.name, data)
            yield Sample((stamp - self._start) * 1e-9, message)

    def raw(self) -> Iterator[tuple[int, bytes]]:
        """(ns since 1970, the bytes as they are in the file) of each message."""
        for stamp, _, data in self._messages():
            yield stamp, data

    def __len__(self) -> int:
        whole = self._span == (0, _END)
        return self._count if whole and self._logged is None else len(self.stamps)

    def __repr__(self) -> str:
        return f"Topic({self.name!r}, {self.type or self.encoding!r}, {self._count} messages)"

    def _messages(self) -> Iterator[tuple[int, int, bytes]]:
        cursor = self._file.cursor(self.name, *self._span)
        while (found := cursor.next()) is not None:
            yield found

    def _read(self) -> dict[str, tuple[str, Any, Any]]:
        if self._columns is None:
            logged, published, self._columns, self.problems = self._file.columns(self.name, *self._span)
            self._logged, self._published = (np.frombuffer(each, np.int64) for each in (logged, published))
        return self._columns


class Link:
    """The field protocol of one machine, byte for byte: one row for each frame."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic

    @property
    def time(self) -> NDArray[np.float64]:
        """s since the recording began."""
        return self.topic.time

    @property
    def connection(self) -> NDArray[np.uint32]:
        """Number of the connection that the frame belongs to."""
        return self.topic["connection"]

    @property
    def kind(self) -> NDArray[np.str_]:
        """opened, in (from the device), out (to the device), closed, ended or broken."""
        return np.array([_KINDS.get(each, str(each)) for each in self.topic["kind"].tolist()])

    @property
    def data(self) -> list[bytes]:
        """The bytes of each frame."""
        return [np.asarray(each, np.uint8).tobytes() for each in self.topic["data"]]

    def stream(self, kind: str, connection: int | None = None) -> bytes:
        """All bytes of one direction, "in" or "out", one after the other; of one connection or of all."""
        if kind not in ("in", "out"):
            raise ValueError(f"kind: expected 'in' or 'out', got {kind!r}")
        chosen = self.kind == kind
        if connection is not None:
            chosen &= self.connection == connection
        data = self.data
        return b"".join(data[i] for i in np.nonzero(chosen)[0])

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        return f"Link({self.topic.name!r}, {len(self)} frames)"


class Recording(Mapping[str, Topic]):
    """A recording: run["/odom"] is a topic, `in` and iteration are over topics' names."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        os.stat(self.path)  # FileNotFoundError as of any other file
        self._file = _tandem.RecordingFile(self.path)
        self._topics = {
            name: Topic(self._file, name, *facts, self._file.start, (0, _END))
            for name, facts in sorted(self._file.topics().items())
        }
        self.problems: list[str] = self._file.problems
        if not self.whole:
            print(f"tandem: {self.path} is not whole; what can be read is used", file=sys.stderr)

    @property
    def whole(self) -> bool:
        """Whether it was ended as it should be."""
        return self._file.whole

    @property
    def start(self) -> int:
        """ns since 1970."""
        return self._file.start

    @property
    def duration(self) -> float:
        """s"""
        return (self._file.end - self._file.start) * 1e-9

    def link(self, machine: str) -> Link:
        """The field protocol of a machine, by the machine's name."""
        name = f"/tandem/{machine}/field"
        if name not in self._topics:
            known = [each.split("/")[2] for each in self._topics if each.startswith("/tandem/") and each.endswith("/field")]
            raise KeyError(f"{self.path}: no field protocol of {machine!r}; it has {', '.join(known) or 'none'}")
        return Link(self._topics[name])

    def __getitem__(self, name: str) -> Topic:
        if name not in self._topics:
            raise KeyError(f"{self.path}: no topic {name!r}; it has {', '.join(self._topics) or 'none'}")
        return self._topics[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._topics)

    def __len__(self) -> int:
        return len(self._topics)

    def __repr__(self) -> str:
        return f"Recording({self.path!r}, {self.duration:.3f} s, {len(self)} topics, {self._file.messages} messages)"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(topic.name)}</td><td>{html.escape(topic.type)}</td><td>{topic._count}</td></tr>"
            for topic in self._topics.values()
        )
        head = "<tr><th>topic</th><th>type</th><th>messages</th></tr>"
        return f"<b>{html.escape(self.path)}</b>, {self.duration:.3f} s<table>{head}{rows}</table>"


def open(path: str | os.PathLike[str]) -> Recording:  # noqa: A001  as gzip.open and others have it
    """Opens a recording; only its summary is read."""
    return Recording(path)


def _array(dtype: str, values: Any, counts: bytes | None) -> NDArray[Any]:
    if dtype:
        flat: NDArray[Any] = np.frombuffer(values, dtype)
    else:
        flat = np.empty(len(values), object)
        flat[:] = values
    if counts is None:
        return flat
    many = np.frombuffer(counts, np.int64)
    if many.size and (many == many[0]).all():
        return flat.reshape(many.size, many[0])
    ragged = np.empty(many.size, object)
    ends = np.cumsum(many)
    for i, (end, count) in enumerate(zip(ends.tolist(), many.tolist())):
        ragged[i] = flat[end - count : end]
    return ragged

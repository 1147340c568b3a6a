# SPDX-License-Identifier: Apache-2.0
"""tandem.recording against files that this test writes itself, byte by byte, as the MCAP format says."""
import json
import math
import struct
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tandem import recording

MAGIC = b"\x89MCAP0\r\n"
SECOND = 1_000_000_000


def text(value):
    raw = value.encode()
    return struct.pack("<I", len(raw)) + raw


def record(op, content):
    return struct.pack("<BQ", op, len(content)) + content


def schema(id_, name, encoding, data):
    return record(3, struct.pack("<H", id_) + text(name) + text(encoding) + text(data))


def channel(id_, schema_id, topic, encoding):
    return record(4, struct.pack("<HH", id_, schema_id) + text(topic) + text(encoding) + struct.pack("<I", 0))


def message(id_, sequence, stamp, data):
    return record(5, struct.pack("<HIQQ", id_, sequence, stamp, stamp + 5) + data)


def mcap(*records):
    """Without chunks and summary: the plainest file there is."""
    ending = record(15, struct.pack("<I", 0)) + record(2, struct.pack("<QQI", 0, 0, 0))
    return MAGIC + record(1, text("ros2") + text("test")) + b"".join(records) + ending + MAGIC


def cdr(body):
    return b"\0\1\0\0" + body


def aligned(parts):
    """struct formats one after the other, each aligned to its own size."""
    out = b""
    for form, *values in parts:
        size = struct.calcsize("<" + form[-1])
        out += b"\0" * (-len(out) % size) + struct.pack("<" + form, *values)
    return out


# A type that Tandem does not know: only the file describes it.
PROBE = (
    "builtin_interfaces/Time stamp\nint16 count\nfloat32[3] field\nfloat64[] samples\nuint8 flag\nbool good\n"
    "string label\nPart[] parts\n" + "=" * 80 + "\nMSG: lab_msgs/Part\nint64 id\nstring name\n" + "=" * 80
    + "\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"
)


def probe(i):
    label = f"n{i}".encode() + b"\0"
    samples = [i * 0.5 + k for k in range(i % 3)]
    parts = [("i", i), ("I", 10 * i), ("h", -i), ("3f", i, 0.5, -0.25), ("I", len(samples))]
    parts += [(f"{len(samples)}d", *samples)] if samples else []
    parts += [("B", i % 256), ("?", i % 2), ("I", len(label)), (f"{len(label)}s", label), ("I", 2)]
    for k in range(2):
        name = f"part{k}".encode() + b"\0"
        parts += [("q", i * 100 + k), ("I", len(name)), (f"{len(name)}s", name)]
    return cdr(aligned(parts))


def frame(kind, connection, data):
    peer = b"127.0.0.1:502\0"
    parts = [("i", 1), ("I", 0), ("I", connection), ("B", kind), ("?", False), ("I", len(peer)), (f"{len(peer)}s", peer)]
    parts += [("I", 1), ("1s", b"\0"), ("I", len(data)), (f"{len(data)}s", data)]
    return cdr(aligned(parts))


FIELD = (
    "builtin_interfaces/Time stamp\nuint32 connection\nuint8 kind\nbool datagram\nstring peer\nstring local\nuint8[] data\n"
    + "=" * 80 + "\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"
)
START = 1_700_000_000 * SECOND
FRAMES = [(0, 1, b""), (2, 1, b"\x00\x01ask"), (1, 1, b"\x00\x01answer"), (2, 2, b"\xff"), (1, 1, b"more"), (3, 1, b"")]


def sample_file(count=20):
    records = [schema(1, "lab_msgs/msg/Probe", "ros2msg", PROBE), channel(1, 1, "/probe", "cdr")]
    records += [schema(2, "tandem_msgs/msg/FieldFrame", "ros2msg", FIELD), channel(2, 2, "/tandem/lift/field", "cdr")]
    records += [channel(3, 0, "/tandem/status", "json")]
    for i in range(count):
        records.append(message(1, i, START + i * SECOND // 10, probe(i)))
    for i, each in enumerate(FRAMES):
        records.append(message(2, i, START + i * SECOND, frame(*each)))
    records.append(message(3, 0, START + SECOND, json.dumps({"machines": [{"name": "lift"}]}).encode()))
    return mcap(*records)


class RecordingTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, data, name="run.mcap"):
        path = Path(self.folder.name) / name
        path.write_bytes(data)
        return path

    def test_columns_are_what_was_written(self):
        run = recording.open(self.write(sample_file()))
        self.assertEqual(list(run), ["/probe", "/tandem/lift/field", "/tandem/status"])
        topic = run["/probe"]
        self.assertEqual((len(topic), topic.type), (20, "lab_msgs/msg/Probe"))
        self.assertEqual(topic.fields, ["stamp.sec", "stamp.nanosec", "count", "field", "samples", "flag", "good", "label",
                                        "parts[].id", "parts[].name"])
        np.testing.assert_array_equal(topic["count"], -np.arange(20, dtype=np.int16))
        self.assertEqual(topic["count"].dtype, np.int16)
        np.testing.assert_array_equal(topic["stamp.nanosec"], 10 * np.arange(20, dtype=np.uint32))
        self.assertEqual((topic["field"].shape, topic["field"].dtype), ((20, 3), np.float32))
        np.testing.assert_array_equal(topic["field"][:, 0], np.arange(20))
        self.assertEqual([len(each) for each in topic["samples"]], [i % 3 for i in range(20)])
        np.testing.assert_array_equal(topic["samples"][5], [2.5, 3.5])
        np.testing.assert_array_equal(topic["good"], np.arange(20) % 2 == 1)
        self.assertEqual(topic["label"][7], "n7")
        np.testing.assert_array_equal(topic["parts[].id"], 100 * np.arange(20)[:, None] + [0, 1])
        self.assertEqual(topic["parts[].name"][3].tolist(), ["part0", "part1"])
        np.testing.assert_allclose(topic.time, np.arange(20) * 0.1, atol=1e-9)
        np.testing.assert_array_equal(topic.published - topic.stamps, 5)
        self.assertEqual(set(topic.arrays()), set(topic.fields))

    def test_messages_come_one_by_one(self):
        run = recording.open(self.write(sample_file()))
        samples = list(run["/probe"])
        self.assertEqual(len(samples), 20)
        self.assertAlmostEqual(samples[3].time, 0.3, 9)
        self.assertEqual(samples[3].message.parts[1].id, 301)
        self.assertEqual(samples[3].message.label, "n3")
        self.assertEqual(next(iter(run["/probe"].raw())), (START, probe(0)))
        (status,) = run["/tandem/status"]
        self.assertEqual(status.message, {"machines": [{"name": "lift"}]})
        with self.assertRaisesRegex(Exception, "/tandem/status: expected messages as cdr, got 'json'"):
            run["/tandem/status"]["machines"]

    def test_a_part_of_the_time(self):
        part = recording.open(self.write(sample_file()))["/probe"].between(0.45, 0.95)
        np.testing.assert_array_equal(part["count"], [-5, -6, -7, -8, -9])
        self.assertEqual((len(part), len(list(part))), (5, 5))

    def test_the_links_bytes(self):
        link = recording.open(self.write(sample_file())).link("lift")
        self.assertEqual(link.data, [data for _, _, data in FRAMES])
        self.assertEqual(link.kind.tolist(), ["opened", "out", "in", "out", "in", "closed"])
        self.assertEqual(link.connection.tolist(), [1, 1, 1, 2, 1, 1])
        self.assertEqual(link.stream("in"), b"\x00\x01answermore")
        self.assertEqual(link.stream("out", connection=1), b"\x00\x01ask")
        with self.assertRaisesRegex(ValueError, "kind: expected 'in' or 'out', got 'up'"):
            link.stream("up")

    def test_nothing_is_read_before_it_is_asked_for(self):
        path = self.write(sample_file())
        run = recording.open(path)
        topic = run["/probe"]
        self.assertIsNone(topic._columns)
        topic["count"]
        self.assertEqual(list(topic._arrays), ["count"])
        path.unlink()  # what is open stays readable
        self.assertEqual(len(list(run["/probe"])), 20)

    def test_representations_tell_what_is_there(self):
        run = recording.open(self.write(sample_file()))
        self.assertRegex(repr(run), r"Recording\('.*run.mcap', 5.000 s, 3 topics, 27 messages\)")
        self.assertIn("<td>/probe</td><td>lab_msgs/msg/Probe</td><td>20</td>", run._repr_html_())
        self.assertEqual(repr(run["/probe"]), "Topic('/probe', 'lab_msgs/msg/Probe', 20 messages)")
        self.assertIn("float32[3] field", run["/probe"].type_text)

    def test_a_damaged_message_is_left_out_and_told(self):
        good, bad = message(1, 0, START, probe(1)), message(1, 1, START + 1, probe(2)[:-9])
        records = [schema(1, "lab_msgs/msg/Probe", "ros2msg", PROBE), channel(1, 1, "/probe", "cdr"), good, bad, good]
        topic = recording.open(self.write(mcap(*records)))["/probe"]
        np.testing.assert_array_equal(topic["count"], [-1, -1])
        np.testing.assert_array_equal(topic["label"], ["n1", "n1"])
        self.assertEqual(topic["parts[].id"].tolist(), [[100, 101], [100, 101]])
        self.assertEqual(len(topic.problems), 1)

    def test_what_is_missing_is_named(self):
        run = recording.open(self.write(sample_file()))
        with self.assertRaisesRegex(KeyError, "no topic '/odom'; it has /probe, "):
            run["/odom"]
        with self.assertRaisesRegex(KeyError, "/probe: no field 'cuont'; it has stamp.sec"):
            run["/probe"]["cuont"]
        with self.assertRaisesRegex(KeyError, "no field protocol of 'arm'; it has lift"):
            run.link("arm")
        with self.assertRaisesRegex(FileNotFoundError, "nowhere.mcap"):
            recording.open("nowhere.mcap")
        with self.assertRaisesRegex(Exception, "MCAP"):
            recording.open(self.write(b"no recording at all, only text", "text.mcap"))

    def test_large_recordings_take_no_loop_in_python(self):
        count = 20_000
        lines = [schema(1, "geometry_msgs/msg/Vector3", "ros2msg", "float64 x\nfloat64 y\nfloat64 z\n"),
                 channel(1, 1, "/v", "cdr")]
        angles = np.arange(count) * 1e-3
        for i, angle in enumerate(angles.tolist()):
            lines.append(message(1, i, START + i, cdr(struct.pack("<3d", math.sin(angle), angle, i))))
        topic = recording.open(self.write(mcap(*lines)))["/v"]
        np.testing.assert_allclose(topic["x"], np.sin(angles), atol=1e-15)
        np.testing.assert_array_equal(topic["z"], np.arange(count))


if __name__ == "__main__":
    unittest.main()

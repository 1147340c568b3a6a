# SPDX-License-Identifier: Apache-2.0
"""MAVLink 1 and 2 from the wire up: what a stranger writes who has only the message definitions.

Knows as many messages as it takes to fly a submarine. Nothing here is shared with the library under test.
"""
import select
import socket
import struct
import time


def crc_of(data, crc=0xFFFF):
    for byte in data:
        low = byte ^ (crc & 0xFF)
        low ^= (low << 4) & 0xFF
        crc = ((crc >> 8) ^ (low << 8) ^ (low << 3) ^ (low >> 4)) & 0xFFFF
    return crc


# name: (id, crc_extra, base format, base fields, extension format, extension fields), all in wire order
MESSAGES = {
    'HEARTBEAT': (0, 50, 'IBBBBB', 'custom_mode type autopilot base_mode system_status mavlink_version', '', ''),
    'SYS_STATUS': (1, 124, 'IIIHHhHHHHHHb', 'present enabled health load voltage current drop errors e1 e2 e3 e4 remaining', '', ''),
    'SYSTEM_TIME': (2, 137, 'QI', 'time_unix_usec time_boot_ms', '', ''),
    'PING': (4, 237, 'QIBB', 'time_usec seq target_system target_component', '', ''),
    'SET_MODE': (11, 89, 'IBB', 'custom_mode target_system base_mode', '', ''),
    'PARAM_REQUEST_READ': (20, 214, 'hBB16s', 'param_index target_system target_component param_id', '', ''),
    'PARAM_REQUEST_LIST': (21, 159, 'BB', 'target_system target_component', '', ''),
    'PARAM_VALUE': (22, 220, 'fHH16sB', 'param_value param_count param_index param_id param_type', '', ''),
    'PARAM_SET': (23, 168, 'fBB16sB', 'param_value target_system target_component param_id param_type', '', ''),
    'ATTITUDE': (30, 39, 'Iffffff', 'time_boot_ms roll pitch yaw rollspeed pitchspeed yawspeed', '', ''),
    'LOCAL_POSITION_NED': (32, 185, 'Iffffff', 'time_boot_ms x y z vx vy vz', '', ''),
    'GLOBAL_POSITION_INT': (33, 104, 'IiiiihhhH', 'time_boot_ms lat lon alt relative_alt vx vy vz hdg', '', ''),
    'SERVO_OUTPUT_RAW': (36, 222, 'IHHHHHHHHB', 'time_usec s1 s2 s3 s4 s5 s6 s7 s8 port', '', ''),
    'MISSION_ITEM': (39, 254, 'fffffffHHBBBBB', 'param1 param2 param3 param4 x y z seq command target_system target_component frame current autocontinue', 'B', 'mission_type'),
    'MISSION_REQUEST': (40, 230, 'HBB', 'seq target_system target_component', 'B', 'mission_type'),
    'MISSION_CURRENT': (42, 28, 'H', 'seq', 'HBB', 'total mission_state mission_mode'),
    'MISSION_REQUEST_LIST': (43, 132, 'BB', 'target_system target_component', 'B', 'mission_type'),
    'MISSION_COUNT': (44, 221, 'HBB', 'count target_system target_component', 'B', 'mission_type'),
    'MISSION_CLEAR_ALL': (45, 232, 'BB', 'target_system target_component', 'B', 'mission_type'),
    'MISSION_ACK': (47, 153, 'BBB', 'target_system target_component type', 'B', 'mission_type'),
    'SET_GPS_GLOBAL_ORIGIN': (48, 41, 'iiiB', 'latitude longitude altitude target_system', 'Q', 'time_usec'),
    'GPS_GLOBAL_ORIGIN': (49, 39, 'iii', 'latitude longitude altitude', 'Q', 'time_usec'),
    'MISSION_REQUEST_INT': (51, 196, 'HBB', 'seq target_system target_component', 'B', 'mission_type'),
    'MANUAL_CONTROL': (69, 243, 'hhhhHB', 'x y z r buttons target', '', ''),
    'MISSION_ITEM_INT': (73, 38, 'ffffiifHHBBBBB', 'param1 param2 param3 param4 x y z seq command target_system target_component frame current autocontinue', 'B', 'mission_type'),
    'VFR_HUD': (74, 20, 'ffffhH', 'airspeed groundspeed alt climb heading throttle', '', ''),
    'COMMAND_INT': (75, 158, 'ffffiifHBBBBB', 'param1 param2 param3 param4 x y z command target_system target_component frame current autocontinue', '', ''),
    'COMMAND_LONG': (76, 152, 'fffffffHBBB', 'param1 param2 param3 param4 param5 param6 param7 command target_system target_component confirmation', '', ''),
    'COMMAND_ACK': (77, 143, 'HB', 'command result', 'BiBB', 'progress result_param2 target_system target_component'),
    'SET_POSITION_TARGET_LOCAL_NED': (84, 143, 'IfffffffffffHBBB', 'time_boot_ms x y z vx vy vz afx afy afz yaw yaw_rate type_mask target_system target_component coordinate_frame', '', ''),
    'VISION_POSITION_ESTIMATE': (102, 158, 'Qffffff', 'usec x y z roll pitch yaw', '', ''),
    'FILE_TRANSFER_PROTOCOL': (110, 84, 'BBB251s', 'target_network target_system target_component payload', '', ''),
    'TIMESYNC': (111, 34, 'qq', 'tc1 ts1', '', ''),
    'AUTOPILOT_VERSION': (148, 178, 'QQIIIIHH8s8s8s', 'capabilities uid flight_sw_version middleware os board vendor product flight_custom middleware_custom os_custom', '', ''),
    'SIMSTATE': (164, 154, 'fffffffffii', 'roll pitch yaw xacc yacc zacc xgyro ygyro zgyro lat lng', '', ''),
    'EKF_STATUS_REPORT': (193, 71, 'fffffH', 'velocity pos_horiz pos_vert compass terrain flags', '', ''),
    'NAMED_VALUE_FLOAT': (251, 170, 'If10s', 'time_boot_ms value name', '', ''),
    'STATUSTEXT': (253, 83, 'B50s', 'severity text', 'HB', 'id chunk_seq'),
}
BY_ID = {row[0]: name for name, row in MESSAGES.items()}


class Message:
    def __init__(self, name, fields, version, source):
        self.__dict__.update(fields)
        self.kind, self.version, self.source = name, version, source

    def __repr__(self):
        return str(self.__dict__)


def encode(name, fields, version, sequence, source=(255, 190)):
    number, extra, base, names, more, more_names = MESSAGES[name]
    wanted = names.split() + (more_names.split() if version == 2 else [])
    unknown = set(fields) - set(names.split()) - set(more_names.split())
    assert not unknown, f'{name} has no {unknown}'
    values = []
    for field, code in zip(wanted, codes(base) + (codes(more) if version == 2 else [])):
        value = fields.get(field, b'' if code.endswith('s') else 0)
        values.append(value.encode() if isinstance(value, str) else value)
    payload = struct.pack('<' + base + (more if version == 2 else ''), *values)
    if version == 1:
        body = struct.pack('<BBBBB', len(payload), sequence & 255, *source, number) + payload
        start = b'\xfe'
    else:
        payload = payload.rstrip(b'\0') or b'\0'
        body = struct.pack('<BBBBBB', len(payload), 0, 0, sequence & 255, *source) + struct.pack('<I', number)[:3] + payload
        start = b'\xfd'
    return start + body + struct.pack('<H', crc_of(body + bytes([extra])))


def codes(text):
    found, digits = [], ''
    for char in text:
        if char.isdigit():
            digits += char
        else:
            found.append(digits + char)
            digits = ''
    return found


class Reader:
    """Frames out of a stream of bytes; what is not known is skipped by its length."""

    def __init__(self):
        self.left = b''
        self.bad = 0

    def feed(self, data):
        self.left += data
        found = []
        while self.left:
            start = self.left[0]
            if start not in (0xFE, 0xFD):
                self.left = self.left[1:]
                self.bad += 1
                continue
            head = 6 if start == 0xFE else 10
            if len(self.left) < head or len(self.left) < head + self.left[1] + 2:
                break
            size = head + self.left[1] + 2
            frame, self.left = self.left[:size], self.left[size:]
            message = self.decode(frame, head)
            if message:
                found.append(message)
        return found

    def decode(self, frame, head):
        version = 1 if head == 6 else 2
        source = (frame[3], frame[4]) if version == 1 else (frame[5], frame[6])
        number = frame[5] if version == 1 else int.from_bytes(frame[7:10], 'little')
        if number not in BY_ID:
            return None
        name = BY_ID[number]
        _, extra, base, names, more, more_names = MESSAGES[name]
        if crc_of(frame[1:-2] + bytes([extra])) != int.from_bytes(frame[-2:], 'little'):
            self.bad += 1
            return None
        layout = struct.Struct('<' + base + more)
        payload = frame[head:-2]
        if version == 1:
            assert len(payload) == struct.calcsize('<' + base), f'{name} in MAVLink 1 has {len(payload)} bytes'
        values = layout.unpack(payload[:layout.size].ljust(layout.size, b'\0'))
        fields = dict(zip(names.split() + more_names.split(), values))
        for field in {'param_id', 'text', 'name'} & set(fields):
            fields[field] = fields[field].split(b'\0')[0].decode('ascii')
        return Message(name, fields, version, source)


class Station:
    """A ground station on one socket. Reading it beats its heart twice a second, once it has begun to talk."""

    def __init__(self, end, version, peer=None):
        self.end, self.version, self.peer = end, version, peer
        self.sequence, self.next_beat = 0, None
        self.reader, self.texts, self.last, self.counts = Reader(), [], {}, {}
        self.each = []  # called with every message

    def talk(self):
        self.next_beat = 0

    def send(self, name, **fields):
        data = encode(name, fields, self.version, self.sequence)
        self.sequence += 1
        if self.peer:
            self.end.sendto(data, self.peer)
        else:
            self.end.sendall(data)

    def poll(self, seconds=0.05):
        now = time.monotonic()
        if self.next_beat is not None and now >= self.next_beat:
            self.next_beat = now + 0.5
            self.send('HEARTBEAT', type=6, autopilot=8, system_status=4, mavlink_version=3)
        if not select.select([self.end], [], [], seconds)[0]:
            return []
        if isinstance(self.peer, tuple) or self.end.type == socket.SOCK_DGRAM:
            data, self.peer = self.end.recvfrom(65536)
        else:
            data = self.end.recv(65536)
            assert data, 'the vehicle has closed the connection'
        found = self.reader.feed(data)
        for message in found:
            self.last[message.kind] = message
            self.counts[message.kind] = self.counts.get(message.kind, 0) + 1
            if message.kind == 'STATUSTEXT':
                self.texts.append(message.text)
            for act in self.each:
                act(message)
        return found

    def wait(self, name, likes=lambda message: True, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for message in self.poll():
                if message.kind == name and likes(message):
                    return message
        raise AssertionError(f'no such {name} in {seconds} s; texts: {self.texts}; last: {self.last.get(name)}')

    def until(self, condition, seconds=120, doing=None, every=0.1):
        end, due = time.monotonic() + seconds, 0
        while not condition():
            assert time.monotonic() < end, f'not in {seconds} s; texts: {self.texts}; last: {self.last}'
            if doing and time.monotonic() >= due:
                due = time.monotonic() + every
                doing()
            self.poll(0.02)

    def run(self, seconds, doing=None, every=0.1):
        end, due = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            if doing and time.monotonic() >= due:
                due = time.monotonic() + every
                doing()
            self.poll(0.02)

    def command(self, number, *params, confirmation=0):
        named = {f'param{i + 1}': value for i, value in enumerate(params)}
        self.send('COMMAND_LONG', command=number, target_system=1, target_component=1, confirmation=confirmation, **named)
        return self.wait('COMMAND_ACK', lambda ack: ack.command == number).result

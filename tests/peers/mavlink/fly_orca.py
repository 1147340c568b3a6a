# SPDX-License-Identifier: Apache-2.0
"""A stranger flies the virtual Orca: python3 fly_orca.py VEHICLE, where VEHICLE is peer_mavlink_orca.

On UDP the autopilot speaks first and everything is done in MAVLink 2; then the same vehicle is met on TCP in MAVLink 1.
Vision is made of SIMSTATE, which is the truth, so that the estimator has something to hold on to.
"""
import math
import socket
import struct
import subprocess
import sys
import time

from wire import Station, encode

ORIGIN = (476302000, -1223982391)
METRES = 0.011131884502145034  # of 1e-7 degrees on a meridian
MANUAL, ALT_HOLD, AUTO, GUIDED, POSHOLD, SURFACE = 19, 2, 3, 4, 16, 9


def check_golden():
    """Frames that pymavlink has packed."""
    beat = dict(type=18, autopilot=8, system_status=4, mavlink_version=3)
    origin = dict(target_system=1, latitude=ORIGIN[0], longitude=ORIGIN[1])
    interval = dict(command=511, param1=32, param2=20000, target_system=1, target_component=1)
    setting = dict(param_value=1, target_system=1, target_component=1, param_id='VISO_TYPE', param_type=9)
    for name, fields, version, golden in (
            ('HEARTBEAT', beat, 2, 'fd0900000701bf000000000000001208000403ed74'),
            ('HEARTBEAT', beat, 1, 'fe090701bf0000000000120800040382fc'),
            ('SET_GPS_GLOBAL_ORIGIN', origin, 2, 'fd0d00000701bf300000b0ca631cc9820bb7000000000178c4'),
            ('COMMAND_LONG', interval, 2,
             'fd2000000701bf4c00000000004200409c460000000000000000000000000000000000000000ff01010185c6'),
            ('PARAM_SET', setting, 2, 'fd1700000701bf1700000000803f01015649534f5f5459504500000000000000092e0d'),
            ('SYSTEM_TIME', {}, 2, 'fd0100000701bf02000000db56')):
        assert encode(name, fields, version, 7, (1, 191)).hex() == golden, name


def first_words(station):
    beat = station.wait('HEARTBEAT')
    assert (beat.type, beat.autopilot, beat.mavlink_version, beat.source) == (12, 3, 3, (1, 1)), beat
    assert beat.base_mode & 0x81 == 1 and beat.custom_mode == MANUAL, beat
    station.run(1)
    assert 'ATTITUDE' not in station.counts, 'streams before anybody was heard'
    station.talk()
    station.wait('ATTITUDE')
    before, begun = station.counts['ATTITUDE'], time.monotonic()
    station.run(4)
    rate = (station.counts['ATTITUDE'] - before) / (time.monotonic() - begun)
    assert 1 < rate < 6, f'{rate} Hz'  # 4 on a computer that keeps up
    for name in ('SYS_STATUS', 'SYSTEM_TIME', 'VFR_HUD', 'GLOBAL_POSITION_INT', 'SERVO_OUTPUT_RAW', 'MISSION_CURRENT',
                 'EKF_STATUS_REPORT', 'NAMED_VALUE_FLOAT'):
        assert name in station.counts, f'no {name}'
    assert 'LOCAL_POSITION_NED' not in station.counts, 'a place without vision'


def small_talk(station):
    assert station.command(512, 148) == 0
    version = station.last.get('AUTOPILOT_VERSION') or station.wait('AUTOPILOT_VERSION')
    assert version.capabilities & 0x2000 and not version.capabilities & 0x20, hex(version.capabilities)
    assert version.flight_sw_version >> 24 == 4
    station.send('TIMESYNC', ts1=123456789)
    assert station.wait('TIMESYNC').ts1 == 123456789
    station.send('PING', time_usec=5, seq=9)
    assert station.wait('PING').seq == 9
    assert station.command(60001) == 3
    assert station.command(511, 9999, 100000) == 2
    station.send('FILE_TRANSFER_PROTOCOL', target_system=1, target_component=1,
                 payload=struct.pack('<HBBBBBBI', 40, 0, 4, 16, 0, 0, 0, 0) + b'@PARAM/param.pck')
    answer = struct.unpack('<HBBBBBBIB', station.wait('FILE_TRANSFER_PROTOCOL').payload[:13])
    assert (answer[0], answer[2], answer[3], answer[4], answer[8]) == (41, 129, 1, 4, 10), answer


def parameters(station):
    seen = {}
    station.send('PARAM_REQUEST_LIST', target_system=1, target_component=1)
    count = station.wait('PARAM_VALUE').param_count
    station.each.append(lambda message: message.kind == 'PARAM_VALUE' and seen.__setitem__(message.param_index, message))
    station.until(lambda: len([i for i in seen if i != 65535]) >= count - 1, 60)
    for missing in set(range(count)) - set(seen):  # the one that was waited for, and what was lost
        station.send('PARAM_REQUEST_READ', target_system=1, target_component=1, param_index=missing)
        station.wait('PARAM_VALUE', lambda value: value.param_index == missing)
    station.each.clear()
    names = [seen[i].param_id for i in range(count)]
    assert len(set(names)) == count > 200, count
    assert all(value.param_count == count for value in seen.values())
    assert {'SYSID_MYGCS', 'BTN6_FUNCTION', 'SERVO1_FUNCTION', 'EK3_SRC1_POSXY', 'JS_GAIN_DEFAULT'} <= set(names)

    def ask(index, **fields):
        station.send('PARAM_REQUEST_READ', target_system=1, target_component=1, param_index=index, **fields)

    def write(name, value):
        station.send('PARAM_SET', target_system=1, target_component=1, param_id=name, param_value=value, param_type=9)
        return station.wait('PARAM_VALUE', lambda one: one.param_id == name)

    third = names[3]
    ask(3)
    assert station.wait('PARAM_VALUE').param_id == third
    ask(-1, param_id=third)
    assert station.wait('PARAM_VALUE').param_index == 65535
    assert write('WPNAV_SPEED', 50).param_value == 50
    assert write('FS_PILOT_INPUT', 0.0).param_type == 2
    assert write('SYSID_THISMAV', 9).param_value == 1
    before = station.counts['PARAM_VALUE']
    ask(-1, param_id='NO_SUCH_NAME')
    station.send('PARAM_SET', target_system=1, target_component=1, param_id='NO_SUCH_NAME', param_value=1, param_type=9)
    station.run(1)
    assert station.counts['PARAM_VALUE'] == before, 'an answer for a name that is not there'


def dive(station):
    def depth():
        return -station.last['GLOBAL_POSITION_INT'].relative_alt / 1000

    def sticks(z, buttons=0):
        return lambda: station.send('MANUAL_CONTROL', target=1, z=z, buttons=buttons)

    assert station.command(176, 1, POSHOLD) == 4
    station.until(lambda: any('requires position' in text for text in station.texts), 10)
    station.send('SET_MODE', target_system=1, base_mode=1, custom_mode=ALT_HOLD)
    station.wait('HEARTBEAT', lambda beat: beat.custom_mode == ALT_HOLD)
    station.until(lambda: station.command(400, 1) == 0, 30)
    station.wait('HEARTBEAT', lambda beat: beat.base_mode & 128)
    begun = depth()
    station.until(lambda: depth() > begun + 0.6, 120, sticks(0))
    station.run(2, sticks(500))
    rest = depth()
    station.run(3, sticks(500))
    assert abs(depth() - rest) < 0.3, f'{rest} m became {depth()} m'
    station.until(lambda: depth() < rest - 0.3, 120, sticks(1000))
    station.until(lambda: not station.last['HEARTBEAT'].base_mode & 128, 30, sticks(500, 1 << 4), 0.2)
    station.until(lambda: station.last['HEARTBEAT'].base_mode & 128, 30, sticks(500, 1 << 6), 0.2)
    station.until(lambda: station.last['HEARTBEAT'].custom_mode == MANUAL, 30, sticks(500, 1 << 1), 0.2)


def place_of(truth):
    north, east = truth.lat - ORIGIN[0], truth.lng - ORIGIN[1]
    return north * METRES, east * METRES * math.cos(math.radians(ORIGIN[0] * 1e-7))


def guided(station):
    def see():
        truth = station.last.get('SIMSTATE')
        if truth:
            x, y = place_of(truth)
            station.send('VISION_POSITION_ESTIMATE', x=x, y=y, yaw=truth.yaw)

    def away():
        local = station.last['LOCAL_POSITION_NED']
        return math.dist((local.x, local.y, local.z), (1.5, 0.5, 1.6))

    assert station.command(511, 164, 50000) == 0
    assert station.command(511, 32, 50000) == 0
    station.send('SET_GPS_GLOBAL_ORIGIN', target_system=1, latitude=ORIGIN[0], longitude=ORIGIN[1])
    assert station.wait('GPS_GLOBAL_ORIGIN').latitude == ORIGIN[0]
    station.until(lambda: 'LOCAL_POSITION_NED' in station.counts, 60, see)
    assert station.command(176, 1, GUIDED) == 0
    station.send('SET_POSITION_TARGET_LOCAL_NED', target_system=1, target_component=1, coordinate_frame=1,
                 type_mask=0x0DF8, x=1.5, y=0.5, z=1.6)
    station.until(lambda: away() < 0.25, 240, see)
    x, y = place_of(station.last['SIMSTATE'])
    assert math.dist((x, y), (1.5, 0.5)) < 0.7, f'really at {x} {y}'
    return see


def items_around():
    scale = math.cos(math.radians(ORIGIN[0] * 1e-7))
    places = [(0, 0), (1.0, 0.5), (1.0, -0.3), (0.2, 0.1)]
    return [dict(seq=i, command=16, frame=3, autocontinue=1, target_system=1, target_component=1, z=-1.5,
                 x=ORIGIN[0] + round(north / METRES), y=ORIGIN[1] + round(east / METRES / scale))
            for i, (north, east) in enumerate(places)]


def mission(station, kind):
    """Up, down and away, by items with whole numbers (kind 'MISSION_ITEM_INT') or floats."""
    whole = kind == 'MISSION_ITEM_INT'
    items = items_around()
    station.send('MISSION_COUNT', target_system=1, target_component=1, count=len(items))
    while True:
        station.until(lambda: {'MISSION_REQUEST', 'MISSION_REQUEST_INT', 'MISSION_ACK'} & set(station.last), 20)
        if 'MISSION_ACK' in station.last:
            break
        asked = station.last.pop('MISSION_REQUEST', None) or station.last.pop('MISSION_REQUEST_INT')
        item = dict(items[asked.seq])
        if not whole:
            item['x'], item['y'] = item['x'] * 1e-7, item['y'] * 1e-7
        station.send(kind, **item)
    assert station.last.pop('MISSION_ACK').type == 0

    station.send('MISSION_REQUEST_LIST', target_system=1, target_component=1)
    assert station.wait('MISSION_COUNT').count == len(items)
    for item in items:
        station.send('MISSION_REQUEST_INT' if whole else 'MISSION_REQUEST', target_system=1, target_component=1,
                     seq=item['seq'])
        back = station.wait(kind, lambda one: one.seq == item['seq'])
        scale, near = (1, 0) if whole else (1e7, 100)  # of a float, 1e-7 degrees
        assert abs(back.x * scale - item['x']) <= near and abs(back.y * scale - item['y']) <= near, back
        stored = (0, 16, 0) if item['seq'] == 0 else (item['z'], 16, 3)  # the first is home, as with ArduPilot
        assert (back.z, back.command, back.frame) == stored, back
    station.send('MISSION_ACK', target_system=1, target_component=1)


def fly_mission(station, see):
    assert station.command(300) == 0
    station.wait('HEARTBEAT', lambda beat: beat.custom_mode == AUTO)
    station.until(lambda: 'Mission complete' in station.texts, 400, see)
    station.send('MISSION_CLEAR_ALL', target_system=1, target_component=1)
    assert station.wait('MISSION_ACK').type == 0
    station.send('MISSION_REQUEST_LIST', target_system=1, target_component=1)
    assert station.wait('MISSION_COUNT').count == 0
    assert station.command(400, 0) == 0
    station.wait('HEARTBEAT', lambda beat: not beat.base_mode & 128)
    station.last.pop('SERVO_OUTPUT_RAW')
    servos = station.wait('SERVO_OUTPUT_RAW')
    assert {servos.s1, servos.s2, servos.s3, servos.s4, servos.s5, servos.s6} == {1500}, servos


def over_tcp(port):
    """The old version of the protocol: answers come in it, and nothing that it cannot say."""
    station = Station(socket.create_connection(('127.0.0.1', port)), 1)
    station.talk()
    station.run(1)
    assert station.command(512, 1) == 0
    for name in ('ATTITUDE', 'SYS_STATUS', 'HEARTBEAT'):
        assert station.wait(name).version == 1, name
    station.send('PARAM_REQUEST_READ', target_system=1, target_component=1, param_id='WPNAV_SPEED', param_index=-1)
    assert station.wait('PARAM_VALUE').param_value == 50
    mission(station, 'MISSION_ITEM')
    station.send('MISSION_CLEAR_ALL', target_system=1, target_component=1)
    station.last.pop('MISSION_ACK', None)
    assert station.wait('MISSION_ACK').type == 0
    station.end.close()


def main():
    check_golden()
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(('127.0.0.1', 0))
    vehicle = subprocess.Popen([sys.argv[1], str(udp.getsockname()[1])], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    try:
        tcp_port = int(vehicle.stdout.readline().split()[1])
        station = Station(udp, 2)
        first_words(station)
        small_talk(station)
        parameters(station)
        dive(station)
        see = guided(station)
        mission(station, 'MISSION_ITEM_INT')
        fly_mission(station, see)
        over_tcp(tcp_port)
    finally:
        vehicle.stdin.close()
        vehicle.wait(20)
        vehicle.stdout.close()
        udp.close()
    print('flown')


main()

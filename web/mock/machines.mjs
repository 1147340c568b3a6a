// SPDX-License-Identifier: Apache-2.0
// Five plausible machines for looking at the page without the program: their scenes, and where they are at a time.

const part = (name, frame, shape, size, at, color, more = {}) => ({
  name, frame, shape, size: [...size, 0, 0].slice(0, 3), at: at.length === 3 ? [...at, 0, 0, 0, 1] : at, color,
  opacity: 1, points: [], triangles: [], layer: '', layer_off: false, ...more,
});
const tie = (name, from, to, from_point, to_point, radius, color, scalar = -1) => ({
  name, from, to, from_point, to_point, radius, color, scalar,
});
const control = (name, kind, topic, type, field, more) => ({
  name, group: '', kind, topic, type, field, message: {}, unit: '', low: -1, high: 1, value: 1, rest: 0, key: '', ...more,
});
const axisTurn = (axis, angle) => axis.map((v) => v * Math.sin(angle / 2)).concat(Math.cos(angle / 2));
const times = (a, b) => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];
const X = [1, 0, 0], Y = [0, 1, 0], Z = [0, 0, 1];
const lie = axisTurn(Y, Math.PI / 2); // a length along z laid along x
const across = axisTurn(X, Math.PI / 2);
const spin = (v, q) => {
  const [x, y, z] = times(times(q, [...v, 0]), [-q[0], -q[1], -q[2], q[3]]);
  return [x, y, z];
};

function platform() {
  const joint = (radius, degrees, z) => [radius * Math.cos((degrees * Math.PI) / 180), radius * Math.sin((degrees * Math.PI) / 180), z];
  const base = [10, 110, 130, 230, 250, 350].map((d) => joint(0.9, d, 0.12));
  const top = [50, 70, 170, 190, 290, 310].map((d) => joint(0.65, d, -0.06));
  const ties = base.map((from, i) => tie(`leg ${i + 1}`, 'world', 'top', from, top[i], 0.035, '#c9d1dc', i));
  const shells = base.map((from, i) => part(`joint ${i + 1}`, 'world', 'sphere', [0.07], from, '#5c6675'));
  return {
    name: 'platform', type: 'em1500', virtual: true, moves: true,
    scene: {
      frames: ['top'],
      parts: [
        part('base', 'world', 'cylinder', [1.05, 0.1], [0, 0, 0.05], '#3b4452'),
        ...shells,
        part('plate', 'top', 'cylinder', [0.78, 0.08], [0, 0, 0], '#e8a33d'),
        part('seat', 'top', 'box', [0.5, 0.55, 0.12], [-0.05, 0, 0.12], '#4b5565'),
        part('back', 'top', 'box', [0.12, 0.55, 0.6], [-0.3, 0, 0.42], '#4b5565'),
        part('nose', 'top', 'cone', [0.09, 0.22], [0.66, 0, 0.06, ...lie], '#d6dde7'),
      ],
      ties,
      scalars: base.map((_, i) => ({ name: `leg ${i + 1}`, unit: 'm', low: 0.9, high: 1.35 })),
      controls: ['surge', 'sway', 'heave'].map((name, i) =>
        control(name, 'slider', '/platform/set_point', 'std_msgs/msg/Float64MultiArray', `data.${i}`, {
          group: 'pose', message: { data: [0, 0, 0, 0, 0, 0] }, unit: 'm', low: -0.2, high: 0.2, value: 0,
        })),
      trails: ['top'], main_frame: 'top', extent: 2.6, camera_topic: '',
    },
    pose(t) {
      const q = times(axisTurn(Z, 0.12 * Math.sin(0.4 * t)), times(axisTurn(Y, 0.14 * Math.sin(0.9 * t)), axisTurn(X, 0.16 * Math.sin(0.7 * t))));
      const p = [0.12 * Math.sin(0.5 * t), 0.1 * Math.cos(0.6 * t), 1.1 + 0.08 * Math.sin(1.1 * t)];
      const scalars = top.map((b, i) => {
        const end = spin(b, q).map((v, k) => v + p[k] - base[i][k]);
        return Math.hypot(...end);
      });
      return { frames: [...p, ...q], scalars };
    },
    off: 0.012,
  };
}

function submarine() {
  const n = 24, width = 7, points = [], triangles = [];
  const floor = (x, y) => -3.2 + 0.25 * Math.sin(1.1 * x) * Math.cos(0.8 * y) + 0.12 * Math.sin(2.3 * x + y);
  for (let i = 0; i <= n; ++i) for (let j = 0; j <= n; ++j) {
    const x = (i / n - 0.5) * width, y = (j / n - 0.5) * width;
    points.push(x, y, floor(x, y));
  }
  for (let i = 0; i < n; ++i) for (let j = 0; j < n; ++j) {
    const a = i * (n + 1) + j, b = a + n + 1;
    triangles.push(a, b, b + 1, a, b + 1, a + 1);
  }
  const cloud = [];
  for (let i = 0; i < 500; ++i) {
    const x = (Math.sin(i * 12.9898) * 43758.5) % 1 * 3, y = (Math.sin(i * 78.233) * 12543.1) % 1 * 3;
    cloud.push(x, y, floor(x, y) + 0.03);
  }
  return {
    name: 'submarine', type: 'orca', virtual: true, moves: true,
    scene: {
      frames: ['hull'],
      parts: [
        part('sea floor', 'world', 'mesh', [], [0, 0, 0], '#9a8f76', { points, triangles, layer: 'sea floor' }),
        part('map', 'world', 'cloud', [0.03], [0, 0, 0], '#49c6c0', { points: cloud, layer: 'map' }),
        part('water', 'world', 'box', [width, width, 0.01], [0, 0, 0], '#4aa3ff', { opacity: 0.12, layer: 'surface' }),
        part('body', 'hull', 'capsule', [0.16, 0.5], [0, 0, 0, ...lie], '#f2c230'),
        part('rail left', 'hull', 'box', [0.6, 0.05, 0.06], [0, 0.26, -0.14], '#2d3440'),
        part('rail right', 'hull', 'box', [0.6, 0.05, 0.06], [0, -0.26, -0.14], '#2d3440'),
        part('frame', 'hull', 'box', [0.12, 0.56, 0.08], [0, 0, 0.04], '#2d3440'),
        ...[[0.26, 0.26], [0.26, -0.26], [-0.26, 0.26], [-0.26, -0.26]].map(([x, y], i) =>
          part(`thruster ${i + 1}`, 'hull', 'cylinder', [0.075, 0.12], [x, y, 0.02], '#4d5868')),
        part('eye', 'hull', 'sphere', [0.09], [0.4, 0, 0.02], '#9fe0ff'),
      ],
      ties: [], scalars: [{ name: 'depth', unit: 'm', low: 0, high: 3 }],
      controls: [
        control('forward', 'jog', '/cmd_vel', 'geometry_msgs/msg/Twist', 'linear.x', { unit: 'm/s', value: 0.3, key: 'w' }),
        control('back', 'jog', '/cmd_vel', 'geometry_msgs/msg/Twist', 'linear.x', { unit: 'm/s', value: -0.3, key: 's' }),
        control('turn left', 'jog', '/cmd_vel', 'geometry_msgs/msg/Twist', 'angular.z', { unit: 'rad/s', value: 0.4, key: 'a' }),
        control('turn right', 'jog', '/cmd_vel', 'geometry_msgs/msg/Twist', 'angular.z', { unit: 'rad/s', value: -0.4, key: 'd' }),
      ],
      trails: ['hull'], main_frame: 'hull', extent: width, camera_topic: '/submarine/image',
    },
    pose(t) {
      const a = 0.25 * t, p = [2.1 * Math.cos(a), 1.6 * Math.sin(a), -1.5 + 0.35 * Math.sin(0.5 * t)];
      const heading = Math.atan2(1.6 * Math.cos(a), -2.1 * Math.sin(a));
      return { frames: [...p, ...times(axisTurn(Z, heading), axisTurn(X, 0.08 * Math.sin(t)))], scalars: [-p[2]] };
    },
    off: 0.08,
  };
}

function forklift() {
  return {
    name: 'forklift', type: 'raptorlift', virtual: true, moves: true,
    scene: {
      frames: ['body', 'fork', 'wheel front', 'wheel left', 'wheel right'],
      parts: [
        part('floor', 'world', 'box', [6, 6, 0.004], [0, 0, 0.002], '#6e7886', { opacity: 0.16, layer: 'floor' }),
        part('chassis', 'body', 'box', [1.1, 0.8, 0.5], [-0.35, 0, 0.45], '#d9482f'),
        part('cabin', 'body', 'box', [0.5, 0.7, 0.6], [-0.55, 0, 1.0], '#39424f'),
        part('mast left', 'body', 'box', [0.08, 0.08, 1.7], [0.3, 0.3, 0.95], '#2d3440'),
        part('mast right', 'body', 'box', [0.08, 0.08, 1.7], [0.3, -0.3, 0.95], '#2d3440'),
        part('mast top', 'body', 'box', [0.08, 0.6, 0.08], [0.3, 0, 1.8], '#2d3440'),
        part('tine left', 'fork', 'box', [1.0, 0.12, 0.05], [0.5, 0.22, 0], '#aeb7c4'),
        part('tine right', 'fork', 'box', [1.0, 0.12, 0.05], [0.5, -0.22, 0], '#aeb7c4'),
        part('carriage', 'fork', 'box', [0.06, 0.62, 0.3], [0, 0, 0.12], '#aeb7c4'),
        part('pallet', 'fork', 'box', [0.8, 0.7, 0.1], [0.55, 0, 0.08], '#b98a54'),
        part('load', 'fork', 'box', [0.7, 0.6, 0.45], [0.55, 0, 0.36], '#cfa670'),
        part('tyre', 'wheel front', 'cylinder', [0.18, 0.14], [0, 0, 0, ...across], '#20252d'),
        part('tyre', 'wheel left', 'cylinder', [0.18, 0.12], [0, 0, 0, ...across], '#20252d'),
        part('tyre', 'wheel right', 'cylinder', [0.18, 0.12], [0, 0, 0, ...across], '#20252d'),
      ],
      ties: [], scalars: [{ name: 'lift', unit: 'm', low: 0, high: 1.5 }],
      controls: [
        control('forward', 'jog', '/forklift/cmd_vel', 'geometry_msgs/msg/Twist', 'linear.x', { unit: 'm/s', value: 0.4, key: 'w' }),
        control('lift', 'slider', '/forklift/lift', 'std_msgs/msg/Float64', 'data', { unit: 'm', low: 0, high: 1.5, value: 0.2 }),
      ],
      trails: ['body'], main_frame: 'body', extent: 6.4, camera_topic: '',
    },
    pose(t) {
      const a = 0.3 * t, at = [1.7 * Math.cos(a), 1.7 * Math.sin(a), 0], q = axisTurn(Z, a + Math.PI / 2);
      const put = (v, turn = [0, 0, 0, 1]) => [...spin(v, q).map((x, k) => x + at[k]), ...times(q, turn)];
      const lift = 0.5 + 0.4 * Math.sin(0.5 * t), roll = axisTurn(Y, 3 * t);
      const frames = [...put([0, 0, 0]), ...put([0.36, 0, lift]), ...put([0.2, 0, 0.18], times(axisTurn(Z, 0.5), roll)),
        ...put([-0.7, 0.36, 0.18], roll), ...put([-0.7, -0.36, 0.18], roll)];
      return { frames, scalars: [lift] };
    },
    off: 0.03,
  };
}

function cableRobot() {
  const w = 2.4, h = 2.8, corners = [];
  for (const z of [h, 0.1]) for (const [x, y] of [[w, w], [-w, w], [-w, -w], [w, -w]]) corners.push([x, y, z]);
  const body = corners.map(([x, y, z]) => [Math.sign(x) * 0.22, Math.sign(y) * 0.22, z > 1 ? -0.18 : 0.18]);
  const posts = corners.slice(0, 4).map((c, i) => part(`post ${i + 1}`, 'world', 'box', [0.12, 0.12, h], [c[0], c[1], h / 2], '#5d6776'));
  const beams = [0, 1].flatMap((i) => [
    part('beam', 'world', 'box', [2 * w, 0.1, 0.1], [0, i ? w : -w, h], '#5d6776'),
    part('beam', 'world', 'box', [0.1, 2 * w, 0.1], [i ? w : -w, 0, h], '#5d6776'),
  ]);
  return {
    name: 'cable robot', type: 'cable_robot', virtual: true, moves: true,
    scene: {
      frames: ['platform'],
      parts: [
        ...posts, ...beams,
        part('workspace', 'world', 'sphere', [1.15], [0, 0, 1.4], '#4aa3ff', { opacity: 0.13, layer: 'workspace' }),
        part('body', 'platform', 'box', [0.44, 0.44, 0.36], [0, 0, 0], '#e6ebf2'),
        part('tool', 'platform', 'cone', [0.08, 0.24], [0, 0, -0.3, ...axisTurn(X, Math.PI)], '#f28b3b'),
      ],
      ties: corners.map((c, i) => tie(`cable ${i + 1}`, 'world', 'platform', c, body[i], 0.014, '#b0b8c4', i)),
      scalars: corners.map((_, i) => ({ name: `tension ${i + 1}`, unit: 'N', low: 10, high: 200 })),
      controls: ['x', 'y', 'z'].map((name, i) =>
        control(name, 'slider', '/cable_robot/set_point', 'geometry_msgs/msg/Pose', `position.${name}`, {
          group: 'pose', message: { position: { x: 0, y: 0, z: 1.4 }, orientation: { x: 0, y: 0, z: 0, w: 1 } },
          unit: 'm', low: i === 2 ? 0.6 : -1, high: i === 2 ? 2.2 : 1, value: i === 2 ? 1.4 : 0,
        })),
      trails: ['platform'], main_frame: 'platform', extent: 5.2, camera_topic: '',
    },
    pose(t) {
      const p = [0.8 * Math.sin(0.8 * t), 0.8 * Math.sin(0.6 * t + 1), 1.4 + 0.4 * Math.sin(0.5 * t)];
      const scalars = corners.map((c, i) => 105 + 90 * Math.sin(0.8 * t + i * 0.8));
      return { frames: [...p, ...axisTurn(Z, 0.2 * Math.sin(0.4 * t))], scalars };
    },
    off: 0.01,
  };
}

function arm() {
  const links = ['shoulder', 'upper arm', 'forearm', 'wrist 1', 'wrist 2', 'gripper'];
  const cubes = ['#e0604c', '#4c8fe0', '#53b56b'].map((color, i) => part(`cube ${i + 1}`, 'world', 'box', [0.05, 0.05, 0.05], [0.3, -0.12 + i * 0.12, 0.025], color));
  const blue = '#5d9bd1', grey = '#cfd6df';
  return {
    name: 'arm', type: 'ur3e', virtual: false, moves: true,
    scene: {
      frames: links,
      parts: [
        part('table', 'world', 'box', [1.1, 1.1, 0.02], [0, 0, -0.01], '#7c8795', { opacity: 0.5 }),
        part('foot', 'world', 'cylinder', [0.064, 0.09], [0, 0, 0.045], grey), ...cubes,
        part('cap', 'shoulder', 'capsule', [0.06, 0.07], [0, 0, 0], blue),
        part('tube', 'upper arm', 'capsule', [0.046, 0.24], [0, 0, 0.12], grey),
        part('elbow', 'forearm', 'cylinder', [0.05, 0.12], [0, 0, 0, ...across], blue),
        part('tube', 'forearm', 'capsule', [0.04, 0.21], [0, 0, 0.105], grey),
        part('cap', 'wrist 1', 'capsule', [0.036, 0.05], [0, 0, 0], blue),
        part('cap', 'wrist 2', 'capsule', [0.036, 0.05], [0, 0, 0, ...across], grey),
        part('hand', 'gripper', 'box', [0.06, 0.1, 0.06], [0, 0, 0.03], '#2d3440'),
        part('finger', 'gripper', 'box', [0.02, 0.014, 0.08], [0, 0.035, 0.1], '#2d3440'),
        part('finger', 'gripper', 'box', [0.02, 0.014, 0.08], [0, -0.035, 0.1], '#2d3440'),
      ],
      ties: [], scalars: [],
      controls: [
        ...links.map((_, i) => control(`joint ${i + 1}`, 'slider', '/arm/joints', 'std_msgs/msg/Float64MultiArray', `data.${i}`, {
          group: 'joints', message: { data: [0, 0, 0, 0, 0, 0] }, unit: 'rad', low: -3.14, high: 3.14, value: 0 })),
        control('open the gripper', 'button', '/arm/gripper', 'std_msgs/msg/Float64', 'data', { value: 1, key: 'o' }),
      ],
      trails: ['gripper'], main_frame: 'gripper', extent: 1.3, camera_topic: '',
    },
    pose(t) {
      const q1 = axisTurn(Z, 0.8 * Math.sin(0.5 * t)), q2 = times(q1, axisTurn(Y, 0.5 + 0.3 * Math.sin(0.7 * t)));
      const q3 = times(q2, axisTurn(Y, 1.2 + 0.3 * Math.cos(0.6 * t))), q4 = times(q3, axisTurn(Y, 1.1)), frames = [];
      const add = (p, v, q) => spin(v, q).map((x, k) => x + p[k]);
      const s = [0, 0, 0.13], e = add(s, [0, 0, 0.244], q2), w = add(e, [0, 0, 0.213], q3), v = add(w, [0, 0, 0.085], q4), g = add(v, [0, 0, 0.05], q4);
      frames.push(...s, ...q1, ...s, ...q2, ...e, ...q3, ...w, ...q4, ...v, ...q4, ...g, ...q4);
      const joints = [0.8 * Math.sin(0.5 * t), 0.5 + 0.3 * Math.sin(0.7 * t), 1.2 + 0.3 * Math.cos(0.6 * t), 1.1, 0, 0];
      return { frames, scalars: [], joints };
    },
    off: 0.004,
  };
}

export const machines = [platform(), submarine(), forklift(), cableRobot(), arm()];

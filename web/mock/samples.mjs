// SPDX-License-Identifier: Apache-2.0
// What the mock says of a machine besides its picture: status, latency, an image.

const nodes = { em1500: '/ads_em1500_node', raptorlift: '/forklift_node', cable_robot: '/cable_robot_node', orca: '/orca_node' };

export function statusOf(machine, link, clock) {
  const live = link.state === 'live';
  const pose = machine.pose(link.at), numbers = pose.frames.slice(0, 3);
  const values = [
    { name: 'position', unit: 'm', numbers, text: '', parts: ['x', 'y', 'z'] },
    { name: 'attitude', unit: 'rad', numbers: pose.frames.slice(3, 6).map((v) => 2 * v), text: '' },
    { name: 'mode', unit: '', numbers: [], text: live ? 'engaged' : 'unknown' },
  ];
  if (pose.joints) values.push({ name: 'joints', unit: 'rad', numbers: pose.joints, text: '', parts: ['base', 'shoulder', 'elbow', 'wrist 1', 'wrist 2', 'wrist 3'].slice(0, pose.joints.length) });
  if (pose.scalars.length) values.push({ name: machine.scene.scalars[0].name.replace(/ \d+$/, 's'), unit: machine.scene.scalars[0].unit, numbers: pose.scalars, text: '' });
  const noise = () => 1 + 0.05 * Math.random();
  return {
    name: machine.name, type: machine.type, device: `${machine.type}://127.0.0.1:${5000 + machine.name.length}`, virtual: machine.virtual, node: nodes[machine.type] ?? '', unplugged: link.unplugged ?? false, chaos: link.chaos ?? 'ready', chaos_result: link.chaos_result ?? '', moves: machine.moves,
    state: link.state, cause: link.cause, quality: live ? 'live' : 'stale', arm: link.arm, arm_cause: link.arm_cause, arm_by: link.arm === 'stopped' ? 'page' : '',
    rate: live ? 99.5 + Math.random() : 0, age: live ? 0.004 : clock - link.since, samples: Math.round(clock * 100) % 1e6, invalid: 0,
    connects: 1, attempts: live ? 1 : Math.round(clock - link.since), stale_episodes: live ? 0 : 1,
    hops: ['solve', 'publish', 'total'].map((name, i) => ({ name, count: 12000, sum: 1.2, p50: 8e-5 * (i + 1) * noise(), p99: 3e-4 * (i + 1) * noise(), p999: 9e-4 * (i + 1) * noise() })),
    values,
    twin_values: values.filter((v) => v.numbers.length).map((v) => ({ ...v, numbers: v.numbers.map((n) => n + 0.01 * Math.sin(clock)) })),
  };
}

export function latencyOf(machine) {
  const hops = ['solve', 'publish', 'total'].map((name, i) => {
    const edges = [], counts = [];
    for (let k = 0; k < 24; ++k) {
      edges.push(1e-5 * 1.3 ** k * (i + 1));
      counts.push(Math.round(2000 * Math.exp(-((k - 8) ** 2) / 10) + (k > 14 ? 2 : 0)));
    }
    return { name, edges, counts };
  });
  return { name: machine.name, hops };
}

// sensor_msgs/msg/Image, rgb8, as CDR: a sea floor that drifts by.
export function cameraImage(t) {
  const width = 160, height = 120, head = [];
  const u32 = (v) => head.push(v & 255, (v >> 8) & 255, (v >> 16) & 255, (v >> 24) & 255);
  const pad = () => { while ((head.length - 4) % 4) head.push(0); };
  const text = (s) => { pad(); u32(s.length + 1); for (const c of s) head.push(c.charCodeAt(0)); head.push(0); };
  head.push(0, 1, 0, 0);
  u32(Math.floor(t)), u32(0), text('camera'), pad(), u32(height), u32(width), text('rgb8'), head.push(0), pad(), u32(width * 3), u32(width * height * 3);
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) {
    const depth = y / height, wave = Math.sin(x * 0.11 + t * 2) * Math.cos(y * 0.17 + t), at = 3 * (y * width + x);
    data[at] = 10 + 60 * depth * (1 + 0.4 * wave), data[at + 1] = 60 + 70 * depth + 16 * wave, data[at + 2] = 110 + 30 * depth + 14 * wave;
  }
  return Buffer.concat([Buffer.from(head), data]);
}

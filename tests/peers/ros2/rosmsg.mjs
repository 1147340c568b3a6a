// SPDX-License-Identifier: Apache-2.0
// What the npm packages about ROS messages share: our program's output, and definitions as @foxglove/rosmsg reads them.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { parse } = require("@foxglove/rosmsg");

export { require };

// The output of our program, and its exit code.
export function run(program, what, input = "") {
  const done = spawnSync(program, [what], { input, encoding: "utf8", maxBuffer: 1 << 30 });
  if (done.error) throw done.error;
  return { code: done.status, text: done.stdout, problem: done.stderr };
}

// The same, as one object for each line.
export function lines(program, what) {
  const { code, text, problem } = run(program, what);
  if (code !== 0) throw new Error(`${program} ${what} exits with ${code}: ${problem}`);
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

// The first is the message itself. An empty text is an empty message, which the parser takes for no message at all.
export function definitions_of(text) {
  return text === "" ? [{ definitions: [] }] : parse(text, { ros2: true });
}

// SPDX-License-Identifier: Apache-2.0
// Our definitions against those of npm @foxglove/rosmsg-msgs-common, Jazzy's: rosmsg_definitions.mjs PROGRAM
import { definitions_of, lines, require } from "./rosmsg.mjs";

const { ros2jazzy } = require("@foxglove/rosmsg-msgs-common");
const [program] = process.argv.slice(2);

// Packages that we do not have.
const not_ours = /^(actionlib_msgs|shape_msgs|statistics_msgs|stereo_msgs|test_msgs)\//;
const least = 130;

function fields_of(definitions) {
  return definitions
    .filter((field) => !field.isConstant)
    .map((field) => {
      const length = field.arrayLength ?? (field.arrayUpperBound === undefined ? "" : `<=${field.arrayUpperBound}`);
      const bound = field.upperBound === undefined ? "" : `<=${field.upperBound}`;
      const initial = field.defaultValue ? ` ${field.defaultValue}` : "";  // zero, false and "" go without saying
      return `${field.type}${bound}${field.isArray ? `[${length}]` : ""} ${field.name}${initial}`;
    })
    .join("; ");
}

function constants_of(definitions) {
  const constants = definitions.filter((field) => field.isConstant).map((field) => [field.name, String(field.value)]);
  return constants.map(([name, value]) => `${name}=${value}`).sort().join("; ");
}

const ours = new Map(lines(program, "types").map((line) => [line.type, line]));
const problems = [];
let compared = 0;
let constants = 0;
for (const [name, theirs] of Object.entries(ros2jazzy)) {
  if (not_ours.test(name)) continue;
  const type = ours.get(name.replace("/", "/msg/"));
  if (type === undefined) {
    problems.push(`${name}: we do not have it`);
    continue;
  }
  const our_fields = fields_of(definitions_of(type.definition)[0].definitions);
  const their_fields = fields_of(theirs.definitions);
  if (our_fields !== their_fields) problems.push(`${name}: ours ${our_fields}, theirs ${their_fields}`);
  const our_constants = Object.entries(type.constants).map(([key, value]) => `${key}=${value}`).sort().join("; ");
  const their_constants = constants_of(theirs.definitions);
  if (our_constants !== their_constants) problems.push(`${name}: ours ${our_constants}, theirs ${their_constants}`);
  compared += 1;
  constants += Object.keys(type.constants).length;
}
for (const problem of problems) console.log(problem);
console.log(`${compared} of our ${ours.size} types and ${constants} constants compared with Jazzy's`);
if (compared < least) console.log(`at least ${least} types should have been compared`);
process.exit(problems.length === 0 && compared >= least && constants > 100 ? 0 : 1);

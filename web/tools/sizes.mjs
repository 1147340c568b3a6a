// SPDX-License-Identifier: Apache-2.0
// The size of the built page: node tools/sizes.mjs. Ends with 1 if the script is over its limit.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const limit = 400_000; // bytes of compressed script, all chunks together
const assets = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'assets');
let script = 0;
for (const name of readdirSync(assets).sort()) {
  const bytes = readFileSync(join(assets, name));
  const packed = gzipSync(bytes, { level: 9 }).length;
  if (name.endsWith('.js')) script += packed;
  console.log(`${(bytes.length / 1000).toFixed(1).padStart(8)} kB ${(packed / 1000).toFixed(1).padStart(8)} kB compressed  ${name}`);
}
console.log(`script: ${(script / 1000).toFixed(1)} kB compressed of ${limit / 1000} kB`);
process.exit(script > limit ? 1 : 0);

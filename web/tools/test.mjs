// SPDX-License-Identifier: Apache-2.0
// Bundles every test/*.test.ts with esbuild and runs them with node's own test runner.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, '.test');
const tests = readdirSync(join(root, 'test')).filter((name) => name.endsWith('.test.ts'));
rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => join(root, 'test', name)),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node18',
  define: { 'import.meta.env': '{}' },
  loader: { '.css': 'empty' },
  logLevel: 'warning',
});
const files = tests.map((name) => join(out, name.replace('.ts', '.mjs')));
process.exit(spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1);

// SPDX-License-Identifier: Apache-2.0
// Runs steps one after the other, says each, and gives the exit code.
let failed = 0;

export async function step(name, act) {
  const begun = Date.now();
  try {
    await act();
    console.log(`ok   ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}\n${error.stack ?? error}`);
  }
}

export const result = () => (failed === 0 ? 0 : 1);

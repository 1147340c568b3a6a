// SPDX-License-Identifier: Apache-2.0
// Starts tandem for a test and tells what it prints. Everything started here ends here.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const running = new Set();
const folder = mkdtempSync(join(tmpdir(), "tandem-page-"));
let started = 0;

export const place = (name) => join(folder, name);

export class Program {
  constructor(binary, args, environment = {}) {
    this.lines = "";
    this.waiters = new Set();
    this.ended = false;
    // Ends with this process, also when a time limit kills it.
    this.child = spawn("setpriv", ["--pdeathsig", "KILL", "--", binary, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...environment },
    });
    running.add(this);
    const heard = (text) => {
      this.lines += text;
      for (const look of [...this.waiters]) look();
    };
    this.child.stdout.setEncoding("utf8").on("data", heard);
    this.child.stderr.setEncoding("utf8").on("data", heard);
    this.child.on("exit", () => {
      this.ended = true;
      running.delete(this);
      for (const look of [...this.waiters]) look();
    });
  }

  // The match of the first line that fits; fails with all that was printed.
  line(pattern, seconds = 60) {
    return new Promise((resolve, reject) => {
      const done = (act, value) => {
        clearTimeout(timer);
        this.waiters.delete(look);
        act(value);
      };
      const fail = (why) => done(reject, new Error(`${why} while waiting for ${pattern}; it said:\n${this.lines}`));
      const look = () => {
        const found = pattern.exec(this.lines);
        if (found) done(resolve, found);
        else if (this.ended) fail("the program ended");
      };
      const timer = setTimeout(() => fail(`${seconds} s passed`), seconds * 1000);
      this.waiters.add(look);
      look();
    });
  }

  end(signal = "SIGTERM") {
    if (this.ended) return Promise.resolve();
    return new Promise((resolve) => {
      const hard = setTimeout(() => this.child.kill("SIGKILL"), 8000);
      this.child.once("exit", () => {
        clearTimeout(hard);
        resolve();
      });
      this.child.kill(signal);
    });
  }
}

// A tandem with a page on a free port; its address is `page`, for viewing, and `control` has the token in it.
export async function serve(binary, args, environment) {
  started += 1;
  const program = new Program(
    binary,
    [...args, "--web", "127.0.0.1:0", "--control", place(`control${started}.sock`)],
    environment,
  );
  program.control = (await program.line(/\bpage (http:\/\/\S+)\s/))[1];
  program.page = program.control.replace(/\?.*/, "");
  return program;
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export async function endAll() {
  await Promise.all([...running].map((program) => program.end()));
  rmSync(folder, { recursive: true, force: true });
}

// SPDX-License-Identifier: Apache-2.0
// A stand-in for the program, for looking at the page only: serves dist/ and speaks the Foxglove WebSocket protocol.
//   node mock/server.mjs [--port 8765] [--scenario calm|busy|lost|stopped|mixed|replay|readonly]
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { Mock } from './state.mjs';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at > 0 ? process.argv[at + 1] : otherwise;
};
const scenario = option('scenario', 'busy');
const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const policy =
  "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'";

const http = createServer((request, response) => {
  const path = new URL(request.url, 'http://mock').pathname;
  const file = normalize(join(root, path === '/' ? 'index.html' : path));
  if (!file.startsWith(root) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
  });
  createReadStream(file).pipe(response);
});

const mock = new Mock(scenario);
const sockets = new WebSocketServer({ server: http, handleProtocols: (offered) => (offered.has('foxglove.sdk.v1') ? 'foxglove.sdk.v1' : 'foxglove.websocket.v1') });
sockets.on('connection', (socket) => mock.greet(socket));
http.listen(Number(option('port', '8765')), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${http.address().port}/`);
});

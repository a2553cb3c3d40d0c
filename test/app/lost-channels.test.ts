// Commands that ask running channels, whose process dies before it answers.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockHome } from '#app/home/home-lock.ts';
import { main } from '#app/main.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

test('a connection that ends before the channels answer is an error with a hint, and the exit code is 1', async (t) => {
  const home = scratchFolder();
  const lock = lockHome(home, 'channels');
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/people')) request.socket.destroy();
    else response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    lock.release();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(home, 'channels.url'), `http://127.0.0.1:${port}\n`);
  writeFileSync(join(home, 'token'), 'a-token-of-the-test\n', { mode: 0o600 });
  writeFileSync(join(home, 'parley.config.json'), '{}');
  const err: string[] = [];
  const argv = ['people', 'list', '--config', join(home, 'parley.config.json')];
  const code = await main(argv, { PARLEY_HOME: home }, { out: () => {}, err: (line) => err.push(line) });
  assert.equal(code, 1);
  assert.match(err.join('\n'), /ended the connection before they answered/);
  assert.match(err.join('\n'), /parley status/);
});

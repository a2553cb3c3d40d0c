// A port for a program that is started again and has to be where it was.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf } from '#base/errors.ts';

/** Below those that systems give to anyone who asks for any (from 32,768 on Linux): nobody takes it while the program is down. */
const from = 20_000;
const to = 30_000;

/** A port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(from, to);
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error; // someone is there: another one
    }
  }
}

// An answer of Discord's whose head comes and whose body never does.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { silentLog } from './harness.ts';

const dm: Address = { platform: 'discord', account: 'bot', chat: '100000000000000001', kind: 'dm' };

test('a call whose answer never ends is given up after 30 s, as one that may have been carried out (C2)', async (t) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '40' }).write('{"id":');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const clock = createManualClock();
  // A TCP server's address is an object; only pipes have a string.
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const channel = createDiscordChannel({ token: 'MTIz.test.token', apiUrl, clock, log: silentLog });
  const asked = once(server, 'request');
  let outcome: unknown = 'in progress';
  const sent = channel
    .send(dm, { text: 'hello', body: { content: 'hello' } }, { key: 'k', replyTo: undefined })
    .then(
      () => assert.fail('the answer never came'),
      (error: unknown) => {
        outcome = channel.explain(error);
      },
    );
  await asked;
  await clock.advance(29_000);
  await settle();
  assert.equal(outcome, 'in progress');
  await clock.advance(1_000);
  await sent;
  assert.partialDeepStrictEqual(outcome, { kind: 'transient', maybeDelivered: true });
});

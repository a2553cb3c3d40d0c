// The connection to an engine elsewhere: made again after whatever ends it, from the last event on, and reported while it is not there.

import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createSend } from '#engine/client/request.ts';
import { openLink } from '#engine/remote/link.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { until } from '../../support/found.ts';
import { quietLog } from '../../support/quiet-log.ts';

const envelope = (seq: number | null) => ({
  event_id: 'evt',
  seq,
  schema_version: 1,
  occurred_at_ms: 0,
  session_id: null,
  run_id: null,
});
const frame = (type: string, seq: number | null): string =>
  `data: ${JSON.stringify({ type, properties: {}, envelope: envelope(seq) })}\n\n`;

/** An engine of a few lines: it greets anyone who has the token, and keeps the streams that it was asked for. */
async function openStub(t: TestContext) {
  const stub = {
    token: 'the-right-token',
    version: '1',
    after: [] as unknown[],
    stream: undefined as ServerResponse | undefined,
    /** True: requests for the stream are taken, and nothing ever comes back. */
    mute: false,
  };
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const json = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path === '/global/health') return json(200, { healthy: true, version: stub.version });
    if (request.headers.authorization !== `Bearer ${stub.token}`)
      return json(401, { error: 'no', code: 'UNAUTHORIZED' });
    if (path !== '/event') return json(200, {});
    stub.after.push(request.headers['last-event-id']);
    stub.stream = response;
    if (stub.mute) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame('server.connected', null));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  return { stub, baseUrl };
}

test('a stream that is asked for and never begins is given up after 25 s, and asked for again', async (t) => {
  const { stub, baseUrl } = await openStub(t);
  stub.mute = true;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const closing = new AbortController();
  const link = await openLink({
    send: createSend({ baseUrl, token: 'the-right-token' }),
    baseUrl,
    version: '1',
    clock: systemClock,
    log: quietLog().log,
    begun() {},
    received() {},
    signal: closing.signal,
  });
  const comes = async (fits: () => boolean): Promise<boolean> => {
    for (let round = 0; round < 5_000 && !fits(); round += 1)
      await new Promise((resolve) => setImmediate(resolve));
    return fits();
  };
  assert.ok(await comes(() => stub.after.length === 1));
  t.mock.timers.tick(24_999);
  await comes(() => link.status().state === 'down');
  assert.equal(link.status().state, 'connecting');
  t.mock.timers.tick(1);
  assert.ok(await comes(() => link.status().state === 'down'));
  const status = link.status();
  assert.match(status.state === 'down' ? status.problem.message : '', /no answer in time/);
  stub.mute = false;
  t.mock.timers.tick(250); // the pause before the next attempt
  assert.ok(await comes(() => link.status().state === 'up'));
  closing.abort();
  await link.ended;
});

test('a connection that ends is made again after the last event, whatever was wrong in between, and is reported', async (t) => {
  const { stub, baseUrl } = await openStub(t);
  const closing = new AbortController();
  const received: string[] = [];
  const link = await openLink({
    send: createSend({ baseUrl, token: 'the-right-token' }),
    baseUrl,
    version: '1',
    clock: systemClock,
    log: quietLog().log,
    begun: () => received.push('begun'),
    received: (event: EngineEvent) => received.push(`${event.type} ${event.envelope.seq}`),
    signal: closing.signal,
  });
  const becomes = (fits: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const stop = link.onChange(look);
      function look(): void {
        if (!fits()) return;
        stop();
        resolve();
      }
      look();
    });
  const codeNow = (): string => {
    const status = link.status();
    return status.state === 'down' ? status.problem.code : status.state;
  };
  await link.up(closing.signal);
  stub.stream?.write(frame('session.updated', 7));
  stub.stream?.write(frame('session.updated', 8));
  await until('the event', () => received.includes('session.updated 8'));
  for (const [change, code] of [
    [{ token: 'another-token' }, 'engine_token'],
    [{ version: '2' }, 'engine_version'],
  ] as const) {
    const before = { token: stub.token, version: stub.version };
    Object.assign(stub, change);
    stub.stream?.end();
    await becomes(() => codeNow() === code);
    const impatient = link.up(AbortSignal.timeout(20));
    await assert.rejects(impatient, 'someone who calls in the meantime waits as long as they want to');
    Object.assign(stub, before);
    await link.up(closing.signal);
  }
  assert.deepEqual(stub.after, [undefined, '8', '8']);
  assert.equal(received.filter((what) => what === 'begun').length, 3);
  closing.abort();
  await link.ended;
});

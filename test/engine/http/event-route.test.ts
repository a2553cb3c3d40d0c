// Events over SSE on a real socket: order, filters, resumption, heartbeat, and that nobody stays subscribed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParleyError } from '#base/errors.ts';
import { until } from '../../support/found.ts';
import { bearer, createKit, type Listener, listen, type Served, serveKit } from './kit.ts';

const say = [{ type: 'text' as const, text: 'hello' }];

async function startRun({ engine, session }: Served): Promise<{ sessionID: string; runID: string }> {
  const sessionID = await session();
  const outcome = await engine.prompt(sessionID, { parts: say });
  assert.equal(outcome.status, 'started');
  return { sessionID, runID: outcome.status === 'started' ? outcome.runID : '' };
}

function emitPart({ engine }: Served, run: { sessionID: string; runID: string }, delta?: string): void {
  const part = {
    id: 'prt_1',
    sessionID: run.sessionID,
    messageID: 'msg_1',
    type: 'text' as const,
    text: 'a\nb',
  };
  const properties = { ...run, part, ...(delta === undefined ? {} : { delta }) };
  engine.emit({ type: 'message.part.updated', properties });
}

async function greeted(listener: Listener): Promise<Listener> {
  assert.equal(await listener.type(), 'server.connected');
  assert.equal(await listener.type(), 'engine.lifecycle.ready');
  return listener;
}

test('an empty or unknown id, a run of another session and a strange Last-Event-ID are refused', async (t) => {
  const kit = await serveKit(t);
  const run = await startRun(kit);
  const other = await kit.session();
  const get = (query: string, headers: Record<string, string> = {}) => kit.ask(`/event${query}`, { headers });
  const host = { host: kit.server.url.slice('http://'.length) };
  assert.equal((await get('?sessionID=', host)).status, 400);
  assert.equal((await get('?runID=', host)).status, 400);
  for (const ms of ['-1', '1001', '1.5', 'x'])
    assert.equal((await get(`?gather_ms=${ms}`, host)).status, 400);
  assert.equal((await get('?sessionID=ses_none', host)).status, 404);
  assert.equal((await get('?runID=run_none', host)).status, 404);
  assert.equal((await get(`?sessionID=${other}&runID=${run.runID}`, host)).status, 404);
  for (const id of ['x', '-1', '1.5', '9'.repeat(30)])
    assert.equal((await get('', { ...host, 'last-event-id': id })).status, 400);
  assert.equal(kit.engine.readers(), 0);
});

test('HEAD on the stream answers at once and subscribes nobody', async (t) => {
  const kit = await serveKit(t);
  const headers = { host: kit.server.url.slice('http://'.length) };
  const response = await kit.ask('/event', { method: 'HEAD', headers });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.equal(await response.text(), '');
  assert.equal(kit.engine.readers(), 0);
});

test('the stream greets with connected and ready, and who was greeted is subscribed', async (t) => {
  const kit = await serveKit(t);
  const listener = await listen(`${kit.server.url}/event`);
  assert.equal(listener.headers.get('content-type'), 'text/event-stream');
  const first = await listener.next();
  assert.equal(first?.data?.type, 'server.connected');
  assert.equal(first?.id, undefined);
  const { runID } = await startRun(kit);
  const ready = await listener.next();
  assert.deepEqual(
    [ready?.data?.type, ready?.data?.properties],
    ['engine.lifecycle.ready', { version: '1.2.3' }],
  );
  const started = await listener.next();
  assert.deepEqual([started?.data?.type, started?.data?.properties.runID], ['session.run.started', runID]);
});

test('durable events carry an id, live ones none, and line breaks do not break a frame', async (t) => {
  const kit = await serveKit(t);
  const run = await startRun(kit);
  const listener = await greeted(await listen(`${kit.server.url}/event?sessionID=${run.sessionID}`));
  emitPart(kit, run, 'b\r\nc\n\nd');
  emitPart(kit, run);
  const live = await listener.next();
  const durable = await listener.next();
  assert.deepEqual([live?.id, live?.data?.properties.delta], [undefined, 'b\r\nc\n\nd']);
  assert.deepEqual([durable?.id, durable?.data?.envelope.seq], ['2', 2]);
});

test('a filtered stream has nothing of another session', async (t) => {
  const kit = await serveKit(t);
  const [mine, other] = [await startRun(kit), await startRun(kit)];
  const listener = await greeted(await listen(`${kit.server.url}/event?sessionID=${mine.sessionID}`));
  emitPart(kit, other, 'not yours');
  kit.engine.finish(other.runID);
  emitPart(kit, mine);
  assert.deepEqual((await listener.next())?.data?.properties.sessionID, mine.sessionID);
});

test('a run’s stream outlives the end of other runs and ends after its own (T24)', async (t) => {
  const kit = await serveKit(t);
  const [mine, other] = [await startRun(kit), await startRun(kit)];
  const url = `${kit.server.url}/event?${new URLSearchParams(mine)}`;
  const listener = await greeted(await listen(url));
  kit.engine.finish(other.runID);
  emitPart(kit, mine, 'still here');
  kit.engine.finish(mine.runID);
  assert.deepEqual(await listener.rest(), [
    'session.run.started',
    'message.part.updated',
    'session.run.finished',
  ]);
  await until('the reader to leave', () => kit.engine.readers() === 0);
});

test('a client that attaches late has every durable event of the run, also of one that ended before (TD)', async (t) => {
  const kit = await serveKit(t);
  const run = await startRun(kit);
  emitPart(kit, run, 'gone by');
  emitPart(kit, run);
  kit.engine.finish(run.runID);
  const listener = await greeted(await listen(`${kit.server.url}/event?runID=${run.runID}`));
  assert.deepEqual(await listener.rest(), [
    'session.run.started',
    'message.part.updated',
    'session.run.finished',
  ]);
});

test('Last-Event-ID continues after that event, once, and a run that was heard to its end just ends', async (t) => {
  const kit = await serveKit(t);
  const run = await startRun(kit);
  emitPart(kit, run);
  const url = `${kit.server.url}/event?sessionID=${run.sessionID}`;
  const listener = await greeted(await listen(url, { 'last-event-id': '1' }));
  assert.equal((await listener.next())?.id, '2');
  kit.engine.finish(run.runID);
  assert.equal((await listener.next())?.id, '3');
  const rest = async (id: string) =>
    (await greeted(await listen(`${url}&runID=${run.runID}`, { 'last-event-id': id }))).rest();
  assert.deepEqual(await rest('2'), ['session.run.finished']);
  assert.deepEqual(await rest('3'), []);
});

test('without Last-Event-ID a session’s stream begins now', async (t) => {
  const kit = await serveKit(t);
  const run = await startRun(kit);
  const listener = await greeted(await listen(`${kit.server.url}/event?sessionID=${run.sessionID}`));
  kit.engine.finish(run.runID);
  assert.equal(await listener.type(), 'session.run.finished');
});

test('a quiet stream beats every ten seconds', async (t) => {
  const kit = await serveKit(t);
  const listener = await greeted(await listen(`${kit.server.url}/event`));
  for (let beat = 0; beat < 3; beat += 1) {
    await until('the heartbeat to sleep', () => kit.clock.sleeping() === 1);
    await kit.clock.advance(9_999);
    kit.engine.emit({ type: 'session.updated', properties: { sessionID: 'ses_1', title: `${beat}` } });
    assert.equal((await listener.next())?.data?.type, 'session.updated');
    await kit.clock.advance(1);
    assert.equal((await listener.next())?.comment, 'heartbeat');
  }
});

test('a client that goes away leaves no reader and no timer', async (t) => {
  const kit = await serveKit(t);
  const listeners = await Promise.all(Array.from({ length: 20 }, () => listen(`${kit.server.url}/event`)));
  assert.equal(kit.engine.readers(), 20);
  for (const listener of listeners) listener.leave();
  await until('the readers to leave', () => kit.engine.readers() === 0);
  await until('the heartbeats to end', () => kit.clock.sleeping() === 0);
});

test('cancelling just the body, as an in-process caller does, leaves no reader either', async () => {
  const { ask, engine, clock } = createKit();
  const response = await ask('/event');
  assert.equal(engine.readers(), 1);
  await response.body?.cancel();
  await until('the reader to leave', () => engine.readers() === 0);
  await until('the heartbeat to end', () => clock.sleeping() === 0);
});

test('a client that reads nothing is waited for, and leaves without a trace', async (t) => {
  const kit = await serveKit(t);
  const left = new AbortController();
  await fetch(`${kit.server.url}/event`, { headers: bearer, signal: left.signal });
  await until('the reader', () => kit.engine.readers() === 1);
  const title = 'x'.repeat(100_000);
  // Forty megabytes: more than the buffers of two sockets hold, so that some must stay in the engine's queue.
  for (let i = 0; i < 400; i += 1)
    kit.engine.emit({ type: 'session.updated', properties: { sessionID: 'ses_1', title } });
  for (let i = 0; i < 5; i += 1) await fetch(`${kit.server.url}/global/health`);
  assert.ok(kit.engine.queued() > 0, 'the stream took what nobody read');
  left.abort();
  await until('the reader to leave', () => kit.engine.readers() === 0);
});

test('a client that goes on reading nothing is cut off, the log says so, and another one gets every event', async (t) => {
  const kit = await serveKit(t, { stalledMs: 300 });
  const silent = await fetch(`${kit.server.url}/event`, { headers: bearer });
  // held until then: a response that nobody has any more is cancelled with the next collection of garbage
  t.after(() => silent.body?.cancel().catch(() => undefined));
  const listener = await greeted(await listen(`${kit.server.url}/event`));
  const title = 'x'.repeat(100_000);
  for (let i = 0; i < 400; i += 1)
    kit.engine.emit({ type: 'session.updated', properties: { sessionID: 'ses_1', title } });
  kit.engine.emit({ type: 'session.updated', properties: { sessionID: 'ses_1', title: 'the last' } });
  for (;;) if ((await listener.next())?.data?.properties.title === 'the last') break;
  await until('the other to be cut off', () => kit.engine.readers() === 1);
  assert.match(kit.logged.join(), /took nothing of it, and was cut off/);
});

test('a reader that fell behind is told so by name, and the stream ends', async (t) => {
  const kit = await serveKit(t);
  const listener = await greeted(await listen(`${kit.server.url}/event`));
  kit.engine.failReaders(new ParleyError('subscriber_overflow', 'This reader was too far behind.'));
  const frame = await listener.next();
  assert.equal(frame?.event, 'error');
  assert.deepEqual(frame?.data, {
    error: 'This reader was too far behind.',
    code: 'SUBSCRIBER_OVERFLOW',
    retryable: true,
  });
  assert.equal(await listener.next(), undefined);
});

test('a stream that breaks inside gives a reference and no more', async (t) => {
  const kit = await serveKit(t);
  const listener = await greeted(await listen(`${kit.server.url}/event`));
  kit.engine.failReaders(new Error('disk I/O error in /home/secret/engine.sqlite'));
  const frame = await listener.next();
  assert.doesNotMatch(JSON.stringify(frame), /secret|disk/);
  assert.match(JSON.stringify(frame), /INTERNAL_ERROR.*ref_/);
  assert.match(kit.logged.join(), /disk I\/O error/);
});

test('each event goes at once, and a reader that wants them gathered gets many in one write', async (t) => {
  const kit = await serveKit(t);
  const run = await startRun(kit);
  const written = async (query: string): Promise<number> => {
    const response = await fetch(`${kit.server.url}/event?sessionID=${run.sessionID}${query}`, {
      headers: { ...bearer },
    });
    const reader = response.body?.getReader();
    assert.ok(reader);
    const decoder = new TextDecoder();
    let [text, writes] = ['', 0];
    const readTo = async (mark: string): Promise<void> => {
      while (!text.includes(mark)) {
        const { value, done } = await reader.read();
        assert.equal(done, false);
        text += decoder.decode(value, { stream: true });
        writes += 1;
      }
    };
    await readTo('engine.lifecycle.ready');
    writes = 0;
    const read = readTo('piece 29;');
    for (let piece = 0; piece < 30; piece += 1) {
      emitPart(kit, run, `piece ${piece};`);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await read;
    await reader.cancel();
    return writes;
  };
  const [atOnce, gathered] = [await written(''), await written('&gather_ms=1000')];
  // the socket may join a few; one write follows the greeting's second and holds the rest
  assert.ok(atOnce >= 10, `${atOnce} writes`);
  assert.ok(gathered <= 3, `${gathered} writes`);
});

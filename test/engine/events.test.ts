// The event stream: strict filters, replay without gap or doubling, and readers that fall behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { ask, openKit, textBody, watch } from './support/kit.ts';

async function read(events: AsyncIterable<EngineEvent>, fits: (event: EngineEvent) => boolean) {
  const seen: EngineEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (fits(event)) break;
  }
  return seen;
}

test('a reader that falls too far behind gets what was queued and then an error that names the bound', async (t) => {
  const { engine } = await openKit(t, { limits: { subscriberEvents: 3 } });
  const { id } = await engine.createSession({});
  const stop = new AbortController();
  const events = engine.events({ sessionID: id }, stop.signal);
  await ask(engine, id, 'What do you know of me?');
  const seen: EngineEvent[] = [];
  await assert.rejects(
    async () => {
      for await (const event of events) seen.push(event);
    },
    { code: 'subscriber_overflow', message: /more than 3 events behind/ },
  );
  assert.equal(seen.length, 3);
});

test('a filter lets nothing of another session or run through, whatever else happens (T19, T24)', async (t) => {
  const { engine } = await openKit(t);
  const one = await engine.createSession({});
  const two = await engine.createSession({});
  const first = await ask(engine, one.id, 'first');
  const ofOne = watch(t, engine, { sessionID: one.id });
  const ofBoth = watch(t, engine, { sessionID: one.id, runID: first.runID });
  const all = watch(t, engine);
  await Promise.all([ask(engine, two.id, 'over there'), ask(engine, one.id, 'over here')]);
  const ended = (sessionID: string) => (event: EngineEvent) =>
    event.type === 'session.run.finished' && event.properties.sessionID === sessionID;
  await all.until(ended(one.id));
  await all.until(ended(two.id));
  await ofOne.until(ended(one.id));
  assert.ok(ofOne.seen.every(({ envelope }) => envelope.session_id === one.id));
  assert.deepEqual(ofBoth.seen, []);
});

test('events after a position are replayed and joined by live ones: no gap, no doubling', async (t) => {
  const kit = await openKit(t);
  const { id } = await kit.engine.createSession({});
  for (const text of ['one', 'two', 'three']) await ask(kit.engine, id, text);
  const engine = await kit.restart();
  const stop = new AbortController();
  const whole = engine.events({ sessionID: id, afterSeq: 0 }, stop.signal);
  const late = await ask(engine, id, 'four');
  const seen = await read(
    whole,
    (event) => event.type === 'session.run.finished' && event.properties.runID === late.runID,
  );
  const seqs = seen.flatMap(({ envelope }) => envelope.seq ?? []);
  assert.deepEqual(
    seqs,
    seqs.map((_, index) => index + 1),
  );
  assert.equal(seen.filter(({ type }) => type === 'session.run.finished').length, 4);
  const middle = seqs[Math.floor(seqs.length / 2)] ?? 0;
  const rest = await read(
    engine.events({ sessionID: id, afterSeq: middle }, stop.signal),
    ({ envelope }) => envelope.seq === seqs.at(-1),
  );
  assert.deepEqual(
    rest.map(({ envelope }) => envelope.seq),
    seqs.filter((seq) => seq > middle),
  );
  assert.deepEqual(
    rest,
    seen.filter(({ envelope }) => (envelope.seq ?? 0) > middle),
  );
});

test('more events than fit one page of a replay come in order', async (t) => {
  const { engine } = await openKit(t);
  const { id } = await engine.createSession({});
  for (let index = 0; index < 300; index += 1) await engine.createSession({ title: `s${index}` });
  const stop = new AbortController();
  const seen = await read(
    engine.events({ afterSeq: 0 }, stop.signal),
    (event) => event.type === 'session.updated' && event.properties.title === 's299',
  );
  assert.equal(seen.length, 301);
  assert.equal(seen[0]?.envelope.session_id, id);
});

test('a stream ends with its signal, with the engine, and at once when the signal was aborted before', async (t) => {
  const kit = await openKit(t);
  const { engine } = kit;
  const stop = new AbortController();
  const first = read(engine.events({}, stop.signal), () => false);
  stop.abort();
  assert.deepEqual(await first, []);
  assert.deepEqual(await read(engine.events({ afterSeq: 0 }, stop.signal), () => false), []);
  const last = read(engine.events({}, new AbortController().signal), () => false);
  await engine.createSession({});
  await kit.restart();
  assert.equal((await last).length, 1);
  assert.throws(() => engine.events({}, new AbortController().signal), { code: 'engine_closed' });
});

test('a listener hears what happens from the moment of its call, not of its first read', async (t) => {
  const { engine } = await openKit(t);
  const { id } = await engine.createSession({});
  const events = engine.events({ sessionID: id }, new AbortController().signal);
  const outcome = await engine.prompt(id, textBody('hello'));
  const seen = await read(events, ({ type }) => type === 'session.run.finished');
  assert.equal(seen[0]?.type, 'session.updated');
  assert.equal(seen[1]?.envelope.run_id, outcome.status === 'started' && outcome.runID);
});

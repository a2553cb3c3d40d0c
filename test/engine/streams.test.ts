// Streams that stall, break or are torn, from a server that sends bytes as the test wants them; time is the test's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../support/manual-clock.ts';
import { hurriedClock } from './support/hurried-clock.ts';
import { ask, begin, only, openKit, textBody, watch } from './support/kit.ts';
import { frame, startRaw } from './support/raw-provider.ts';

test('a provider that accepts a request and never begins to answer is given up, and the session is free (T17)', async (t) => {
  const clock = createManualClock();
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { clock, model: raw.settings });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  assert.equal((await engine.prompt(id, textBody('again'))).status, 'conflict');
  await clock.advance(30_000);
  const run = await engine.finished(runID);
  assert.equal(run.status, 'error');
  assert.equal(run.failure?.code, 'ENGINE_TIMEOUT');
  assert.equal(run.failure?.category, 'timeout');
  await call.closed;
  const next = await begin(engine, id, textBody('again'));
  const second = await raw.next();
  second.say('Here I am.');
  second.finish();
  assert.equal((await engine.finished(next)).text, 'Here I am.');
});

test('a stream that goes silent is given up after the idle limit, and what was written stays as a failure (T17)', async (t) => {
  const clock = createManualClock();
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { clock, model: raw.settings });
  const { id } = await engine.createSession({});
  const events = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  call.say('One ');
  await events.until((event) => event.type === 'message.part.updated');
  await clock.advance(89_000);
  assert.equal((await engine.getRun({ runID })).status, 'running');
  await clock.advance(2_000);
  const run = await engine.finished(runID);
  assert.equal(run.status, 'error');
  assert.equal(run.text, 'One ');
  await call.closed;
  const [, answer] = await engine.messages(id);
  assert.equal(answer?.info.error?.code, 'ENGINE_TIMEOUT');
});

test('a run that does not end is stopped by the limit of the whole run', async (t) => {
  const clock = createManualClock();
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { clock, model: raw.settings, limits: { totalMs: 120_000 } });
  const { id } = await engine.createSession({});
  const events = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  for (const word of ['one ', 'two ', 'three ']) {
    call.say(word);
    await events.until((event) => event.type === 'message.part.updated' && event.properties.delta === word);
    await clock.advance(50_000);
  }
  const run = await engine.finished(runID);
  assert.equal(run.status, 'timeout');
  assert.equal(run.text, 'one two three ');
});

test('an answer beyond the output limit is stopped, and the provider is no longer read', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings, limits: { outputChars: 100 } });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  call.say('x'.repeat(60));
  call.say('y'.repeat(60));
  const run = await engine.finished(runID);
  assert.equal(run.failure?.code, 'OUTPUT_TOO_LONG');
  assert.equal(run.text, 'x'.repeat(60) + 'y'.repeat(40));
  await call.closed;
});

test('a stream that breaks in the middle is reported as such and is not tried again', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings, clock: hurriedClock });
  const { id } = await engine.createSession({});
  const events = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  call.say('Half a ');
  await events.until((event) => event.type === 'message.part.updated');
  call.tear();
  const run = await engine.finished(runID);
  assert.equal(run.status, 'error');
  assert.equal(run.failure?.code, 'PROVIDER_STREAM_BROKEN');
  assert.equal(run.text, 'Half a ');
});

test('a stream that ends without saying that it is complete is a broken answer', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  call.say('Half a ');
  call.end();
  const run = await engine.finished(runID);
  assert.equal(run.failure?.code, 'PROVIDER_STREAM_BROKEN');
});

test('a connection that breaks before anything was shown is made again', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings, clock: hurriedClock });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('hello'));
  (await raw.next()).tear();
  const second = await raw.next();
  second.say('Now it works.');
  second.finish();
  assert.equal((await engine.finished(runID)).text, 'Now it works.');
});

test('a stream that breaks before its first piece is asked for again', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings, clock: hurriedClock });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('hello'));
  const first = await raw.next();
  first.write(': waiting\n\n');
  first.tear();
  const second = await raw.next();
  second.say('Now it works.');
  second.finish();
  assert.equal((await engine.finished(runID)).text, 'Now it works.');
});

test('characters torn between two network chunks arrive whole', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const text = 'żółw 日本語 👩‍👩‍👧 Ω';
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  call.open();
  for (const byte of Buffer.from(frame({ content: text }))) {
    call.write(Uint8Array.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  call.finish();
  assert.equal((await engine.finished(runID)).text, text);
});

test('deltas of nothing but whitespace are stored (TC)', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const { seen } = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  for (const delta of ['a', '\n', ' ', '\n\n', 'b', ' ']) call.say(delta);
  call.finish();
  assert.equal((await engine.finished(runID)).text, 'a\n \n\nb ');
  const deltas = only(seen, 'message.part.updated').flatMap(({ properties }) => properties.delta ?? []);
  assert.equal(deltas.join(''), 'a\n \n\nb ');
});

test('cancelling waits until the work has stopped, ends the run once, and only then frees the session (TAE)', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const events = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  call.say('I was going to ');
  await events.until((event) => event.type === 'message.part.updated');
  const cancelling = engine.cancel(id);
  assert.equal((await engine.prompt(id, textBody('next'))).status, 'conflict');
  assert.equal(await cancelling, true);
  const run = await engine.finished(runID);
  assert.equal(run.status, 'cancelled');
  assert.equal(run.failure?.category, 'user_cancelled');
  await call.closed;
  assert.equal(await engine.cancel(id), false);
  const next = await begin(engine, id, textBody('next'));
  const second = await raw.next();
  second.say('Yes?');
  second.finish();
  assert.equal((await engine.finished(next)).status, 'completed');
  await events.until(({ type, envelope }) => type === 'session.run.finished' && envelope.run_id === next);
  const ends = only(events.seen, 'session.run.finished').map(({ properties }) => properties);
  assert.deepEqual(
    ends.map((end) => [end.runID, end.status]),
    [
      [runID, 'cancelled'],
      [next, 'completed'],
    ],
  );
});

test('what failed stays in the history as an error and is not sent to the model later (TAG)', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const failing = begin(engine, id, textBody('first question'));
  const first = await raw.next();
  first.say('A torn answer');
  first.end();
  const failed = await engine.finished(await failing);
  const second = ask(engine, id, 'second question');
  const call = await raw.next();
  call.say('Fine.');
  call.finish();
  await second;
  const sent = JSON.stringify(call.body.messages);
  assert.match(sent, /first question/);
  assert.match(sent, /second question/);
  assert.doesNotMatch(sent, /torn answer|ref_|broke off/);
  const [, record] = await engine.messages(id);
  assert.deepEqual(record?.info.error, {
    code: 'PROVIDER_STREAM_BROKEN',
    message: 'The answer broke off before it was complete.',
    ref: failed.failure?.ref,
  });
});

test('an answer whose server keeps the connection open after its end is complete soon after it', async (t) => {
  const clock = createManualClock();
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { clock, model: raw.settings });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  call.say('All of "finish_reason":"stop" it.');
  await clock.advance(10_000);
  assert.equal((await engine.getRun({ runID })).status, 'running', 'what the model says is no end');
  call.write(frame({}, 'stop'));
  await clock.advance(1_000);
  call.write(usageFrame({ prompt_tokens: 12, completion_tokens: 3 }));
  await clock.advance(5_000);
  const run = await engine.finished(runID);
  assert.deepEqual([run.status, run.text], ['completed', 'All of "finish_reason":"stop" it.']);
  assert.deepEqual([run.usage?.inputTokens, run.usage?.outputTokens], [12, 3]);
  await call.closed;
});

test('a server that says it is done and keeps the connection open is not waited for', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { clock: createManualClock(), model: raw.settings });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  call.write(`${frame({ content: 'Done.' })}${frame({}, 'stop')}data: [DO`);
  call.write('NE]\n\n');
  assert.deepEqual((await engine.finished(runID)).text, 'Done.');
  await call.closed;
});

test('usage that cannot be true is not counted, and the answer is complete', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  for (const usage of [
    { prompt_tokens: -5, completion_tokens: 7 },
    { prompt_tokens: 4.5, completion_tokens: 1e300 },
    { prompt_tokens: 10, completion_tokens: 7, prompt_tokens_details: { cached_tokens: -3 } },
    { prompt_tokens: 10, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 90 } },
    { prompt_tokens: 10, completion_tokens: 7, completion_tokens_details: { reasoning_tokens: 90 } },
  ]) {
    const runID = await begin(engine, id, textBody('hello'));
    const call = await raw.next();
    call.say('Whole.');
    call.write(frame({}, 'stop'));
    call.write(usageFrame(usage));
    call.end();
    const run = await engine.finished(runID);
    assert.deepEqual([run.status, run.text], ['completed', 'Whole.'], JSON.stringify(usage));
    for (const [name, tokens] of Object.entries(run.usage ?? {}))
      assert.ok(Number.isSafeInteger(tokens) && Number(tokens) >= 0, `${name}: ${tokens}`);
  }
});

/** The usage of a stream, as it comes after its finish. */
function usageFrame(usage: object): string {
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}\n\n`;
}

// When a model is out another takes over, in order, and only before anything was shown; over real HTTP against aimock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { pdfOf } from '../support/documents.ts';
import { hurriedClock } from './support/hurried-clock.ts';
import { ask, openKit } from './support/kit.ts';
import { settingsFor, startMock } from './support/mock-provider.ts';
import { type RawCall, startRaw } from './support/raw-provider.ts';

test('an outage is taken over by the next provider that is up, whatever its kind, and the run says which', async (t) => {
  const [first, second, third] = [await startMock(t), await startMock(t), await startMock(t)];
  first.onMessage('hello', { error: { message: 'down' }, status: 503 });
  second.onMessage('hello', { error: { message: 'slow down' }, status: 429 });
  third.on(
    { userMessage: 'hello', hasToolResult: false },
    { toolCalls: [{ name: 'todo_read', arguments: '{}' }] },
  );
  third.on({ userMessage: 'hello', hasToolResult: true }, { content: 'Hello from the third.' });
  const { engine } = await openKit(t, {
    model: settingsFor('openai', first),
    fallbacks: [
      settingsFor('google', second),
      { ...settingsFor('anthropic', third), model: 'claude-haiku-5-5' },
    ],
    clock: hurriedClock,
  });
  const { id } = await engine.createSession({});
  const run = await ask(engine, id, 'hello');
  assert.equal(run.text, 'Hello from the third.');
  assert.deepEqual(run.model, { providerID: 'anthropic', modelID: 'claude-haiku-5-5' });
  // Three attempts each; what took over stays for the later turns of the run.
  assert.deepEqual(
    [first, second, third].map((mock) => mock.getRequests().length),
    [3, 3, 2],
  );
  const next = await ask(engine, id, 'hello');
  assert.equal(next.status, 'completed');
  assert.equal(first.getRequests().length, 6);
});

for (const [words, answer, code] of [
  ['refuses its key', { error: { message: 'no' }, status: 401 }, 'AUTHENTICATION_ERROR'],
  ['may not be used', { error: { message: 'no' }, status: 403 }, 'AUTHENTICATION_ERROR'],
  ['does not exist', { error: { message: 'no' }, status: 404 }, 'MODEL_NOT_FOUND'],
  ['refuses the request', { error: { message: 'no' }, status: 400 }, 'PROVIDER_REQUEST_INVALID'],
  ['says nothing', { content: '' }, 'EMPTY_ANSWER'],
  ['withholds its answer', { content: '', finishReason: 'content_filter' }, 'CONTENT_FILTERED'],
] as const)
  test(`where a model ${words} the next one answers, and without one the failure is reported as what it is (R15)`, async (t) => {
    const [first, second] = [await startMock(t), await startMock(t)];
    first.onMessage('hello', answer);
    second.onMessage('hello', { content: 'Hello.' });
    const model = { ...settingsFor('openai', first), api: 'chat' as const };
    const problems = createActiveProblems(hurriedClock);
    const { engine, restart } = await openKit(t, {
      ...{ model, fallbacks: [settingsFor('openai', second)], clock: hurriedClock, problems },
    });
    const { id } = await engine.createSession({});
    assert.equal((await ask(engine, id, 'hello')).text, 'Hello.');
    const isToMend = code === 'AUTHENTICATION_ERROR' || code === 'MODEL_NOT_FOUND';
    assert.equal(problems.list().length, isToMend ? 1 : 0, 'the operator sees it although another answers');
    const single = await restart({ fallbacks: [] });
    assert.equal((await ask(single, id, 'hello')).failure?.code, code);
  });

for (const [words, answer, code] of [
  ['fails', (call: RawCall) => call.refuse(500, { error: { message: 'boom' } }), 'PROVIDER_SERVER_ERROR'],
  [
    'has no gateway',
    (call: RawCall) => call.send(502, '<h1>Bad Gateway</h1>', 'text/html'),
    'PROVIDER_SERVER_ERROR',
  ],
  [
    'sends an error with status 200',
    (call: RawCall) => call.send(200, '{"error":{"message":"upstream failed"}}', 'application/json'),
    'PROVIDER_SERVER_ERROR',
  ],
  [
    'sends an error in its stream',
    (call: RawCall) => {
      call.open();
      call.write('data: {"error":{"message":"upstream failed","code":502}}\n\n');
      call.end();
    },
    'PROVIDER_SERVER_ERROR',
  ],
  ['does not begin in time', (call: RawCall) => call.open(), 'ENGINE_TIMEOUT'],
  [
    'has too small a window',
    (call: RawCall) =>
      call.refuse(400, { error: { message: "This model's maximum context length is 1024 tokens." } }),
    'CONTEXT_LENGTH_EXCEEDED',
  ],
  ['breaks off before a word', (call: RawCall) => call.tear(), 'PROVIDER_UNREACHABLE'],
] as const)
  test(`where a model ${words} the next one answers, and without one the failure is reported (R15)`, async (t) => {
    const first = await startRaw(t, answer);
    const second = await startMock(t);
    second.onMessage('hello', { content: 'Hello.' });
    const { engine, restart } = await openKit(t, {
      ...{ model: first.settings, fallbacks: [settingsFor('openai', second)] },
      // the pauses of a clock that hurries would take no time, and so would the limit
      ...(words === 'does not begin in time'
        ? { limits: { firstTokenMs: 500 }, clock: systemClock }
        : { clock: hurriedClock }),
    });
    const { id } = await engine.createSession({});
    assert.equal((await ask(engine, id, 'hello')).text, 'Hello.');
    const single = await restart({ fallbacks: [] });
    assert.equal((await ask(single, id, 'hello')).failure?.code, code);
  });

test('an answer that broke off in the middle is not begun again by another model', async (t) => {
  const raw = await startRaw(t);
  const second = await startMock(t);
  second.onMessage('hello', { content: 'Hello.' });
  const { engine } = await openKit(t, {
    model: raw.settings,
    fallbacks: [settingsFor('openai', second)],
    clock: hurriedClock,
  });
  const asking = ask(engine, (await engine.createSession({})).id, 'hello');
  const call = await raw.next();
  call.say('Half');
  call.end();
  const run = await asking;
  assert.equal(run.failure?.code, 'PROVIDER_STREAM_BROKEN');
  assert.equal(second.getRequests().length, 0);
});

test('when all are out the last failure is reported', async (t) => {
  const [first, second] = [await startMock(t), await startMock(t)];
  first.onMessage('hello', { error: { message: 'down' }, status: 503 });
  second.onMessage('hello', { error: { message: 'slow down' }, status: 429 });
  const { engine } = await openKit(t, {
    model: settingsFor('openai', first),
    fallbacks: [settingsFor('openai', second)],
    clock: hurriedClock,
  });
  const run = await ask(engine, (await engine.createSession({})).id, 'hello');
  assert.equal(run.failure?.code, 'RATE_LIMIT_EXCEEDED');
});

test('a provider that names a time to come back is asked again then, not before; one that asks for too long is not waited for', async (t) => {
  const mock = await startMock(t);
  mock.on({ userMessage: 'soon' }, { error: { message: 'slow down' }, status: 429, retryAfter: 7 });
  mock.on({ userMessage: 'later' }, { error: { message: 'slow down' }, status: 429, retryAfter: 3_600 });
  const waits: number[] = [];
  const clock = {
    ...hurriedClock,
    sleep: (ms: number, signal?: AbortSignal) => {
      if (ms === 7_000) waits.push(ms);
      return hurriedClock.sleep(ms, signal);
    },
  };
  const { engine } = await openKit(t, { model: settingsFor('openai', mock), clock });
  await ask(engine, (await engine.createSession({})).id, 'soon');
  assert.deepEqual(waits, [7_000, 7_000]);
  assert.equal(mock.getRequests().length, 3);
  const run = await ask(engine, (await engine.createSession({})).id, 'later');
  assert.equal(run.failure?.code, 'RATE_LIMIT_EXCEEDED');
  assert.equal(mock.getRequests().length, 4);
});

test('an account without credit is reported as such and not asked again; the next model takes over', async (t) => {
  const raw = await startRaw(t);
  const refusal = {
    error: { message: 'You exceeded your quota', type: 'insufficient_quota', code: 'insufficient_quota' },
  };
  const single = await openKit(t, { model: raw.settings, clock: hurriedClock });
  const asking = ask(single.engine, (await single.engine.createSession({})).id, 'hello');
  (await raw.next()).refuse(429, refusal);
  const run = await asking;
  assert.equal(run.failure?.code, 'PROVIDER_BILLING');
  assert.match(run.failure?.message ?? '', /no credit left/);
  const second = await startMock(t);
  second.onMessage('hello', { content: 'Hello.' });
  const fallbacks = [settingsFor('openai', second)];
  const { engine } = await openKit(t, { model: raw.settings, fallbacks, clock: hurriedClock });
  const again = ask(engine, (await engine.createSession({})).id, 'hello');
  (await raw.next()).refuse(429, refusal);
  assert.equal((await again).text, 'Hello.');
});

for (const [words, aheadMs] of [
  ['ahead of', 3_600_000],
  ['behind', -3_600_000],
] as const)
  test(`a date to come back at is compared with the date of the answer, with a clock an hour ${words} the provider's`, async (t) => {
    const raw = await startRaw(t);
    const waits: number[] = [];
    const clock = {
      ...hurriedClock,
      now: () => hurriedClock.now() + aheadMs,
      sleep: (ms: number, signal?: AbortSignal) => {
        if (ms === 7_000) waits.push(ms);
        return hurriedClock.sleep(ms, signal);
      },
    };
    const { engine } = await openKit(t, { model: raw.settings, clock });
    const asking = ask(engine, (await engine.createSession({})).id, 'hello');
    const date = Date.UTC(2026, 0, 2, 3, 4, 5);
    const headers = {
      date: new Date(date).toUTCString(),
      'retry-after': new Date(date + 7_000).toUTCString(),
    };
    for (let times = 0; times < 2; times += 1)
      (await raw.next()).refuse(429, { error: { message: 'slow down' } }, headers);
    const call = await raw.next();
    call.say('Hello.');
    call.finish();
    assert.equal((await asking).text, 'Hello.');
    assert.deepEqual(waits, [7_000, 7_000]);
  });

const paper = {
  type: 'file' as const,
  mime: 'application/pdf',
  filename: 'paper.pdf',
  url: `data:application/pdf;base64,${pdfOf(['The tide turns at noon.']).toString('base64')}`,
};
const clip = { ...paper, mime: 'audio/mpeg', filename: 'clip.mp3', url: 'data:audio/mpeg;base64,AAAA' };

test('a model that takes over and takes no such files has the text of documents, and the names of other files (R27)', async (t) => {
  const [first, second] = [await startMock(t), await startRaw(t)];
  first.onMessage(/.*/, { error: { message: 'down' }, status: 503 });
  const { engine } = await openKit(t, {
    model: settingsFor('google', first),
    fallbacks: [second.settings],
    clock: hurriedClock,
  });
  const { id } = await engine.createSession({});
  const parts = [{ type: 'text' as const, text: 'What is in these?' }, paper, clip];
  const begun = await engine.prompt(id, { parts });
  assert.equal(begun.status, 'started');
  const call = await second.next();
  const asked = JSON.stringify(call.body.messages);
  assert.match(asked, /paper\.pdf.*The tide turns at noon/);
  assert.match(asked, /clip\.mp3/);
  assert.doesNotMatch(asked, /base64|input_audio/);
  call.say('The tide.');
  call.finish();
  assert.equal((await engine.finished(begun.runID)).text, 'The tide.');
});

test('a document that a model refuses is sent as its text, and the next message is answered (R27)', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, {
    model: { ...raw.settings, provider: 'openai', api: 'chat', apiKey: 'k'.repeat(20) },
    clock: hurriedClock,
  });
  const { id } = await engine.createSession({});
  for (const words of [
    'messages.0.content.1.document.source.base64.data: A maximum of 100 PDF pages may be provided.',
    'Invalid file data: file_data. Expected a base64-encoded PDF.',
    'Something is wrong with your request.',
  ]) {
    const parts = [{ type: 'text' as const, text: `And this? ${words.length}` }, paper];
    const begun = await engine.prompt(id, { parts });
    assert.equal(begun.status, 'started');
    const refused = await raw.next();
    assert.match(JSON.stringify(refused.body), /base64/);
    refused.refuse(400, { error: { message: words } });
    const call = await raw.next();
    assert.match(JSON.stringify(call.body.messages), /paper\.pdf.*The tide turns at noon/, words);
    assert.doesNotMatch(JSON.stringify(call.body.messages), /base64/, words);
    call.say('The tide.');
    call.finish();
    assert.equal((await engine.finished(begun.runID)).text, 'The tide.', words);
    await engine.revertSession({ sessionID: id, messageID: (await engine.messages(id))[0]?.info.id ?? '' });
  }
});

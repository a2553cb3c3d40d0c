// The engine with real provider clients over real HTTP, against an independent server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LLMock } from '@copilotkit/aimock';
import type { ModelSettings } from '#engine/providers/calls/settings.ts';
import { createModelThread } from '#engine/providers/thread/thread.ts';
import { hurriedClock } from './support/hurried-clock.ts';
import { ask, only, openKit, watch } from './support/kit.ts';
import { secret, settingsFor, startMock } from './support/mock-provider.ts';
import { startRaw } from './support/raw-provider.ts';

const kinds: Record<string, (mock: LLMock) => ModelSettings> = {
  'openai chat': (mock) => settingsFor('openai', mock),
  'openai responses': (mock) => ({ ...settingsFor('openai', mock), api: 'responses' }),
  anthropic: (mock) => ({ ...settingsFor('anthropic', mock), model: 'claude-haiku-5-5' }),
  google: (mock) => settingsFor('google', mock),
  'openai-compatible': (mock) => settingsFor('openai-compatible', mock),
};

const spaced = 'Grüße\n\n  \n日本語 😀\n\n\n```\n  code\n```';

function script(mock: LLMock): void {
  mock.on(
    { userMessage: 'spaces' },
    { content: spaced, usage: { prompt_tokens: 120, completion_tokens: 8 } },
  );
  mock.on(
    { userMessage: 'tool', hasToolResult: false },
    { toolCalls: [{ name: 'memory_search', arguments: '{"query":"cats"}' }] },
  );
  mock.on({ userMessage: 'tool', hasToolResult: true }, { content: 'I looked it up.' });
  mock.on(
    { userMessage: 'bad args', hasToolResult: false },
    { toolCalls: [{ name: 'memory_search', arguments: '{"q":1}' }] },
  );
  mock.on({ userMessage: 'bad args', hasToolResult: true }, { content: 'That did not work.' });
  mock.on(
    { userMessage: 'unauthorized' },
    { error: { message: `Incorrect API key provided: ${secret}` }, status: 401 },
  );
  mock.on({ userMessage: 'too often' }, { error: { message: 'slow down' }, status: 429, retryAfter: 1 });
  mock.on({ userMessage: 'broken server' }, { error: { message: 'internal secret detail' }, status: 500 });
  mock.on({ userMessage: 'nothing' }, { content: '' });
}

/** Called in this thread, as the tests do; the last one in another thread, as the program does. */
const ways = [...Object.keys(kinds), 'openai responses in a thread'];

for (const way of ways) {
  test(`with ${way}`, async (t) => {
    const mock = await startMock(t);
    script(mock);
    const [kind = '', thread] = way.split(' in a ');
    const model = kinds[kind]?.(mock) ?? settingsFor('openai', mock);
    const models = thread === undefined ? undefined : createModelThread();
    t.after(() => models?.close());
    const { engine, logged } = await openKit(t, { model, models, clock: hurriedClock });
    const { seen } = watch(t, engine);
    const say = async (text: string) => {
      const { id } = await engine.createSession({});
      const before = mock.getRequests().length;
      const run = await ask(engine, id, text);
      const events = seen.filter(({ envelope }) => envelope.session_id === id);
      return { id, run, events, requests: mock.getRequests().length - before };
    };

    await t.test('an answer arrives whole, blank lines included, and equals its deltas (TC)', async () => {
      const { run, events } = await say('spaces');
      assert.equal(run.status, 'completed');
      assert.equal(run.text, spaced);
      const parts = only(events, 'message.part.updated').map(({ properties }) => properties);
      const deltas = parts.flatMap(({ delta }) => delta ?? []);
      assert.ok(thread !== undefined || deltas.length > 1); // a thread reports at once what came at once
      assert.equal(deltas.join(''), spaced);
      const ended = parts.filter(({ delta }) => delta === undefined);
      assert.deepEqual(
        ended.map(({ part }) => part.text),
        [spaced],
      );
      assert.equal(new Set(parts.map(({ part }) => part.id)).size, 1);
    });

    await t.test('what an answer used is asked for and counted, so that limits can be reached', async () => {
      const { run } = await say('spaces');
      const { calls, inputTokens, outputTokens } = run.usage ?? {};
      assert.deepEqual([calls, inputTokens, outputTokens], [1, 120, 8]);
    });

    await t.test(
      'a tool call goes from pending over running to completed, and the model reads its result',
      async () => {
        const { run, events } = await say('tool');
        assert.equal(run.text, 'I looked it up.');
        const states = only(events, 'message.part.updated').flatMap(({ properties: { part } }) =>
          part.type === 'tool' ? (part.state ?? []) : [],
        );
        assert.deepEqual(states, ['pending', 'running', 'completed']);
        assert.match(JSON.stringify(mock.getLastRequest()?.body), /degraded/);
      },
    );

    await t.test('arguments that do not fit fail the call in words, and the model may go on', async () => {
      const { run, events } = await say('bad args');
      assert.equal(run.text, 'That did not work.');
      const parts = only(events, 'message.part.updated').map(({ properties }) => properties.part);
      const failed = parts.find(({ state }) => state === 'failed');
      assert.match(failed?.error ?? '', /arguments do not fit: query/);
    });

    await t.test(
      'a refused key is reported in one plain sentence; the provider is quoted in the log alone (T13)',
      async () => {
        const { id, run, events, requests } = await say('unauthorized');
        assert.equal(run.status, 'error');
        assert.equal(run.failure?.category, 'authentication');
        assert.equal(run.failure?.code, 'AUTHENTICATION_ERROR');
        const { ref = '' } = run.failure ?? {};
        assert.match(ref, /^ref_/);
        assert.equal(requests, 1);
        const shown = JSON.stringify([run, events, await engine.messages(id)]);
        assert.doesNotMatch(shown, /Incorrect API key|sk-canary|127\.0\.0\.1/);
        assert.match(logged.find((line) => line.includes(ref)) ?? '', /Incorrect API key/);
      },
    );

    await t.test('a rate limit is retried twice and then told as such', async () => {
      const { run, requests } = await say('too often');
      assert.equal(run.failure?.category, 'rate_limit');
      assert.equal(run.failure?.code, 'RATE_LIMIT_EXCEEDED');
      assert.equal(requests, 3);
    });

    await t.test('a provider error frees the session and nothing of its words is shown (T25)', async () => {
      const { id, run } = await say('broken server');
      assert.equal(run.failure?.code, 'PROVIDER_SERVER_ERROR');
      assert.doesNotMatch(JSON.stringify(await engine.messages(id)), /internal secret detail/);
      assert.equal((await ask(engine, id, 'spaces')).status, 'completed');
    });

    await t.test('an answer without any text is a clear error, not an empty reply (T22)', async () => {
      const { run } = await say('nothing');
      assert.equal(run.status, 'error');
      assert.equal(run.failure?.code, 'EMPTY_ANSWER');
      assert.equal(run.failure?.message, 'The model ended without saying anything.');
    });
  });
}

test('a server that does not know how to report the usage is asked without, and from then on at once', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const asked = ask(engine, id, 'hello');
  const first = await raw.next();
  assert.deepEqual(first.body.stream_options, { include_usage: true });
  first.refuse(422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] });
  const second = await raw.next();
  const { stream_options: _, ...rest } = first.body;
  assert.deepEqual(second.body, rest);
  second.say('Hi.');
  second.finish();
  assert.equal((await asked).text, 'Hi.');
  const again = ask(engine, id, 'hello again');
  const third = await raw.next();
  assert.equal(third.body.stream_options, undefined);
  // whatever else is refused is tried without tools, without what was said before and without both, and then is a failure as ever
  const no = { error: { message: 'no such parameter: temperature' } };
  third.refuse(400, no);
  for (let times = 0; times < 3; times += 1) (await raw.next()).refuse(400, no);
  assert.equal((await again).failure?.code, 'PROVIDER_REQUEST_INVALID');
});

test('a passing failure before anything was shown is retried, and the person sees only the answer', async (t) => {
  const mock = await startMock(t);
  mock.onMessage('hello', { content: 'Hello to you.' });
  const kit = await openKit(t, { model: settingsFor('openai', mock), clock: hurriedClock });
  mock.nextRequestError(503);
  const { id } = await kit.engine.createSession({});
  const run = await ask(kit.engine, id, 'hello');
  assert.equal(run.text, 'Hello to you.');
  assert.equal(mock.getRequests().length, 2);
});

test('an answer that speaks of "401" and "ENGINE_ERROR: AUTHENTICATION_ERROR" is an answer (TAH)', async (t) => {
  const mock = await startMock(t);
  const text = 'ENGINE_ERROR: AUTHENTICATION_ERROR: 401 means that the key was refused. Rate limit: 429.';
  mock.onMessage('what is 401', { content: text });
  const kit = await openKit(t, { model: settingsFor('openai', mock) });
  const { id } = await kit.engine.createSession({});
  const run = await ask(kit.engine, id, 'what is 401');
  assert.equal(run.status, 'completed');
  assert.equal(run.text, text);
});

test('reasoning is stored as parts of its own and is not part of the answer', async (t) => {
  const mock = await startMock(t);
  mock.onMessage('think', { content: 'Four.', reasoning: 'Two and two make four.' });
  const kit = await openKit(t, { model: { ...settingsFor('anthropic', mock), model: 'claude-haiku-5-5' } });
  const { seen } = watch(t, kit.engine);
  const { id } = await kit.engine.createSession({});
  const run = await ask(kit.engine, id, 'think');
  assert.equal(run.text, 'Four.');
  const [, answered] = await kit.engine.messages(id);
  assert.deepEqual(answered?.parts, [
    { type: 'reasoning', text: 'Two and two make four.' },
    { type: 'text', text: 'Four.' },
  ]);
  const texts = only(seen, 'message.part.updated').filter(
    ({ properties }) => properties.part.type === 'text',
  );
  assert.doesNotMatch(JSON.stringify(texts), /Two and two/);
});

test('reasoning only is no answer, and neither is what was answered before (TF)', async (t) => {
  const mock = await startMock(t);
  mock.onMessage('first', { content: 'The first answer.' });
  mock.onMessage('second', { content: '', reasoning: 'Hm.' });
  const kit = await openKit(t, { model: { ...settingsFor('anthropic', mock), model: 'claude-haiku-5-5' } });
  const { id } = await kit.engine.createSession({});
  assert.equal((await ask(kit.engine, id, 'first')).text, 'The first answer.');
  const run = await ask(kit.engine, id, 'second');
  assert.deepEqual([run.status, run.text, run.failure?.code], ['error', '', 'EMPTY_ANSWER']);
});

test('a key that is refused in the middle of a run ends it as such, and the session is free (T42)', async (t) => {
  const mock = await startMock(t);
  const step = { userMessage: 'look it up' };
  const toolCalls = [{ name: 'todo_read', arguments: '{}' }];
  mock.on({ ...step, hasToolResult: false }, { content: 'Let me see.', toolCalls });
  mock.on({ ...step, hasToolResult: true }, { error: { message: 'token expired' }, status: 401 });
  mock.onMessage('again', { content: 'Here I am.' });
  const { engine } = await openKit(t, { model: settingsFor('openai', mock), clock: hurriedClock });
  const { id } = await engine.createSession({});
  const { seen } = watch(t, engine, { sessionID: id });
  const run = await ask(engine, id, 'look it up');
  assert.deepEqual([run.status, run.failure?.category, run.text], ['error', 'authentication', 'Let me see.']);
  const [told] = only(seen, 'session.error');
  assert.equal(told?.properties.error.code, 'AUTHENTICATION_ERROR');
  assert.equal(told?.properties.error.ref, run.failure?.ref);
  assert.equal(only(seen, 'session.run.finished').length, 1);
  assert.equal((await ask(engine, id, 'again')).text, 'Here I am.');
});

test('another model of the same provider can be asked for; another provider is refused with a message', async (t) => {
  const mock = await startMock(t);
  mock.onMessage('hello', { content: 'Hi.' });
  const { engine } = await openKit(t, { model: settingsFor('openai', mock) });
  const { id } = await engine.createSession({});
  const parts = [{ type: 'text' as const, text: 'hello' }];
  await ask(engine, id, { parts, model: { modelID: 'other-model' } });
  assert.match(JSON.stringify(mock.getLastRequest()?.body), /"model":"other-model"/);
  assert.deepEqual((await engine.getSession({ sessionID: id })).model, {
    providerID: 'openai',
    modelID: 'other-model',
  });
  await assert.rejects(engine.prompt(id, { parts, model: { providerID: 'google', modelID: 'x' } }), {
    code: 'unknown_model',
  });
  await assert.rejects(engine.prompt(id, { parts, agent: 'nobody' }), { code: 'unknown_agent' });
});

test('images go along where the model takes them and are mentioned where it does not', async (t) => {
  const mock = await startMock(t);
  mock.onMessage(/look/, { content: 'I see.' });
  const { engine } = await openKit(t, { model: settingsFor('openai', mock) });
  const { id } = await engine.createSession({});
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await ask(engine, id, {
    parts: [
      { type: 'text', text: 'look' },
      { type: 'file', mime: 'image/png', filename: 'dot.png', url: `data:image/png;base64,${png}` },
      {
        type: 'file',
        mime: 'application/zip',
        filename: 'all.zip',
        url: 'data:application/zip;base64,UEsDBA==',
      },
      { type: 'file', mime: 'image/png', filename: 'local.png', url: 'file:///etc/passwd' },
      { type: 'file', mime: 'image/png', filename: 'inner.png', url: 'http://127.0.0.1:1/x.png' },
    ],
  });
  const sent = JSON.stringify(mock.getLastRequest()?.body);
  assert.match(sent, new RegExp(png.slice(0, 40)));
  assert.match(sent, /a file that cannot be read here: all\.zip, application\/zip/);
  assert.match(sent, /local\.png/);
  assert.doesNotMatch(sent, /etc\/passwd|127\.0\.0\.1:1/);
});

test('settings that lack something stop the start and name what is missing', async (t) => {
  await assert.rejects(openKit(t, { model: { provider: 'openai' } }), /needs an API key/);
  await assert.rejects(
    openKit(t, { model: { provider: 'openai-compatible', model: 'm' } }),
    /needs a base URL/,
  );
  await assert.rejects(
    openKit(t, { model: { provider: 'openai-compatible', baseUrl: 'http://h/v1' } }),
    /needs a model name/,
  );
  await assert.rejects(
    openKit(t, { model: { provider: 'google', apiKey: 'k', baseUrl: 'nonsense' } }),
    /is not a URL/,
  );
});

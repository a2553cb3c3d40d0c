// A gateway whose engine is in another process: it may die under a run, and pieces may be lost with a connection.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxAttempts } from '#adapters/gateway/turns/turn.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, message } from './scripted-channel.ts';

const texts = (channel: { messages: { text: string }[] }): string[] =>
  channel.messages.map(({ text }) => text);

test('a run whose engine has died is resumed under its key; the person is told of the sixth death (A1)', async (t) => {
  const { channel, engine, pass, seen } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  for (let death = 1; death < maxAttempts; death += 1) {
    engine.interruptAll();
    await pass();
  }
  assert.deepEqual(
    engine.runs.map(({ run }) => run.status),
    [...Array<string>(maxAttempts - 1).fill('interrupted'), 'running'],
  );
  assert.equal(new Set(engine.runs.map(({ key }) => key)).size, 1);
  engine.interruptAll();
  await pass();
  assert.equal(engine.runs.length, maxAttempts);
  assert.match(texts(channel).join(), /interrupted before I could answer. Please send that again/);
  await channel.sink.accept(message('2', 'again'));
  await pass();
  engine.complete(`run_${maxAttempts + 1}`, 'Here.');
  await pass();
  await seen('the answer', () => texts(channel).find((text) => text === 'Here.'));
});

test('a preview shows no text with a hole: it waits for what fills it, or for the end', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  engine.say('run_1', 'The first,');
  await pass(3_000);
  assert.deepEqual(texts(channel), ['The first,']);
  engine.sayUnheard('run_1', ' the second,');
  engine.say('run_1', ' the third,');
  await pass(3_000);
  assert.deepEqual(texts(channel), ['The first,']);
  engine.sayAgain('run_1');
  await pass(3_000);
  assert.deepEqual(texts(channel), ['The first, the second, the third,']);
  engine.say('run_1', ' the last.');
  await pass(3_000);
  assert.deepEqual(texts(channel), ['The first, the second, the third, the last.']);
  engine.complete('run_1', 'The first, the second, the third, the last.');
  await pass();
  assert.equal(texts(channel).length, 1);
});

test('a message that comes in again after a kill finds the session that was made for it', async (t) => {
  const { channel, engine, pass, kill } = await startHarness(t);
  const keys: (string | undefined)[] = [];
  const { createSession } = engine;
  engine.createSession = (input, options) => {
    keys.push(options?.idempotencyKey);
    const signal = options?.signal;
    if (keys.length > 1 || signal === undefined) return createSession(input, options);
    // the process is killed before it knows the session
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  await kill();
  await pass();
  assert.equal(keys.length, 2);
  assert.ok(keys[0] !== undefined && keys[0] === keys[1]);
});

test('what a run asked while no gateway was there is asked once it is, for as long as it holds, and what another run asks is not', async (t) => {
  for (const [minutes, words] of [
    [0.4, '1 minute'],
    [1, '1 minute'],
    [2, '2 minutes'],
    [119, '119 minutes'],
    [120, '2 hours'],
  ] as const) {
    const { channel, engine, pass, kill, seen } = await startHarness(t, {
      channel: createScriptedChannel({ partLimit: 4_000 }),
    });
    await channel.sink.accept(message('1', 'look it up'));
    await pass();
    const { permissions } = engine;
    engine.permissions = async () =>
      (await permissions()).flatMap((request) => {
        const expiresAtMs = request.requestedAtMs + minutes * 60_000;
        return [
          { ...request, requestID: 'req_9', runID: 'run_9', expiresAtMs },
          { ...request, expiresAtMs },
        ];
      });
    engine.interruptAll = () => engine.askLeave('run_1', 'req_1'); // the engine's process lives on
    await kill();
    const text = await seen('the request', () => texts(channel).find((one) => /May I use/.test(one)));
    assert.match(text, new RegExp(`within ${words}[,.: ]`));
    await pass(1_000);
    assert.equal(texts(channel).filter((one) => /May I use/.test(one)).length, 1);
    await channel.sink.accept(message('2', '1'));
    await pass();
    assert.deepEqual(engine.replies, [{ id: 'req_1', reply: 'once', by: 'you' }]);
  }
});

test('what a run asks before the gateway knows that it began is asked all the same', async (t) => {
  for (const kind of ['leave', 'question'] as const) {
    const { channel, engine, pass, seen } = await startHarness(t, {
      channel: createScriptedChannel({ partLimit: 4_000 }),
    });
    const { prompt } = engine;
    engine.prompt = async (...asked) => {
      const begun = await prompt(...asked);
      if (kind === 'leave') engine.askLeave('run_1', 'req_1');
      else engine.askQuestions('run_1', 'req_1', [{ question: 'Which day?' }]);
      await new Promise((resolve) => setImmediate(resolve)); // its events come first
      return begun;
    };
    await channel.sink.accept(message('1', 'look it up'));
    await pass();
    const wanted = kind === 'leave' ? /May I use/ : /Which day/;
    await seen('the request', () => texts(channel).find((text) => wanted.test(text)));
    await pass(1_000);
    assert.equal(texts(channel).length, 1, kind);
  }
});

test("a message waits for another client's run in its session, and the engine is asked once more when that has ended", async (t) => {
  const { channel, engine, pass, seen } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  engine.complete('run_1', 'Hello.');
  await pass();
  await engine.prompt('ses_1', { parts: [{ type: 'text', text: 'from a program' }] });
  const { prompt } = engine;
  let prompts = 0;
  engine.prompt = (...how) => {
    prompts += 1;
    return prompt(...how);
  };
  await channel.sink.accept(message('2', 'and now?'));
  await pass(2_000);
  assert.deepEqual([prompts, engine.runs.length], [1, 2]);
  engine.complete('run_2', 'To the program.');
  await seen('the run of the message', () => engine.runs[2]);
  assert.equal(prompts, 2);
  engine.complete('run_3', 'Now this.');
  await seen('its answer', () => channel.messages.find(({ text }) => text === 'Now this.'));
});

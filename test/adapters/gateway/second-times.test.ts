// What comes a second time, late or changed on its way: previews after a restart, a stop, replaced words, a chat that moves, edits.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { EditEvent } from '#adapters/gateway/terms/inbound.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { as, commandChat } from './commands/kit.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, room, ScriptedFailure } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const texts = (channel: { messages: { text: string }[] }): string[] =>
  channel.messages.map(({ text }) => text);
const sends = (channel: { calls: string[] }): string[] =>
  channel.calls.filter((call) => call.startsWith('send '));

test('after a restart a preview that may stand is not posted again, however much the model says (C1)', async (t) => {
  const channel = createScriptedChannel();
  const { engine, pass, kill, seen } = await startHarness(t, { channel });
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  channel.failing.send.push(new ScriptedFailure({ kind: 'transient' }, 'effective'));
  engine.say('run_1', 'half an ans');
  await seen('the preview', () => channel.messages[0]);
  await kill();
  await seen('the second run', () => engine.runs[1]);
  engine.say('run_2', 'half of another');
  await pass(2_000);
  engine.say('run_2', ' answer');
  await pass(2_000);
  assert.deepEqual(texts(channel), ['half an ans']);
  assert.deepEqual(sends(channel), ['send half an ans']);
  engine.complete('run_2', 'half of another answer');
  await seen('the answer', () => channel.messages[1]);
  assert.deepEqual(texts(channel), ['half an ans', '(repeat?) half of another answer']);
});

test('a stop that comes while the engine is asked to begin holds, although the run ends on its own before it is stopped (D10)', async (t) => {
  const engine = createScriptedEngine();
  const { prompt } = engine;
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  engine.prompt = async (...how) => {
    const outcome = await prompt(...how);
    if (outcome.status === 'started') engine.complete(outcome.runID, 'what nobody wants any more');
    reached.resolve();
    await released.promise; // the engine has begun, and its answer is on the way
    return outcome;
  };
  const chat = await commandChat(t, { engine });
  await chat.channel.sink.accept(message('q', 'a long story, please'));
  await chat.pass();
  await reached.promise;
  assert.match(await chat.say('/stop'), /Stopped/);
  released.resolve();
  await chat.seen('the end of the turn', () =>
    chat.gateway.status()[0]?.inboxBacklog === 0 ? true : undefined,
  );
  await chat.pass(1_000);
  assert.doesNotMatch(texts(chat.channel).join('\n'), /nobody wants/);
});

test('words that take the place of a file that may have been sent carry no mark of a repeat, since they are sent once', async (t) => {
  const channel = createScriptedChannel({ partLimit: 1_000, caps: { files: { limitBytes: 1_000 } } });
  const { engine, path, seen, pass } = await startHarness(t, { channel });
  const file = join(dirname(path), 'a.png');
  writeFileSync(file, 'png');
  await channel.sink.accept(message('1', 'make it'));
  await seen('the run', () => engine.runs[0]);
  channel.failing.send.push(
    undefined,
    new ScriptedFailure({ kind: 'transient', maybeDelivered: true }),
    new ScriptedFailure({ kind: 'invalid', words: 'no files here' }),
  );
  engine.complete('run_1', 'Here.', [
    { id: 'a', runID: 'run_1', name: 'a.png', mediaType: 'image/png', size: 3, path: file },
  ]);
  await seen('the words', () => (channel.messages.length === 2 ? true : undefined));
  await pass();
  assert.match(texts(channel)[1] ?? '', /a\.png.*no files here/);
  assert.doesNotMatch(texts(channel)[1] ?? '', /repeat/);
});

test('an answer to a chat that moves while it is made quotes no message of the old chat, and is posted, not edited, in the new one (F6)', async (t) => {
  for (const when of ['while the run works', 'before the answer is sent again'] as const) {
    const channel = createScriptedChannel();
    const quoted: (string | undefined)[] = [];
    const { send } = channel;
    channel.send = (address, part, options) => {
      quoted.push(options.replyTo);
      return send(address, part, options);
    };
    const { engine, pass, seen, restart } = await startHarness(t, { channel });
    const now = { ...room, space: 'G2', chat: 'C2' };
    await channel.sink.accept(message('7', 'hello', { address: room, addressed: 'mention' }));
    await seen('a run', () => engine.runs[0]);
    engine.say('run_1', 'half');
    await seen('the preview', () => channel.messages[0]);
    await pass(2_000);
    assert.deepEqual([texts(channel), quoted], [['half'], ['7']]);
    const move = () => channel.sink.accept({ type: 'moved', from: room, to: now });
    if (when === 'while the run works') await move();
    else channel.failing.edit.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 3_600_000 }));
    engine.complete('run_1', 'half and half');
    await pass(1_000);
    if (when === 'before the answer is sent again') {
      await move();
      await restart();
    }
    await seen('the answer', () => texts(channel).find((text) => text === 'half and half'));
    await pass(10_000);
    assert.deepEqual(quoted, ['7', undefined], when);
    assert.match(channel.messages.at(-1)?.address ?? '', /G2/, when);
  }
});

const edit = (nativeID: string, text: string, over: Partial<EditEvent> = {}): EditEvent => ({
  type: 'edit',
  address: dm,
  actor: { id: 'u1', name: 'you', isBot: false },
  nativeID,
  text,
  at: Date.UTC(2026, 0, 2, 3, 5),
  ...over,
});

test('a message that is edited into a command is words for the model, whether it waits or was answered', async (t) => {
  const chat = await commandChat(t);
  await chat.channel.sink.accept(message('a', 'what is the time?'));
  assert.equal(await chat.channel.sink.accept(edit('a', '/new')), 'accepted');
  await chat.seen('a run', () => chat.engine.runs[0]);
  await chat.pass(1_000);
  assert.deepEqual(chat.engine.prompts()[0], ['/new']);
  assert.equal(chat.engine.sessions.length, 1, 'no new conversation');
  const before = chat.channel.messages.length;
  await chat.channel.sink.accept(edit('a', '/forget me'));
  await chat.pass(1_000);
  const said = chat.channel.messages.slice(before).map(({ text }) => text);
  assert.equal(said.length, 1, said.join('\n'));
  assert.match(
    said[0] ?? '',
    /changed your message/,
    'it may be answered again, and is carried out by nobody',
  );
  assert.equal(chat.engine.runs.length, 1);
});

test('a command that is edited is neither carried out again nor given to the model, and one that was a command stays one', async (t) => {
  const chat = await commandChat(t);
  await chat.channel.sink.accept(message('c', '/whoami'));
  await chat.pass(1_000);
  const [who] = texts(chat.channel);
  assert.ok(who !== undefined);
  assert.equal(await chat.channel.sink.accept(edit('c', '/new')), 'ignored');
  assert.equal(await chat.channel.sink.accept(edit('c', 'I said nothing')), 'ignored');
  await chat.pass(1_000);
  assert.deepEqual([texts(chat.channel), chat.engine.sessions.length], [[who], 0]);
  await chat.say('hello');
  assert.deepEqual(chat.engine.prompts(), [['hello']]);
});

test('the answer to a request is the answer that was given, whatever the message is edited into', async (t) => {
  const boss = { role: 'owner' as const, accounts: ['discord:u9'] };
  const chat = await commandChat(t, { people: { boss }, engine: createScriptedEngine() });
  const owner = as('u9');
  await chat.channel.sink.accept(message('q', 'look it up', owner));
  await chat.seen('a run', () => chat.engine.runs[0]);
  chat.engine.askLeave('run_1', 'req_1');
  await chat.seen('the request', () => chat.channel.messages.find(({ text }) => /web_fetch/.test(text)));
  await chat.channel.sink.accept(message('n', '2', owner));
  assert.equal(await chat.channel.sink.accept(edit('n', '1', { address: owner.address })), 'ignored');
  await chat.seen('the reply', () => chat.engine.replies[0]);
  await chat.pass(1_000);
  assert.deepEqual(
    chat.engine.replies.map(({ reply }) => reply),
    ['reject'],
  );
});

test('a turn that is put off in good order, however often, is begun again', async (t) => {
  const { channel, engine, pass, restart } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  for (let times = 1; times <= 8; times += 1) {
    await restart();
    await pass();
    assert.equal(engine.runs.length, times + 1);
  }
  engine.complete('run_9', 'Here.');
  await pass();
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ['Here.'],
  );
});

test('a message that is deleted at the moment when its turn would begin is not marked, nor is the next one', async (t) => {
  const clock = createManualClock();
  const channel = createScriptedChannel();
  let moment: { address: typeof dm; steps: number } | undefined;
  const sleep: typeof clock.sleep = async (ms, signal) => {
    await clock.sleep(ms, signal);
    if (moment === undefined) return;
    const { address, steps } = moment;
    moment = undefined;
    void channel.sink.accept({ type: 'delete', address, nativeID: '1', at: 1 });
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
  };
  const engine = createScriptedEngine((texts) => texts.join(' '));
  const { pass } = await startHarness(t, { clock: { ...clock, sleep }, channel, engine });
  const moments = 40;
  for (let steps = 0; steps < moments; steps += 1) {
    const address = { ...dm, chat: `D${steps}` };
    await channel.sink.accept(message('1', 'never mind', { address }));
    moment = { address, steps };
    await pass();
    await channel.sink.accept(message('2', 'next', { address }));
    await pass();
  }
  assert.deepEqual(channel.reactions, []);
  const answered = engine.prompts().flat();
  assert.equal(answered.filter((text) => text === 'next').length, moments);
  assert.ok(answered.length < 2 * moments, 'some were deleted in time');
});

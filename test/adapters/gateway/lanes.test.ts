// Waiting, bursts, order, commands: what a person meets who writes while the bot is busy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import { settle } from '../../support/manual-clock.ts';
import { startHarness } from './harness.ts';
import { dm, message, room, ScriptedFailure } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

test('the same message handed in twice at once gives one run (A2)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  const event = message('1', 'hello');
  const outcomes = await Promise.all([
    channel.sink.accept(event),
    channel.sink.accept(event),
    channel.sink.accept(event),
  ]);
  await pass();
  assert.deepEqual(outcomes.sort(), ['accepted', 'duplicate', 'duplicate']);
  assert.equal(engine.runs.length, 1);
});

test('a message that comes during a run waits however long it takes, and is answered after it (B1, B4, TH)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  await channel.sink.accept(message('1', 'first'));
  await pass();
  await channel.sink.accept(message('2', 'second'));
  await pass(10 * 60_000);
  assert.equal(engine.runs.length, 1);
  engine.complete('run_1', 'one');
  await pass();
  engine.complete('run_2', 'two');
  await pass();
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ['one', 'two'],
  );
});

test('a run that reports nothing for minutes is waited for, and what it had said before is no answer (TE)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  await channel.sink.accept(message('1', 'think hard'));
  await pass(300);
  engine.say('run_1', 'Let me think.');
  await pass(30 * 60_000);
  assert.deepEqual(engine.deliveries, []);
  engine.complete('run_1', 'Let me think. It is so.');
  await pass(2_000);
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ['Let me think. It is so.'],
  );
  assert.equal(engine.deliveries.length, 1);
});

test('a message that has to wait is marked at once (B5)', async (t) => {
  const { channel, pass } = await startHarness(t);
  await channel.sink.accept(message('1', 'first'));
  await pass();
  await channel.sink.accept(message('2', 'second'));
  assert.deepEqual(channel.reactions, ['2 👀']);
});

test('a message is marked also behind one that itself had waited for a turn of an earlier process (B5)', async (t) => {
  const { channel, engine, pass, restart, seen } = await startHarness(t);
  await channel.sink.accept(message('1', 'one'));
  await pass();
  await channel.sink.accept(message('2', 'two'));
  await restart();
  await seen('the first run again', () => engine.runs[1]);
  engine.complete('run_2', 'The first answer.');
  await seen('the run of the second', () => engine.runs[2]);
  await pass();
  await channel.sink.accept(message('3', 'three'));
  await pass();
  assert.equal(channel.reactions.filter((each) => each.startsWith('3 ')).length, 1);
});

test('where a chat takes no reactions, one notice says that the message waits, and a problem that passes says nothing (B5)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  const refused = new ScriptedFailure({ kind: 'invalid' });
  channel.failing.react.push(new ScriptedFailure({ kind: 'transient' }), refused, refused);
  await channel.sink.accept(message('1', 'first'));
  await pass();
  for (const id of ['2', '3', '4']) await channel.sink.accept(message(id, 'and'));
  await pass();
  const notice = '_(I am still working on something else. Your message comes next.)_';
  const texts = () => channel.messages.map(({ text }) => text);
  assert.deepEqual(texts(), [notice]);
  engine.complete('run_1', 'one');
  await pass();
  engine.complete('run_2', 'two');
  await pass();
  assert.deepEqual(texts(), [notice, 'one', 'two']);
});

test('people who are not in the turn that begins are marked then, and nobody who is in it (B5)', async (t) => {
  const { channel, pass } = await startHarness(t);
  const inRoom = { address: room, addressed: 'mention' } as const;
  const guest = { id: 'u2', name: 'guest', isBot: false };
  await channel.sink.accept(message('1', 'mine', inRoom));
  await channel.sink.accept(message('2', 'mine too', inRoom));
  await channel.sink.accept(message('3', 'yours', { ...inRoom, actor: guest }));
  assert.deepEqual(channel.reactions, []);
  await pass();
  assert.deepEqual(channel.reactions, ['3 👀']);
});

test('a message that comes at any moment of a turn is answered, in its order (B3)', async (t) => {
  const { channel, engine, clock, pass, gateway } = await startHarness(t, {
    engine: createScriptedEngine((texts) => texts.join(' ')),
  });
  const said: string[] = [];
  for (let ticks = 0; ticks < 45; ticks += 1) {
    const address = { ...dm, chat: `D${ticks}` };
    const before = engine.runs.length;
    const time = channel.sink
      .accept(message('1', `${ticks} one`, { address }))
      .then(() => clock.advance(150));
    await settle(ticks);
    for (let step = 0; step < ticks % 3; step += 1) await Promise.resolve();
    // however long the disk takes, some come while the turn is at work
    while (ticks >= 40 && engine.runs.length === before)
      await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([time, channel.sink.accept(message('2', `${ticks} two`, { address }))]);
    said.push(`${ticks} one`, `${ticks} two`);
  }
  await pass();
  assert.deepEqual(engine.prompts().flat(), said);
  assert.equal(channel.messages.length, engine.runs.length);
  assert.equal(gateway.status()[0]?.inboxBacklog, 0);
  const together = engine.runs.filter(({ body }) => body.parts.length === 2).length;
  assert.ok(together > 0 && together < 45, `${together} of 45 pairs came before their turn began`);
});

test('three lines in quick succession are one run with all three (B7)', async (t) => {
  const { channel, engine, clock, pass } = await startHarness(t);
  for (const id of ['1', '2', '3']) {
    await channel.sink.accept(message(id, `line ${id}`));
    await clock.advance(60);
  }
  await pass();
  assert.deepEqual(engine.prompts(), [['line 1', 'line 2', 'line 3']]);
});

test('a burst of two people in a room is two runs, each with its own speaker', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: createScriptedEngine(() => 'ok') });
  const inRoom = { address: room, addressed: 'mention' } as const;
  await channel.sink.accept(message('1', 'mine', inRoom));
  await channel.sink.accept(
    message('2', 'yours', { ...inRoom, actor: { id: 'u2', name: 'guest', isBot: false } }),
  );
  await pass(400);
  assert.deepEqual(engine.prompts(), [['mine'], ['yours']]);
  assert.deepEqual(
    engine.runs.map(({ body }) => body.origin?.speaker.name),
    ['you', 'guest'],
  );
});

test('/stop overtakes the messages that wait, ends the run, and what was shown is kept with a note (B6)', async (t) => {
  const { channel, engine, pass, seen } = await startHarness(t);
  await channel.sink.accept(message('1', 'a long story please'));
  await pass();
  engine.say('run_1', 'Once upon');
  await channel.sink.accept(message('2', '/stop'));
  await seen('both answers', () => channel.messages[1]);
  assert.equal(engine.runs[0]?.run.status, 'cancelled');
  assert.deepEqual(channel.messages.map(({ text }) => text).sort(), ['Once upon\n\n(stopped)', 'Stopped.']);
  assert.equal(engine.runs.length, 1, 'the command itself never reaches the model');
});

test('with every lane full, /stop takes effect without any time passing, and nothing is painted after it (B6)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  const chats = Array.from({ length: 20 }, (_, at) => ({ ...dm, chat: `D${at}` }));
  for (const address of chats) await channel.sink.accept(message('1', 'a long story', { address }));
  await pass();
  for (const address of chats)
    for (const id of ['2', '3']) await channel.sink.accept(message(id, 'and then?', { address }));
  const runOf = (chat: string) =>
    engine.runs.find(({ body }) => body.origin?.chat === formatAddress({ ...dm, chat }))?.run;
  const stopped = runOf('D7');
  assert.ok(stopped !== undefined && engine.runs.length === 20);
  engine.say(stopped.runID, 'Once upon');
  await pass(2_000);
  await channel.sink.accept(message('4', '/stop', { address: { ...dm, chat: 'D7' } }));
  await settle();
  assert.equal(stopped.status, 'cancelled');
  assert.equal(engine.runs.filter(({ run }) => run.status === 'cancelled').length, 1);
  await pass(5_000);
  const painted = channel.calls.filter((call) => call.includes('Once upon'));
  assert.deepEqual(painted, ['send Once upon', `edit ${painted[1]?.split(' ')[1]} Once upon\n\n(stopped)`]);
});

test('/stop takes back what nobody has begun to answer, of that person alone (B6)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: createScriptedEngine(() => 'ok') });
  const inRoom = { address: room, addressed: 'mention' } as const;
  const guest = { id: 'u2', name: 'guest', isBot: false };
  await channel.sink.accept(message('1', 'mine', inRoom));
  await channel.sink.accept(message('2', 'yours', { ...inRoom, actor: guest }));
  await channel.sink.accept(message('3', '/stop', inRoom));
  await pass();
  await channel.sink.accept(message('4', '/stop', inRoom));
  await pass();
  assert.deepEqual(engine.prompts(), [['yours']]);
  assert.deepEqual(channel.messages.map(({ text }) => text).sort(), [
    'Stopped.',
    'There is nothing to stop.',
    'ok',
  ]);
});

test('a command that was obeyed is not obeyed again when it is redelivered or after a restart (A3)', async (t) => {
  const { channel, engine, pass, restart } = await startHarness(t);
  await channel.sink.accept(message('1', '/new'));
  await pass();
  assert.equal(await channel.sink.accept(message('1', '/new')), 'duplicate');
  await restart();
  assert.equal(engine.sessions.length, 1);
  assert.equal(channel.messages.length, 1);
});

test('after /new the next messages share the new session (G2)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: createScriptedEngine(() => 'ok') });
  for (const [id, text] of [
    ['1', 'a'],
    ['2', '/new'],
    ['3', 'b'],
    ['4', 'c'],
  ] as const) {
    await channel.sink.accept(message(id, text));
    await pass();
  }
  assert.deepEqual(
    engine.runs.map(({ run }) => run.sessionID),
    ['ses_1', 'ses_2', 'ses_2'],
  );
});

test('a bare "yes" reaches the model (T12, TX)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  await channel.sink.accept(message('1', 'yes'));
  await pass();
  assert.deepEqual(engine.prompts(), [['yes']]);
});

test('an edit of a message that still waits replaces its text; a later one starts no run (A9, A11)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  const edit = {
    type: 'edit',
    address: message('1', '').address,
    nativeID: '1',
    at: 1,
    actor: { id: 'u1', name: 'you', isBot: false },
  } as const;
  await channel.sink.accept(message('1', 'teh question'));
  assert.equal(await channel.sink.accept({ ...edit, text: 'the question' }), 'accepted');
  await pass();
  assert.equal(await channel.sink.accept({ ...edit, text: 'another question' }), 'accepted');
  await pass();
  assert.deepEqual(engine.prompts(), [['the question']]);
});

test('a message that is deleted before its run starts is not answered', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  await channel.sink.accept(message('1', 'never mind'));
  await channel.sink.accept({ type: 'delete', address: message('1', '').address, nativeID: '1', at: 1 });
  await pass();
  assert.equal(engine.runs.length, 0);
});

test('two rooms and two people never share a session unless the room is theirs together (T6)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: createScriptedEngine(() => 'ok') });
  const guest = { id: 'u2', name: 'you', isBot: false }; // the same display name is another person
  await channel.sink.accept(message('1', 'a', { address: room, addressed: 'mention' }));
  await channel.sink.accept(message('2', 'b', { address: room, addressed: 'mention', actor: guest }));
  await channel.sink.accept(message('3', 'c', { address: { ...room, chat: 'C2' }, addressed: 'mention' }));
  await channel.sink.accept(message('4', 'd'));
  await pass(500);
  const bySaid = Object.fromEntries(
    engine.prompts().map((texts, index) => [texts.join(), engine.runs[index]?.run.sessionID]),
  );
  const sessions = ['a', 'b', 'c', 'd'].map((text) => bySaid[text]);
  assert.equal(sessions[0], sessions[1]);
  assert.equal(new Set(sessions).size, 3);
});

test('with sessions by person, two people in one room have their own sessions', async (t) => {
  const { channel, engine, pass } = await startHarness(t, {
    engine: createScriptedEngine(() => 'ok'),
    sessions: 'person',
  });
  const inRoom = { address: room, addressed: 'mention' } as const;
  await channel.sink.accept(message('1', 'a', inRoom));
  await channel.sink.accept(
    message('2', 'b', { ...inRoom, actor: { id: 'u2', name: 'guest', isBot: false } }),
  );
  await pass(400);
  assert.equal(new Set(engine.runs.map(({ run }) => run.sessionID)).size, 2);
});

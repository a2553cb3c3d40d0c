// What happens to an answered message, and of a note that one saved, when it is edited or deleted on its platform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHarness } from '../harness.ts';
import { dm, message } from '../scripted-channel.ts';
import { createScriptedEngine } from '../scripted-engine.ts';

const at = Date.UTC(2026, 0, 2, 3, 4, 5);

test('a deletion and an edit after the answer reach the engine, also after a restart and for a message that was answered again', async (t) => {
  const { channel, engine, pass, restart } = await startHarness(t, {
    engine: createScriptedEngine(() => 'ok'),
  });
  await channel.sink.accept(message('1', 'near Oslo'));
  await pass(400);
  await channel.sink.accept(message('2', '/retry'));
  await pass(800);
  assert.equal(engine.runs.length, 2);
  const place = { address: dm, nativeID: '1', at };
  await channel.sink.accept({
    type: 'edit',
    ...place,
    actor: { id: 'u1', name: 'you', isBot: false },
    text: 'near Rome',
  });
  await pass();
  await restart();
  await channel.sink.accept({ type: 'delete', ...place });
  await pass();
  const [first, second] = engine.runs.map(({ run }) => run.runID);
  assert.deepEqual(
    engine.amendments.map(({ runID, nativeID, now }) => [runID, nativeID, now]),
    [
      [first, '1', 'near Rome'],
      [second, '1', 'near Rome'],
      [first, '1', null],
      [second, '1', null],
    ],
  );
  await channel.sink.accept(message('3', '/retry'));
  await pass(400);
  assert.match(channel.messages.at(-1)?.text ?? '', /You deleted the message that I answered last/);
});

test('a deletion means only the message of its chat and bot, whatever has the same id elsewhere', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: createScriptedEngine(() => 'ok') });
  const others = [
    { ...dm, account: 'bot2' },
    { ...dm, chat: 'D2' },
  ];
  for (const [at, address] of [dm, ...others].entries()) {
    await channel.sink.accept(message('1', `near place ${at}`, { address }));
    await pass(1_000);
  }
  assert.equal(engine.runs.length, 3);
  await channel.sink.accept({ type: 'delete', address: dm, nativeID: '1', at });
  await pass();
  assert.deepEqual(
    engine.amendments.map(({ runID }) => runID),
    ['run_1'],
  );
});

test('a note goes with the message that saved it, and a command that is deleted stays done otherwise', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: createScriptedEngine(() => 'ok') });
  await channel.sink.accept(message('1', '/memory save The bike is green'));
  await pass(400);
  await channel.sink.accept(message('2', '/whoami'));
  await pass(400);
  for (const nativeID of ['2', '1', '1'])
    await channel.sink.accept({ type: 'delete', address: dm, nativeID, at });
  await pass();
  assert.deepEqual(engine.forgottenNotes, ['mem_000001']);
});

test('a note whose message is changed is forgotten, and the person is told how to save the new words', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: createScriptedEngine(() => 'ok') });
  await channel.sink.accept(message('1', '/memory save The bike is green'));
  await pass(400);
  const actor = { id: 'u1', name: 'you', isBot: false };
  for (const text of ['/memory save The bike is green', '/memory save The bike is red', 'The bike is blue'])
    await channel.sink.accept({ type: 'edit', address: dm, nativeID: '1', at, actor, text });
  await pass(400);
  assert.deepEqual(engine.forgottenNotes, ['mem_000001']);
  const told = channel.messages.filter(({ text }) => text.includes('so I deleted what I saved'));
  assert.equal(told.length, 1);
});

test('a message that is answered once more quotes nothing that was changed in the meantime', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: createScriptedEngine(() => 'ok') });
  const quoted = { nativeID: 'q', author: 'Ann', text: 'near Oslo', fromBot: false };
  await channel.sink.accept(message('1', 'is that right?', { quoted }));
  await pass(400);
  assert.match(engine.prompts()[0]?.join() ?? '', /near Oslo/);
  const actor = { id: 'u2', name: 'Ann', isBot: false };
  await channel.sink.accept({ type: 'edit', address: dm, nativeID: 'q', at, actor, text: 'near Rome' });
  await channel.sink.accept(message('2', '/retry'));
  await pass(800);
  assert.deepEqual(engine.prompts()[1], ['is that right?']);
});

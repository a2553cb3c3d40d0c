// Long texts that an app splits: what is waited for, and how the parts become one.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { joinedParts } from '#engine/wire/channels/notes.ts';
import { type Harness, startHarness } from './harness.ts';
import { createScriptedChannel, message, room } from './scripted-channel.ts';

const limit = 100;
const full = 'a'.repeat(limit);

const open = (t: TestContext): Promise<Harness> =>
  startHarness(t, {
    channel: createScriptedChannel({ caps: { splitsAt: limit } }),
    access: openAccess('owner'),
  });

/** What the model reads of each prompt so far. */
const read = ({ engine }: Harness): string[] => engine.prompts().map((parts) => joinedParts(parts));

test('the rest of a long part is waited for up to 1.5 s, and no part of usual length is (R23)', async (t) => {
  const h = await open(t);
  await h.channel.sink.accept(message('1', full));
  await h.clock.advance(1_400);
  assert.equal(h.engine.runs.length, 0);
  await h.channel.sink.accept(message('2', 'bc'));
  await h.clock.advance(99);
  assert.equal(h.engine.runs.length, 0, 'a burst as any other');
  await h.clock.advance(10);
  assert.deepEqual(read(h), [`${full}bc`]);
});

test('a long message without a rest is answered after 1.5 s, and what is said later is another one (R23)', async (t) => {
  const h = await open(t);
  await h.channel.sink.accept(message('1', full));
  await h.clock.advance(1_510);
  assert.equal(h.engine.runs.length, 1);
  await h.channel.sink.accept(message('2', 'and now?'));
  h.engine.complete('run_1', 'answer');
  await h.pass(1_000);
  assert.deepEqual(read(h), [full, 'and now?']);
});

for (const [first, second, whole] of [
  [full, 'b', `${full}b`],
  [`${'a '.repeat(45)}a`, 'b', `${'a '.repeat(45)}a b`],
  [`a\n${'b'.repeat(90)}`, 'c', `a\n${'b'.repeat(90)}\nc`],
  [`a\n${'b'.repeat(90)}`, '  c', `a\n${'b'.repeat(90)}  c`],
  [full, '/stop', `${full}/stop`],
] as const)
  test(`parts of ${first.length} characters that go on with ${JSON.stringify(second)} are joined as they were (R23)`, async (t) => {
    const h = await open(t);
    await h.channel.sink.accept(message('1', first));
    await h.channel.sink.accept(message('2', second));
    await h.pass(2_000);
    assert.deepEqual(read(h), [whole]);
  });

test('in a room the rest of a message to the bot is for the bot, and what another person says is not (R23)', async (t) => {
  const h = await open(t);
  const other = { id: 'u2', name: 'other', isBot: false };
  await h.channel.sink.accept(message('1', full, { address: room, addressed: 'mention' }));
  await h.channel.sink.accept(message('2', 'hello all', { address: room, addressed: 'none', actor: other }));
  await h.channel.sink.accept(message('3', 'b', { address: room, addressed: 'none' }));
  await h.pass(2_000);
  assert.deepEqual(read(h), [`${full}b`]);
});

test('a part that its author deletes is gone, and the rest stands on its own line', () => {
  assert.equal(joinedParts(['[deleted by its author]', '\u2060rest']), '[deleted by its author]\nrest');
});

test('the rest of a paste that comes after a restart is joined, also in a room where it names nobody; what is said a while later is not (R23)', async (t) => {
  for (const address of [undefined, room]) {
    const h = await open(t);
    const over = address === undefined ? {} : { address, addressed: 'mention' as const };
    const rest = address === undefined ? {} : { address, addressed: 'none' as const };
    const first = message('1', full, over);
    await h.channel.sink.accept(first);
    await h.clock.advance(700);
    await h.restart();
    assert.equal(
      await h.channel.sink.accept(message('2', 'bc', { ...rest, at: first.at + 700 })),
      'accepted',
    );
    await h.pass(2_000);
    assert.deepEqual(read(h), [`${full}bc`]);
  }
  const h = await open(t);
  const first = message('1', full);
  await h.channel.sink.accept(first);
  await h.restart();
  await h.channel.sink.accept(message('2', 'bc', { at: first.at + 60_000 }));
  await h.pass(2_000);
  assert.deepEqual(read(h), [`${full}\n\nbc`]);
});

test('the rest of a paste is no further message: a limit that its first part reached does not cut it (R23)', async (t) => {
  const h = await startHarness(t, {
    channel: createScriptedChannel({ caps: { splitsAt: limit } }),
    access: openAccess('guest'),
    limits: { person: { messages: 1 }, room: {} },
  });
  await h.channel.sink.accept(message('1', full));
  assert.equal(await h.channel.sink.accept(message('2', 'bc')), 'accepted');
  await h.pass(2_000);
  assert.deepEqual(read(h), [`${full}bc`]);
  assert.equal(await h.channel.sink.accept(message('3', 'and this?')), 'ignored');
  await h.pass(500);
});

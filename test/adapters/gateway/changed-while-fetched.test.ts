// A message that is edited or deleted while its files are fetched, before its run begins: the model is given what it says by then.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Harness, startHarness } from './harness.ts';
import { dm, message } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

/** A message whose file is being fetched; `arrive` lets it come. */
async function fetching(t: TestContext): Promise<Harness & { arrive(): void; opened: Promise<void> }> {
  const h = await startHarness(t, { engine: createScriptedEngine(() => 'ok') });
  const [file, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  h.channel.open = async () => {
    asked.resolve();
    await file.promise;
    return new Blob(['the contents']).stream();
  };
  const files = [{ id: 'f', name: 'wages.txt', mime: 'text/plain' }];
  await h.channel.sink.accept(message('1', 'the wages', { files }));
  await h.pass();
  await asked.promise;
  return Object.assign(h, { arrive: () => file.resolve(), opened: asked.promise });
}

const about = { address: dm, nativeID: '1', at: Date.UTC(2026, 0, 2, 3, 4, 6) };

test('the words and files of a message that is deleted while they are fetched reach no model', async (t) => {
  const h = await fetching(t);
  await h.channel.sink.accept({ type: 'delete', ...about });
  h.arrive();
  await h.seen('an answer', () => h.channel.messages[0]);
  assert.doesNotMatch(JSON.stringify(h.engine.runs.map(({ body }) => body)), /wages|contents/);
});

test('a message that is edited while its files are fetched is answered as it is by then', async (t) => {
  const h = await fetching(t);
  const actor = { id: 'u1', name: 'you', isBot: false };
  await h.channel.sink.accept({ type: 'edit', ...about, actor, text: 'the bonus' });
  h.arrive();
  await h.seen('an answer', () => h.channel.messages[0]);
  assert.match(h.engine.prompts().flat().join(), /^the bonus\n/);
  await h.channel.sink.accept(message('2', 'and?'));
  await h.seen('the next answer', () => h.channel.messages[1]);
  assert.deepEqual(h.engine.amendments, [], 'what the run was begun with is not changed once more');
});

// A conversation that has been said in more than one place, or by accounts that were one person: each fact belongs where its evidence was written.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { refusalOf } from '#engine/client/client.ts';
import type { EngineOptions } from '#engine/engine.ts';
import { clientInProcess } from '#engine/in-process-client.ts';
import type { Scope } from '#memory/types/scope.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { converse, originOf, textBody } from '../support/kit.ts';
import { settingsFor, startMock } from '../support/mock-provider.ts';
import { openService } from './service-kit.ts';

const padding = 'The garden needs rain and the shed needs paint. '.repeat(5);
const account = (person: string) =>
  originOf({ audience: `person:${person}`, speaker: { person, name: person === 'per_1' ? 'Ann' : 'Ben' } });
const ann = account('per_1');
const ben = account('per_2');
const room = (restricted: boolean, speaker = ann.speaker) =>
  originOf({
    chat: 'discord:channel:1:9:5:-',
    kind: 'channel',
    audience: 'room:discord:channel:1:9:5:-',
    space: 'discord:1:9',
    restricted,
    speaker,
  });

async function opened(t: TestContext, options: Partial<EngineOptions> = { model: { provider: 'offline' } }) {
  const service = await openService(t, options);
  const { engine } = service.kit;
  const { memory } = clientInProcess(engine, { clock: service.clock, log: quietLog().log, version: '1' });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const say = async (text: string, origin = ann): Promise<void> => {
    await converse(engine, id, textBody(`${text} ${padding}`, origin));
  };
  /** The facts of an audience, without what was archived. */
  const facts = async (audience: string): Promise<string[]> => {
    const { items } = await memory.list({ audience, limit: 100 });
    return items
      .filter(({ source_type }) => source_type === 'fact')
      .map(({ content }) => content)
      .sort();
  };
  return { kit: service.kit, memory, id, say, facts };
}

test('facts of a session that two accounts have shared belong to the account that said them, whoever spoke last', async (t) => {
  const { memory, id, say, facts } = await opened(t);
  await say('My favourite tea is oolong.', ann);
  await say('My favourite tea is sencha.', ben);
  const { stored_count } = await memory.contextDistill(id);
  assert.equal(stored_count, 2);
  assert.deepEqual(await facts('person:per_1'), ['Ann: My favourite tea is oolong.']);
  assert.deepEqual(await facts('person:per_2'), ['Ben: My favourite tea is sencha.']);
});

test('forgetting what one person said in a room leaves the facts of another, whoever spoke last', async (t) => {
  const { memory, kit, id, say, facts } = await opened(t);
  await say('My favourite tea is oolong.', room(true));
  await say('My favourite tea is sencha.', room(true, ben.speaker));
  await memory.contextDistill(id);
  const { audience } = room(true);
  assert.equal((await facts(audience)).length, 2);
  const scope: Scope = { audiences: [audience as 'room:'], spaces: [], everyone: false };
  await kit.memory.forget({ scope, selection: { person: 'per_2' }, mode: 'forget' });
  assert.deepEqual(await facts(audience), ['Ann: My favourite tea is oolong.']);
});

test('a fact goes with the exchange that it rests on, also when another account has spoken since', async (t) => {
  const { memory, id, say, facts } = await opened(t);
  await say('My favourite tea is oolong.', ann);
  await say('Good to know.', ben);
  await memory.contextDistill(id);
  const { items } = await memory.list({ audience: 'person:per_1' });
  const exchange = items.find(({ source_type }) => source_type === 'exchange');
  await memory.delete(exchange?.id ?? '', { audience: 'person:per_1' });
  for (const audience of ['person:per_1', 'person:per_2'])
    assert.deepEqual(await facts(audience), [], audience);
});

test('a fact that an open room, or another person of the same name, has is no duplicate; the same fact of the same person is one', async (t) => {
  const { memory, kit, id, say, facts } = await opened(t);
  const told = async (session: string): Promise<unknown[]> => {
    const { stored_count, deduped_count, report } = await memory.contextDistill(session);
    return [stored_count, deduped_count, report?.refused];
  };
  await say('My favourite tea is oolong.', ann);
  assert.deepEqual(await told(id), [1, 0, 0]);
  assert.deepEqual(await told(id), [0, 1, 0]);
  const namesake = originOf({ audience: 'person:per_3', speaker: { person: 'per_3', name: 'Ann' } });
  for (const origin of [room(false), namesake]) {
    const { id: other } = await kit.engine.createSession({ sourceKind: 'channel' });
    await converse(kit.engine, other, textBody(`My favourite tea is oolong. ${padding}`, origin));
    assert.deepEqual(await told(other), [1, 0, 0], origin.audience);
  }
  for (const person of ['per_1', 'per_3'])
    assert.deepEqual(await facts(`person:${person}`), ['Ann: My favourite tea is oolong.'], person);
});

test('what was written in a room while it was private stays private when it is distilled after the room has opened', async (t) => {
  const { memory, kit, id, say } = await opened(t);
  await say('My favourite tea is oolong.', room(true));
  await say('My favourite cake is carrot.', room(false, ben.speaker));
  await memory.contextDistill(id);
  const read = async (scope: Omit<Scope, 'everyone'>): Promise<string[]> => {
    const records = await kit.memory.records({ scope: { ...scope, everyone: false }, limit: 100 });
    return records.map(({ text }) => text).sort();
  };
  const open = ['Ben: My favourite cake is carrot.'];
  assert.deepEqual(await read({ audiences: [], spaces: ['discord:1:9'] }), open);
  const whole = await read({ audiences: ['room:discord:channel:1:9:5:-'], spaces: [] });
  assert.deepEqual(whole, ['Ann: My favourite tea is oolong.', ...open]);
});

test('a model is given the words of one audience alone, so that none of its facts can mix two', async (t) => {
  const mock = await startMock(t);
  mock.onMessage(/"lines"|needs rain/, {
    content: JSON.stringify([
      { text: 'Someone likes a tea and a cake.', category: 'fact', importance: 0.9, lines: [0, 1, 2, 3] },
    ]),
  });
  const { memory, id, say } = await opened(t, { model: settingsFor('openai', mock) });
  await say('My favourite tea is oolong.', ann);
  await say('My favourite cake is carrot.', ben);
  const before = mock.getRequests().length;
  await memory.contextDistill(id);
  const prompts = mock
    .getRequests()
    .slice(before)
    .map(({ body }: { body: unknown }) => JSON.stringify(body));
  assert.equal(prompts.length, 2);
  for (const prompt of prompts) assert.notEqual(/oolong/.test(prompt), /carrot/.test(prompt), prompt);
});

test('a given conversation of a session with two audiences belongs to neither until one is named', async (t) => {
  const { memory, id, say, facts } = await opened(t);
  await say('My favourite tea is oolong.', ann);
  await say('My favourite tea is sencha.', ben);
  const conversation = [`My favourite soup is leek. ${padding}`];
  await assert.rejects(
    memory.contextDistill(id, { conversation }),
    (error) => refusalOf(error)?.code === 'AUDIENCE_MISMATCH',
  );
  await memory.contextDistill(id, { conversation, subject: 'Ben', audience: 'person:per_2' });
  assert.deepEqual(await facts('person:per_1'), []);
  assert.deepEqual(await facts('person:per_2'), ['Ben: My favourite soup is leek.']);
});

test('one audience of a session is distilled on its own, and one that never spoke in it is refused', async (t) => {
  const { memory, id, say, facts } = await opened(t);
  await say('My favourite tea is oolong.', ann);
  await say('My favourite tea is sencha.', ben);
  await memory.contextDistill(id, { audience: 'person:per_1' });
  assert.deepEqual(await facts('person:per_1'), ['Ann: My favourite tea is oolong.']);
  assert.deepEqual(await facts('person:per_2'), []);
  await assert.rejects(
    memory.contextDistill(id, { audience: 'person:per_3' }),
    (error) => refusalOf(error)?.code === 'AUDIENCE_MISMATCH',
  );
});

test('the refusal of a given conversation says whether an audience is missing or a wrong one was named', async (t) => {
  const { kit, id, say } = await opened(t);
  const distill = (audience?: 'person:per_3') =>
    kit.engine.distillMemory({
      session_id: id,
      conversation: [{ role: 'user', content: `My favourite tea is oolong. ${padding}` }],
      artifact_refs: [],
      importance_threshold: 0.5,
      audience,
    });
  await say('Good morning.', ann);
  await assert.rejects(distill('person:per_3'), {
    code: 'audience_mismatch',
    message: `What was written in ${id} belongs to person:per_1.`,
    hint: 'Leave the audience out, or name that one.',
  });
  await say('Good morning.', ben);
  await assert.rejects(distill(), {
    code: 'audience_mismatch',
    message: `What was written in ${id} belongs to person:per_1, person:per_2.`,
    hint: 'Name one of them, or send no conversation along.',
  });
});

// Answers that are given again: only where all is the same, to the same person in the same place, and never after anything was forgotten.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createIds } from '#base/ids.ts';
import type { EngineOptions } from '#engine/engine.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import { createMemory } from '#memory/memory.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ask, openKit, originOf, textBody } from './support/kit.ts';
import { frame, type RawCall, startRaw } from './support/raw-provider.ts';

const minute = 60_000;
const cached: Partial<EngineOptions> = {
  memorySettings: { responseCache: { keepMs: 10 * minute, most: 100 } },
};
const dm = originOf();
const room: Partial<PromptOrigin> = {
  kind: 'channel',
  chat: 'discord:channel:1:2:3:-',
  audience: 'room:discord:channel:1:2:3:-',
};

/** An engine whose model numbers its answers; `said` gives the answer of a run in a session, a new one unless it is named. */
async function stage(t: TestContext, changes: Partial<EngineOptions> = cached) {
  const raw = await startRaw(t);
  const clock = createManualClock();
  const path = join(tempFolder(t), 'memory.sqlite');
  const memory = createMemory({ path, clock, newId: createIds(clock) });
  const kit = await openKit(t, { model: raw.settings, clock, memory, ...changes });
  let calls = 0;
  let script = (call: RawCall): void => {
    call.say(`Answer ${calls}.`);
    call.finish();
  };
  void (async () => {
    for (;;) {
      const call = await raw.next();
      calls += 1;
      script(call);
    }
  })();
  const session = async () => (await kit.engine.createSession({ sourceKind: 'channel' })).id;
  const said = async (text = 'What is a monad?', origin: PromptOrigin = dm, sessionID?: string) => {
    const run = await ask(kit.engine, sessionID ?? (await session()), textBody(text, origin));
    return run.status === 'completed' ? run.text : run.status;
  };
  return {
    ...kit,
    kit,
    clock,
    memory,
    session,
    said,
    settings: raw.settings,
    calls: () => calls,
    answering: (other: typeof script) => {
      script = other;
    },
  };
}

test('unless it is configured, the model is asked every question', async (t) => {
  const { said, memory } = await stage(t, {});
  assert.deepEqual([await said(), await said()], ['Answer 1.', 'Answer 2.']);
  assert.equal((await memory.status()).responses, 0);
});

test('a chat that has no look into memory is given answers again as any other', async (t) => {
  const { kit, session, calls } = await stage(t);
  const body = { ...textBody('What is a monad?', dm), settings: { activeMemory: false } };
  for (const id of [await session(), await session()])
    assert.equal((await ask(kit.engine, id, body)).text, 'Answer 1.');
  assert.equal(calls(), 1);
});

test('the same question in another session is answered as before, until the time is over', async (t) => {
  const { said, clock, calls, session } = await stage(t);
  assert.deepEqual([await said(), await said()], ['Answer 1.', 'Answer 1.']);
  assert.equal(await said('What is a functor?'), 'Answer 2.');
  const same = await session();
  assert.equal(await said('What is a monoid?', dm, same), 'Answer 3.');
  assert.equal(
    await said('What is a monad?', dm, same),
    'Answer 4.',
    'with another history it is another question',
  );
  await clock.advance(11 * minute);
  assert.deepEqual([await said(), calls()], ['Answer 5.', 5]);
});

test('a start drops the stored answers whose time is over, and no other one', async (t) => {
  const { said, clock, kit, memory, calls } = await stage(t);
  assert.equal(await said(), 'Answer 1.');
  await clock.advance(8 * minute);
  assert.equal(await said('What is a functor?'), 'Answer 2.');
  await clock.advance(3 * minute);
  await kit.restart();
  assert.equal((await memory.status()).responses, 1);
  assert.deepEqual([await said('What is a functor?'), calls()], ['Answer 2.', 2]);
});

test('who asks again in the same session gets another answer', async (t) => {
  const { said, session, engine } = await stage(t);
  const id = await session();
  assert.equal(await said('What is a monad?', dm, id), 'Answer 1.');
  const [first] = await engine.messages(id);
  await engine.revertSession({ sessionID: id, messageID: first?.info.id ?? '' });
  assert.equal(await said('What is a monad?', dm, id), 'Answer 2.');
});

test('no answer goes to another person, another chat, another model or another set of tools', async (t) => {
  const { said, kit, settings } = await stage(t);
  const person = (id: string) => ({ person: id, name: 'guest' });
  const places: PromptOrigin[] = [
    dm,
    originOf({ speaker: person('per_2'), audience: 'person:per_2' }),
    originOf({ chat: 'discord:dm:1:-:9:-' }),
    originOf({ reach: { audiences: ['room:x'], spaces: [] } }),
    originOf(room),
    originOf({ ...room, speaker: person('per_2') }),
    originOf({ ...room, audience: 'room:other' }),
  ];
  const first: string[] = [];
  for (const place of places) first.push((await said('What is a monad?', place)) ?? '');
  assert.equal(new Set(first).size, places.length);
  for (const [index, place] of places.entries())
    assert.equal(await said('What is a monad?', place), first[index]);
  await kit.restart({ model: { ...settings, model: 'other' } });
  assert.equal(await said(), 'Answer 8.');
  await kit.restart({ agent: { name: 'parley', systemPrompt: 'You are Parley.', tools: ['todo_read'] } });
  assert.equal(await said(), 'Answer 9.');
});

test('what is recalled belongs to the question, and whatever is forgotten takes every cached answer with it', async (t) => {
  const { said, memory } = await stage(t);
  const bike = 'What colour is my bike?';
  assert.equal(await said(bike), 'Answer 1.');
  const saved = await memory.put({
    kind: 'fact',
    text: 'The colour of my bike is zinnober.',
    at: 1,
    speaker: { person: 'per_1', name: 'guest' },
    where: { audience: 'person:per_1', restricted: true },
    platform: 'discord',
    chat: dm.chat,
    sessionID: '',
    runID: '',
    messageIDs: [],
  });
  assert.equal(await said(bike), 'Answer 2.');
  assert.equal(await said(bike), 'Answer 2.');
  assert.equal((await memory.status()).responses, 2);
  const scope = { audiences: ['person:per_1' as const], spaces: [], everyone: false };
  await memory.forget({ scope, selection: { ids: ['id' in saved ? saved.id : ''] }, mode: 'forget' });
  assert.equal((await memory.status()).responses, 0);
  assert.deepEqual((await memory.verify(['zinnober', 'Answer 2.'])).traces, []);
  assert.equal(await said(bike), 'Answer 3.');
});

test('what a tool had a part in, what was cut, and what holds a secret is not cached', async (t) => {
  const { said, answering, memory } = await stage(t);
  let turns = 0;
  answering((call) => {
    turns += 1;
    if (turns % 2 === 1) return call.callTool('todo_read', {});
    call.say(`Turn ${turns}.`);
    return call.finish();
  });
  assert.deepEqual([await said(), await said()], ['Turn 2.', 'Turn 4.']);
  answering((call) => {
    turns += 1;
    call.say(`The key is ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)} ${turns}.`);
    call.finish();
  });
  assert.notEqual(await said('And the key?'), await said('And the key?'));
  answering((call) => {
    call.say('It begins ');
    call.write(frame({}, 'length'));
    call.write('data: [DONE]\n\n');
    call.end();
  });
  await said('And then?');
  assert.equal((await memory.status()).responses, 0);
});

test('only so many are kept, a session takes its own with it, and switched off nothing stays', async (t) => {
  const most = { memorySettings: { responseCache: { keepMs: minute, most: 2 } } };
  const { said, memory, clock, session, kit } = await stage(t, most);
  for (const text of ['One?', 'Two?', 'Three?']) {
    await said(text);
    await clock.advance(1);
  }
  assert.equal((await memory.status()).responses, 2);
  assert.equal(await said('Three?'), 'Answer 3.');
  const id = await session();
  assert.equal(await said('One?', dm, id), 'Answer 4.', 'the oldest went');
  await kit.engine.deleteSession({ sessionID: id });
  assert.equal((await memory.status()).responses, 1);
  await kit.restart({ memorySettings: {} });
  assert.equal((await memory.status()).responses, 0);
});

test('an answer is read only from its own audience, whatever its key says', async (t) => {
  const { memory } = await stage(t);
  const of = (text: string, audience: 'person:a' | 'room:r') =>
    memory.keepResponse({ key: 'k', audience, sessionID: 's', model: 'm', text, most: 9 });
  await of('a’s', 'person:a');
  await of('the room’s', 'room:r');
  const read = (audiences: ('person:a' | 'person:b' | 'room:r')[], everyone = true) =>
    memory.response({ key: 'k', scope: { audiences, spaces: ['x'], everyone }, sessionID: 't', since: 0 });
  assert.equal(await read(['person:a']), 'a’s');
  assert.equal(await read(['room:r']), 'the room’s');
  assert.equal(await read(['person:b']), undefined);
  assert.equal(await read([]), undefined);
  // what a caller without types could pass
  const none = { key: 'k', scope: undefined as never, sessionID: 't', since: 0 };
  await assert.rejects(memory.response(none), { code: 'missing_scope' });
  assert.deepEqual(await memory.dropCaches(), { responses: 2, embeddings: 0 });
});

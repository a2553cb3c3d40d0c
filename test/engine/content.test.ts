// All that a person said, forgotten in memory and in conversations, and given out: conversations with others go on around it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { earlierNote, replyNote } from '#engine/wire/channels/notes.ts';
import { converse, openKit, originOf, textBody } from './support/kit.ts';

const room = 'discord:channel:1:2:3:-';
const ann = originOf({ nativeIDs: ['a1'] });
const inRoom = (person: string, chat = room) =>
  originOf({
    chat,
    kind: 'channel',
    audience: `room:${room}`,
    space: 'discord:1:2',
    restricted: false,
    speaker: { person, name: person },
  });

/** The files below a folder in which the word stands, read by another process. */
function filesWith(folder: string, word: string): string[] {
  try {
    return execFileSync('grep', ['-rliaF', word, folder], { encoding: 'utf8' }).trim().split('\n');
  } catch {
    return []; // grep found none
  }
}

async function talked(t: Parameters<typeof openKit>[0]) {
  const kit = await openKit(t);
  const { engine } = kit;
  const own = await engine.createSession({ sourceKind: 'channel' });
  await converse(engine, own.id, textBody('My xylophone is in the attic.', ann));
  const shared = await engine.createSession({ sourceKind: 'channel' });
  await converse(engine, shared.id, textBody('The zeppelin lands on Monday.', inRoom('per_1')));
  await converse(engine, shared.id, textBody('The harbour is closed on Friday.', inRoom('per_2')));
  return { ...kit, own, shared };
}

test('a wrong selector is refused, a preview counts and changes nothing', async (t) => {
  const { engine, own, folder } = await talked(t);
  const of = { persons: ['per_1'] };
  const preview = await engine.forgetContent({ of, apply: false });
  assert.deepEqual(preview, {
    ...{ applied: false, memories: 2, sessions: 1, messages: 4, schedules: 0, runs: 2 },
    session_ids: [own.id],
    remains: [],
  });
  assert.ok(filesWith(folder, 'xylophone').length > 0);
  const none = await engine.forgetContent({ of: { persons: ['per_9'] }, apply: true });
  assert.deepEqual([none.memories, none.messages, none.runs], [0, 0, 0]);
  assert.equal((await engine.messages(own.id)).length, 2);
});

test('what a person scheduled, their zone and their quiet hours are given out and forgotten with them, and with a chat', async (t) => {
  const { engine } = await openKit(t);
  const room = 'discord:channel:bot:G1:C1:-';
  const times = { zone: 'Europe/Berlin', quiet: { from: '22:00', until: '07:00' } };
  await engine.setPersonTimes({ persons: ['per_1'], ...times });
  const input = { when: 'tomorrow at 9', text: 'xylophone', zone: 'UTC' };
  await engine.createSchedule({ ...input, person: 'per_1', chat: 'discord:dm:bot:-:D1:-' });
  await engine.createSchedule({ ...input, person: 'per_2', chat: 'discord:channel:bot:G1:C1:T1' });
  const given = await engine.exportContent({ persons: ['per_1'] });
  assert.deepEqual([given.schedules.map(({ text }) => text), given.times], [['xylophone'], times]);
  assert.equal((await engine.forgetContent({ of: { persons: ['per_1'] }, apply: true })).schedules, 2);
  assert.deepEqual(await engine.personTimes({ person: ['per_1'] }), {
    zone: null,
    quiet: null,
    usual_zone: null,
  });
  assert.deepEqual(
    (await engine.listSchedules({})).map(({ person }) => person),
    ['per_2'],
  );
  await engine.forgetContent({ of: { chats: [room] }, apply: true });
  assert.deepEqual(await engine.listSchedules({}), []);
});

test('all that a person said goes from memory, conversations and files of runs; what others said stays in its place', async (t) => {
  const { engine, own, shared, folder } = await talked(t);
  const fork = await engine.forkSession({ sessionID: shared.id });
  const given = await engine.exportContent({ persons: ['per_1'] });
  assert.equal(given.memories.length, 2);
  assert.match(JSON.stringify(given.messages), /xylophone.*zeppelin/s);
  assert.doesNotMatch(JSON.stringify(given), /harbour/);
  const done = await engine.forgetContent({ of: { persons: ['per_1'] }, apply: true, reason: 'asked' });
  assert.deepEqual([done.applied, done.memories, done.sessions, done.remains], [true, 2, 1, []]);
  assert.equal(await engine.hasSession(own.id), false);
  for (const { id } of [shared, fork]) {
    const texts = (await engine.messages(id)).map(({ parts }) =>
      parts.map((part) => (part.type === 'text' ? part.text : '')).join(),
    );
    assert.deepEqual(texts.slice(0, 3), ['[forgotten]', '[forgotten]', 'The harbour is closed on Friday.']);
  }
  for (const word of ['xylophone', 'zeppelin']) assert.deepEqual(filesWith(folder, word), [], word);
  const again = await engine.forgetContent({ of: { persons: ['per_1'] }, apply: false });
  assert.deepEqual([again.memories, again.messages], [0, 0]);
  const next = await converse(engine, shared.id, textBody('When is the harbour closed?', inRoom('per_2')));
  assert.match(next.text, /Friday/);
});

test('all that is stored about a person holds nothing that others wrote: no quotes, no title', async (t) => {
  const { engine, shared } = await talked(t);
  await converse(engine, shared.id, textBody('The zeppelin is late.', inRoom('per_2')));
  const thread = await engine.createSession({ sourceKind: 'channel' });
  const said = `${earlierNote('Ben', 'the canal is frozen')}\n${replyNote('a message of Ben', 'a yellow kite')}\nSince when?`;
  await converse(engine, thread.id, textBody(said, inRoom('per_2')));
  const [session] = (await engine.findSessions({ ids: [thread.id], limit: 1, offset: 0 })).sessions;
  assert.equal(session?.title, 'Since when?');
  const { messages, memories } = await engine.exportContent({ persons: ['per_2'] });
  assert.ok(messages.some(({ text }) => text === 'Since when?'));
  const inRooms = new Set([thread.id, shared.id]);
  assert.ok(messages.every(({ role, session_id: id }) => role === 'user' || !inRooms.has(id)));
  assert.doesNotMatch(JSON.stringify(messages), /canal|kite|lands on Monday/);
  assert.ok(memories.some(({ text }) => text.includes('The zeppelin is late.')));
  for (const { text, audience } of memories)
    if (audience.startsWith('room:')) assert.doesNotMatch(text, /assistant answered/);
});

test('what was written in a chat goes with its threads, no matter who said it, and nothing of another chat', async (t) => {
  const { engine, own, shared, folder } = await talked(t);
  const thread = await engine.createSession({ sourceKind: 'channel' });
  await converse(
    engine,
    thread.id,
    textBody('The lighthouse keeper sleeps.', inRoom('per_2', 'discord:channel:1:2:3:77')),
  );
  const other = await engine.createSession({ sourceKind: 'channel' });
  await converse(
    engine,
    other.id,
    textBody('The mountaineer waits.', inRoom('per_2', 'discord:channel:1:2:33:-')),
  );
  const done = await engine.forgetContent({ of: { chats: [room] }, apply: true });
  assert.deepEqual([done.sessions, done.remains], [2, []]);
  assert.deepEqual([...done.session_ids].sort(), [shared.id, thread.id].sort());
  for (const word of ['zeppelin', 'lighthouse']) assert.deepEqual(filesWith(folder, word), [], word);
  assert.equal((await engine.messages(own.id)).length, 2);
  assert.equal((await engine.messages(other.id)).length, 2);
});

test('what was written in a session goes with its memories, its runs and their files, and nothing of another session', async (t) => {
  const { engine, memory, own, shared, folder } = await talked(t);
  const before = await engine.listRuns({ sessionID: own.id, limit: 9, offset: 0 });
  const preview = await engine.forgetContent({ of: { sessions: [shared.id] }, apply: false });
  assert.deepEqual([preview.memories, preview.sessions, preview.messages, preview.runs], [2, 1, 4, 2]);
  const done = await engine.forgetContent({
    of: { sessions: [shared.id] },
    apply: true,
    reason: 'tidied up',
  });
  assert.deepEqual(
    [done.applied, done.memories, done.sessions, done.messages, done.runs, done.session_ids, done.remains],
    [true, 2, 1, 4, 2, [shared.id], []],
  );
  assert.equal(await engine.hasSession(shared.id), false);
  for (const word of ['zeppelin', 'harbour']) assert.deepEqual(filesWith(folder, word), [], word);
  assert.equal((await engine.messages(own.id)).length, 2);
  assert.deepEqual(await engine.listRuns({ sessionID: own.id, limit: 9, offset: 0 }), before);
  const audit = await memory.audit({ of: 'every audience', action: 'forget' });
  assert.ok(audit.some((line) => JSON.stringify(line).includes('tidied up')));
});

test('of what is forgotten in a shared conversation its run says only that it ran, and an export of more than a page is whole', async (t) => {
  const { engine, shared, memory } = await talked(t);
  const [, first] = (await engine.listRuns({ sessionID: shared.id, limit: 9, offset: 0 })).runs;
  await engine.forgetContent({ of: { persons: ['per_1'] }, apply: true });
  const run = await engine.getRun({ runID: first?.runID ?? '' });
  assert.deepEqual([run?.text, run?.status, run?.failure], ['[forgotten]', 'completed', undefined]);
  const where = { audience: 'person:per_3', restricted: true } as const;
  const speaker = { person: 'per_3', name: 'Cid' };
  await Promise.all(
    Array.from({ length: 1_003 }, (_, n) =>
      memory.archive({
        ...{
          key: `k${n}`,
          userText: `Boat number ${n}`,
          assistantText: '',
          recalled: [],
          at: n,
          speaker,
          where,
        },
        ...{ platform: 'discord', chat: 'c', sessionID: 's', runID: `run_${n}`, messageIDs: [`${n}`] },
      }),
    ),
  );
  const { memories } = await engine.exportContent({ persons: ['per_3'] });
  assert.equal(new Set(memories.map(({ text }) => text)).size, 1_003);
});

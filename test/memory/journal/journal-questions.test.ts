// Questions of the journal about memories: what an answer chooses holds, and what is forgotten leaves them.
import assert from 'node:assert/strict';
import type { Memory } from '#memory/types/contract.ts';
import { test } from '../each-store.ts';
import { start } from '../open-memory.ts';
import { caller, openJournal } from './journal-kit.ts';

async function noted(memory: Memory, text: string): Promise<string> {
  const result = await memory.put({
    ...{ text, kind: 'fact', at: start, confidence: 0.9, platform: 'discord', chat: 'discord:dm:1:-:2:-' },
    ...{ speaker: { person: 'per_1', name: 'you' }, where: caller.where, sessionID: 'ses_1', runID: '' },
    messageIDs: [],
  });
  assert.ok('id' in result);
  return result.id;
}

async function asked(t: Parameters<typeof openJournal>[0]) {
  const { memory, journal } = openJournal(t);
  const records = [
    await noted(memory, 'The quince port is 4000'),
    await noted(memory, 'The quince port is 5000'),
  ];
  const words = { agentID: 'coder', title: 'Which port?', body: 'The quince port is 4000, or 5000.' };
  const { id } = await journal.askWhichHolds(caller, { ...words, records });
  return { memory, journal, records, id };
}

test('an answer that chooses a side makes it hold, and supersedes the other', async (t) => {
  const { memory, journal, records, id } = await asked(t);
  const [old, now] = records;
  await assert.rejects(journal.settleEntry(caller, { id, action: 'resolved', holds: 'mem_none' }), {
    code: 'invalid_journal',
  });
  const settled = await journal.settleEntry(caller, { id, action: 'resolved', holds: now });
  assert.deepEqual([settled.status, settled.holds?.text], ['resolved', 'The quince port is 5000']);
  assert.deepEqual(
    settled.superseded?.map((side) => side.id),
    [old],
  );
  const found = await memory.records({ scope: caller.scope, text: 'quince port' });
  assert.deepEqual(
    found.map(({ text }) => text),
    ['The quince port is 5000'],
  );
  assert.deepEqual((await memory.verify()).problems, []);
});

test('what a question asks about is forgotten with its words, and the question ends', async (t) => {
  const { memory, journal, records, id } = await asked(t);
  const request = { scope: caller.scope, selection: { ids: [records[0] ?? ''] }, mode: 'forget' } as const;
  assert.deepEqual((await memory.forget(request)).remains, []);
  const [thread] = (await journal.listElements(caller, { kind: 'thread' })).items;
  assert.deepEqual(
    [thread?.id, thread?.title, thread?.body, thread?.status],
    [id, 'Which of two memories holds?', undefined, 'dropped'],
  );
});

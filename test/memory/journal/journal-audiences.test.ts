// Random callers over every operation of the journal: nothing of an audience that they could not read.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Journal, JournalCaller } from '#memory/types/journal.ts';
import type { Audience } from '#memory/types/scope.ts';
import { test } from '../each-store.ts';
import { openJournal, session } from './journal-kit.ts';

interface Place {
  audience: Audience;
  space: string | undefined;
  restricted: boolean;
}

const places: Place[] = [
  { audience: 'person:per_1', space: undefined, restricted: true },
  { audience: 'person:per_2', space: undefined, restricted: true },
  { audience: 'room:open', space: 'guild', restricted: false },
  { audience: 'room:closed', space: 'guild', restricted: true },
  { audience: 'room:other', space: 'other', restricted: false },
];

const marker = (index: number): string => `marker${'abcde'[index]}word`;

const callerAt = ({ audience, space, restricted }: Place): JournalCaller => ({
  scope: { audiences: [audience], spaces: [], everyone: false },
  where: { audience, space, restricted },
  platform: 'mcp',
  by: { name: 'writer' },
});

/** One of each kind at the place, with the marker in its words; their ids. */
async function fill(journal: Journal, index: number): Promise<Record<string, string>> {
  const place = places[index];
  assert.ok(place);
  const [at, word, agentID] = [callerAt(place), marker(index), 'coder'];
  const item = [{ title: word, body: word }];
  const { lineageID } = await journal.closeSession(
    at,
    session('same', {
      title: word,
      summary: word,
      decisions: item,
      threads: item,
      steps: item,
      context: item,
    }),
  );
  const lesson = { agentID, taskType: word, lessonKind: 'gotcha', lesson: word, tags: [word] };
  const conversation = await journal.createConversation(at, { agentID, title: word, topic: word });
  const entry = { agentID, id: conversation.id, entryType: 'claim', author: word, body: word };
  await journal.addConversationEntry(at, entry);
  const touchstone = { agentID, type: 'moment', title: word, feltWeight: 5, fact: word };
  const phases = [{ title: word, status: 'active', slices: [{ title: word, status: 'active' }] }];
  await journal.putT4Entry(at, {
    agentID,
    projectSlug: 'p',
    entryType: 't',
    entryID: 'e',
    title: word,
    body: word,
  });
  return {
    session: lineageID,
    conversation: conversation.id,
    lesson: (await journal.recordLesson(at, lesson)).id,
    touchstone: (await journal.recordTouchstone(at, touchstone)).id,
    build: (await journal.putBuild(at, { agentID, key: 'b', title: word, status: 'active', phases })).id,
  };
}

/** Everything that this caller gets of the operations that read, errors included. */
async function everything(
  journal: Journal,
  caller: JournalCaller,
  written: readonly Record<string, string>[],
): Promise<string> {
  const agentID = 'coder';
  const words = places.map((_, index) => marker(index));
  const calls: (() => Promise<unknown>)[] = [
    () => journal.bundle(caller, { agentID, intent: words.join(' ') }),
    () => journal.getLessons(caller, { agentID }),
    () => journal.getTouchstones(caller, { agentID }),
    () => journal.getT4Entry(caller, { projectSlug: 'p', entryType: 't', entryID: 'e' }),
    ...['decision', 'thread', 'step', 'context'].map(
      (kind) => () => journal.listElements(caller, { agentID, kind }),
    ),
    ...words.flatMap((query) => [
      () => journal.searchSessions(caller, { query }),
      () => journal.searchConversations(caller, { query, mode: 'forms' }),
      () => journal.searchT4(caller, { query }),
    ]),
    ...written.flatMap((ids) => [
      () => journal.getSession(caller, { id: ids.session }),
      () => journal.getConversation(caller, { id: ids.conversation }),
      () => journal.getBuild(caller, { id: ids.build }),
    ]),
  ];
  const answers: unknown[] = [];
  for (const call of calls) answers.push(await call().catch((error: Error) => error.message));
  return JSON.stringify(answers);
}

test('no operation of the journal shows or changes what its caller could not have read (P14)', async (t) => {
  const { journal } = openJournal(t);
  const written: Record<string, string>[] = [];
  for (const index of places.keys()) written.push(await fill(journal, index));
  const scopes = fc.record({
    audiences: fc.subarray(places.map(({ audience }) => audience)),
    spaces: fc.subarray(['guild', 'other']),
    everyone: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(scopes, async (scope) => {
      const readable = places.map(
        ({ audience, space, restricted }) =>
          scope.audiences.includes(audience) ||
          (!restricted && (scope.everyone || (space !== undefined && scope.spaces.includes(space)))),
      );
      const where = { audience: 'person:per_9', restricted: true } as const;
      const caller: JournalCaller = { scope, where, platform: 'mcp', by: { name: 'reader' } };
      const answers = await everything(journal, caller, written);
      for (const [index, may] of readable.entries()) assert.equal(answers.includes(marker(index)), may);
      for (const ids of written) {
        const change = { agentID: 'coder', id: ids.lesson };
        await assert.rejects(journal.deprecateLesson(caller, change));
        const link = { agentID: 'coder', id: ids.touchstone, lineageID: ids.session };
        await assert.rejects(journal.linkTouchstone(caller, link));
        const entry = { agentID: 'coder', id: ids.conversation, entryType: 't', author: 'a', body: 'b' };
        await assert.rejects(journal.addConversationEntry(caller, entry));
      }
      assert.deepEqual(await journal.forget(caller, { ids: written.flatMap(Object.values) }), {
        forgotten: 0,
      });
    }),
    { numRuns: 60 },
  );
});

test('a call without a scope is refused before anything is read or written (P14)', async (t) => {
  const { journal } = openJournal(t);
  const caller = { ...callerAt(places[0] as Place), scope: undefined } as unknown as JournalCaller;
  await assert.rejects(journal.closeSession(caller, session('one')), { code: 'missing_scope' });
  await assert.rejects(journal.bundle(caller, { agentID: 'coder' }), { code: 'missing_scope' });
});

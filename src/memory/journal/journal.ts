// The journal: each call checked, cleaned of secrets, and done in one transaction.
import type { z } from 'zod';
import type { NewId } from '#base/ids.ts';
import type { Sql } from '#base/sql/sql.ts';
import { sqliteSql } from '#base/sql/sqlite-sql.ts';
import { synchronous } from '#base/sql/work.ts';
import { createQuestions } from '#memory/records/questions.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import { createSessionDocuments } from '#memory/store/session-document.ts';
import type { Store } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import { createIsForgotten, createUnbury } from '#memory/tables/tombstones.ts';
import type {
  ClosedSession,
  Journal,
  JournalCaller,
  JournalEntry,
  MemoryBundle,
} from '#memory/types/journal.ts';
import { journalInputs as inputs } from '#memory/types/journal-input.ts';
import type { Audience } from '#memory/types/scope.ts';
import { entryHash } from '#memory/words/content-hash.ts';
import { createWords, type DocumentKind, holdsAll } from '#memory/words/journal-words.ts';
import { bundle } from './bundle.ts';
import * as entries from './entries.ts';
import { forgetEntries } from './forget.ts';
import { createIndexEntry } from './index-entry.ts';
import { parseInput } from './input.ts';
import { countEntries, newestEntries } from './newest.ts';
import type { CheckedInput, JournalParts } from './parts.ts';
import { createJournalPlaces } from './places.ts';
import { askWhichHolds } from './questions.ts';
import { getSession, listElements } from './read-sessions.ts';
import { createRows } from './rows.ts';
import { closeSession, noteElement, settle, settleEntry } from './sessions.ts';

type Within = <T>(work: (store: Store) => T | Promise<T>) => Promise<T>;

/** The journal of an open memory; `within` runs work on its store. */
export function createJournal(memory: {
  within: Within;
  /** The same for work that writes, whose passages get their vectors afterwards. */
  writing: Within;
  redact: Redact;
  newId: NewId;
  now: () => number;
}): Journal {
  const { within, writing, redact, newId, now } = memory;
  const partsOf = createPartsOf({ newId, now });
  const spelled = <T>(store: Store, caller: JournalCaller, input: T) =>
    spelledCall(partsOf(store).places, caller, input);
  const writes =
    <Name extends keyof typeof inputs, T>(
      name: Name,
      work: (parts: JournalParts, caller: JournalCaller, input: CheckedInput<Name>) => T,
    ) =>
    async (caller: JournalCaller, input: unknown): Promise<T> => {
      readableBy(caller.scope);
      const schema: z.ZodType = inputs[name];
      const clean = (await maskedAll(redact, parseInput(schema, input))) as CheckedInput<Name>; // masking changes texts only
      return writing((store) =>
        store.retryWhileLocked(() =>
          store.atOnce(() => {
            const result = work(partsOf(store), ...spelled(store, caller, clean));
            audited(partsOf(store), caller, { name, result });
            return result;
          }),
        ),
      );
    };
  const reads =
    <Name extends keyof typeof inputs, T>(
      name: Name,
      work: (parts: JournalParts, caller: JournalCaller, input: CheckedInput<Name>) => T,
    ) =>
    async (caller: JournalCaller, input: unknown): Promise<T> => {
      const schema: z.ZodType = inputs[name];
      const checked = parseInput(schema, input) as CheckedInput<Name>; // the schema of this name
      return within((store) =>
        store.database.transaction(() => work(partsOf(store), ...spelled(store, caller, checked))).deferred(),
      );
    };
  const found = (kind: DocumentKind, table: 'session_headers' | 'conversations') =>
    reads('search', ({ rows }, caller, { mode, query, ...page }) =>
      entries.searchIn(mode, (each) => rows.page(table, caller, holdsAll(kind, query, each), page)),
    );
  return {
    async forget(caller, input) {
      const checked = parseInput(inputs.forget, input);
      const reason = checked.reason === undefined ? undefined : (await redact(checked.reason)).text;
      return within((store) => forgetEntries(store, caller, { ...checked, reason }));
    },
    closeSession: writes('closeSession', closeSession),
    noteElement: writes('noteElement', noteElement),
    askWhichHolds: writes('askWhichHolds', askWhichHolds),
    updateElement: writes('updateElement', settle),
    async bundle(caller, input) {
      const read = await reads('bundle', bundle)(caller, input);
      if (isShared(read, caller))
        await within((store) =>
          store.retryWhileLocked(() =>
            partsOf(store).places.wake(spelled(store, caller, {})[0], read.agentID, now()),
          ),
        );
      return read;
    },
    listElements: reads('listElements', listElements),
    listSessions: reads('listSessions', ({ rows }, caller, { agentID = null, kind, ...page }) => {
      return rows.page(listed[kind], caller, { sql: everyOr, values: { agent: agentID } }, page);
    }),
    listEntries: (caller, input) => {
      const query = {
        ...parseInput(inputs.listEntries, input),
        scope: caller.scope,
        forEveryProject: true as const,
      };
      return within(({ database }) => ({
        items: newestEntries(database, query),
        total: countEntries(database, query),
      }));
    },
    settleEntry: writes('settleEntry', settleEntry),
    listProjects: reads('listProjects', ({ places }, caller) => ({ items: places.all(caller) })),
    listAgents: reads('listAgents', ({ places }, caller) => ({
      items: places.all(caller).toSorted((a, b) => a.agentID.localeCompare(b.agentID)),
    })),
    getSession: reads('getSession', getSession),
    searchSessions: found('session', 'session_headers'),
    recordLesson: writes('recordLesson', entries.recordLesson),
    deprecateLesson: writes('deprecateLesson', entries.deprecateLesson),
    getLessons: reads('getLessons', entries.getLessons),
    recordTouchstone: writes('recordTouchstone', entries.recordTouchstone),
    linkTouchstone: writes('linkTouchstone', entries.linkTouchstone),
    getTouchstones: reads('getTouchstones', ({ rows }, caller, { agentID, ...page }) =>
      rows.page('touchstones', caller, { sql: everyOr, values: { agent: agentID ?? null } }, page),
    ),
    createConversation: writes('createConversation', entries.createConversation),
    addConversationEntry: writes('addConversationEntry', entries.addConversationEntry),
    getConversation: reads('getConversation', entries.getConversation),
    searchConversations: found('conversation', 'conversations'),
    putBuild: writes('putBuild', entries.putBuild),
    getBuild: reads('byID', (parts, caller, { id }) => entries.getBuild(parts, caller, id)),
    putT4Entry: writes('putT4Entry', entries.putT4Entry),
    getT4Entry: reads('getT4Entry', entries.getT4Entry),
    searchT4: reads('searchT4', entries.searchT4),
  };
}

/** Whether a bundle shows an agent what others left open in its project: of these its close answers then. */
function isShared(
  read: MemoryBundle,
  { projectID }: JournalCaller,
): read is MemoryBundle & { agentID: string } {
  const { agentID, sections } = read;
  if (projectID === undefined || agentID === undefined) return false;
  return [sections.openThreads, sections.nextSteps].some((open) =>
    open?.some((each) => each.agentID !== agentID),
  );
}

/** Each write is a line of the audit, under the entry that it wrote; what was repeated wrote nothing. */
function audited(
  { audit }: JournalParts,
  { by, where }: JournalCaller,
  { name, result }: { name: string; result: unknown },
): void {
  const {
    id,
    lineageID,
    repeated,
    wasForgotten,
    audience = where.audience,
  } = result as Partial<JournalEntry & ClosedSession>;
  if (repeated === true) return;
  const of = name === 'closeSession' ? lineageID : id;
  const owner = audience as Audience; // that of the entry, where it has one
  audit.add({
    action: 'put',
    by,
    audience: owner,
    ids: of === undefined ? [] : [of],
    detail: { journal: name, ...(wasForgotten !== undefined && { again: true }) },
  });
}

/** The parts over each open store, made once. */
function createPartsOf({ newId, now }: { newId: NewId; now: () => number }): (store: Store) => JournalParts {
  const opened = new WeakMap<Store, JournalParts>();
  return (store) => {
    const known = opened.get(store);
    if (known !== undefined) return known;
    const { database, audit, records, governance, journalPassages: passages } = store;
    const words = createWords(database);
    const sql = sqliteSql(database);
    const parts = {
      rows: createRows({ database, newId, now }),
      ...{ words, passages },
      index: createIndexEntry({ database, words, passages, sessionOf: createSessionDocuments(database) }),
      places: createJournalPlaces(database),
      ...{ audit, records, choose: governance.choose, questions: synchronous(createQuestions(sql)) },
      forgottenWords: createForgottenWords(sql),
    };
    opened.set(store, parts);
    return parts;
  };
}

function createForgottenWords(sql: Sql): JournalParts['forgottenWords'] {
  const { has, unbury } = synchronous({ has: createIsForgotten(sql), unbury: createUnbury(sql) });
  return {
    has,
    restored({ where: { audience, partition } }, entry) {
      const words = { audience, contentHash: entryHash(entry, partition) };
      if (!has(words)) return false;
      unbury(words);
      return true;
    },
  };
}

/** The same call with its agent and its project as the journal spells them: names differ in more than their case. */
function spelledCall<T>(
  places: JournalParts['places'],
  given: JournalCaller,
  input: T,
): [caller: JournalCaller, input: T] {
  const project = given.projectID?.trim();
  const caller = project ? { ...given, projectID: places.spelled(given, project, 'project') } : given;
  const { agentID } = input as { agentID?: unknown };
  if (typeof agentID !== 'string') return [caller, input];
  return [caller, { ...input, agentID: places.spelled(caller, agentID) }];
}

/** Of one agent, or of every one. */
const everyOr = '@agent IS NULL OR agent_id = @agent';

const listed = { session: 'session_headers', conversation: 'conversations', build: 'build_records' } as const;

/** The same value with the secrets in its texts masked. */
export async function maskedAll(redact: Redact, value: unknown): Promise<unknown> {
  if (typeof value === 'string') return (await redact(value)).text;
  if (Array.isArray(value)) return Promise.all(value.map((each) => maskedAll(redact, each)));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = await Promise.all(
    Object.entries(value).map(async ([key, each]) => [key, await maskedAll(redact, each)] as const),
  );
  return Object.fromEntries(pairs);
}

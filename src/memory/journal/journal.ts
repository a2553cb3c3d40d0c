// The journal: each call checked, cleaned of secrets, and done in one transaction.
import type { z } from 'zod';
import type { NewId } from '#base/ids.ts';
import { lazy } from '#base/lazy.ts';
import type { Work } from '#base/sql/work.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { JournalStore } from '#memory/store/journal-store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type {
  ClosedSession,
  Journal,
  JournalCaller,
  JournalEntry,
  MemoryBundle,
} from '#memory/types/journal.ts';
import { journalInputs as inputs } from '#memory/types/journal-input.ts';
import type { Audience } from '#memory/types/scope.ts';
import { type DocumentKind, holdsAll } from '#memory/words/journal-words.ts';
import { bundle } from './bundle.ts';
import * as entries from './entries.ts';
import { forgetEntries } from './forget.ts';
import { parseInput } from './input.ts';
import type { JournalLists } from './newest.ts';
import { type CheckedInput, createJournalParts, type JournalParts } from './parts.ts';
import { askWhichHolds } from './questions.ts';
import { getSession, listElements } from './read-sessions.ts';
import { closeSession, noteElement, settle, settleEntry } from './sessions.ts';

type Within = <T>(call: () => Promise<T>) => Promise<T>;

type Operation<Name extends keyof typeof inputs, T> = (
  parts: JournalParts,
  caller: JournalCaller,
  input: CheckedInput<Name>,
) => Work<T>;

/** The journal of an open memory. */
export function createJournal(memory: {
  store: JournalStore;
  lists: JournalLists;
  /** Makes a call while the memory is open. */
  within: Within;
  /** The same for a call that writes, whose passages get their vectors afterwards. */
  writing: Within;
  redact: Redact;
  newId: NewId;
  now: () => number;
}): Journal {
  const { store, lists, within, writing, redact, now } = memory;
  const { storage } = store;
  const parts = lazy(() => createJournalParts(store, memory));
  const writes =
    <Name extends keyof typeof inputs, T>(name: Name, work: Operation<Name, T>) =>
    async (caller: JournalCaller, input: unknown): Promise<T> => {
      readableBy(caller.scope);
      const schema: z.ZodType = inputs[name];
      const clean = (await maskedAll(redact, parseInput(schema, input))) as CheckedInput<Name>; // masking changes texts only
      return writing(() =>
        storage.write(function* () {
          const result = yield* work(parts(), ...(yield* spelledCall(parts().places, caller, clean)));
          yield* audited(parts(), caller, { name, result });
          return result;
        }),
      );
    };
  const reads =
    <Name extends keyof typeof inputs, T>(name: Name, work: Operation<Name, T>) =>
    async (caller: JournalCaller, input: unknown): Promise<T> => {
      const schema: z.ZodType = inputs[name];
      const checked = parseInput(schema, input) as CheckedInput<Name>; // the schema of this name
      return within(() =>
        storage.read(function* () {
          return yield* work(parts(), ...(yield* spelledCall(parts().places, caller, checked)));
        }),
      );
    };
  const found = (kind: DocumentKind, table: 'session_headers' | 'conversations') =>
    reads('search', ({ rows }, caller, { query, mode, ...page }) =>
      entries.searchIn(mode, (each) =>
        rows.page(table, caller, holdsAll(rows.dialect, kind, { query, mode: each }), page),
      ),
    );
  return {
    async forget(caller, input) {
      const checked = parseInput(inputs.forget, input);
      const reason = checked.reason === undefined ? undefined : (await redact(checked.reason)).text;
      return within(() => forgetEntries(store, caller, { ...checked, reason }));
    },
    closeSession: writes('closeSession', closeSession),
    noteElement: writes('noteElement', noteElement),
    askWhichHolds: writes('askWhichHolds', askWhichHolds),
    updateElement: writes('updateElement', settle),
    async bundle(caller, input) {
      const read = await reads('bundle', bundle)(caller, input);
      if (isShared(read, caller))
        await within(() =>
          store.writeOne(function* () {
            const { places } = parts();
            const [asSpelled] = yield* spelledCall(places, caller, {});
            yield* places.wake(asSpelled, read.agentID, now());
          }),
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
      return within(() =>
        storage.read(function* () {
          return { items: yield* lists.newest(query), total: yield* lists.count(query) };
        }),
      );
    },
    settleEntry: writes('settleEntry', settleEntry),
    listProjects: reads('listProjects', function* ({ places }, caller) {
      return { items: yield* places.all(caller) };
    }),
    listAgents: reads('listAgents', function* ({ places }, caller) {
      const { projectID } = caller;
      const all = (yield* places.all(caller)).filter(
        (place) => projectID === undefined || place.projectID === projectID,
      );
      return { items: all.toSorted((a, b) => a.agentID.localeCompare(b.agentID)) };
    }),
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
function* audited(
  { audit }: JournalParts,
  { by, where }: JournalCaller,
  { name, result }: { name: string; result: unknown },
): Work<void> {
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
  yield* audit.add({
    action: 'put',
    by,
    audience: owner,
    ids: of === undefined ? [] : [of],
    detail: { journal: name, ...(wasForgotten !== undefined && { again: true }) },
  });
}

/** The same call with its agent and its project as the journal spells them: names differ in more than their case. */
function* spelledCall<T>(
  places: JournalParts['places'],
  given: JournalCaller,
  input: T,
): Work<[caller: JournalCaller, input: T]> {
  const project = given.projectID?.trim();
  const caller = project ? { ...given, projectID: yield* places.spelled(given, project, 'project') } : given;
  const { agentID } = input as { agentID?: unknown };
  if (typeof agentID !== 'string') return [caller, input];
  return [caller, { ...input, agentID: yield* places.spelled(caller, agentID) }];
}

/** Of one agent, or of every one. */
const everyOr = '@agent IS NULL OR agent_id = @agent';

const listed = { session: 'session_headers', conversation: 'conversations', build: 'build_records' } as const;

/** The same value with the secrets in its texts masked, and without the character NUL, which PostgreSQL has not in a text of JSON. */
export async function maskedAll(redact: Redact, value: unknown): Promise<unknown> {
  if (typeof value === 'string') return (await redact(value)).text.replaceAll('\u0000', '\uFFFD');
  if (Array.isArray(value)) return Promise.all(value.map((each) => maskedAll(redact, each)));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = await Promise.all(
    Object.entries(value).map(async ([key, each]) => [key, await maskedAll(redact, each)] as const),
  );
  return Object.fromEntries(pairs);
}

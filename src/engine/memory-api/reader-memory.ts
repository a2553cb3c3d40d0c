// Memory for a reader who is no run: searched and read inside what the reader may read. Changes are in reader-changes.ts.

import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { AskWhichHolds } from '#engine/tools/ask-which-holds.ts';
import {
  readerMemoryInputs as inputs,
  maxFound,
  type ReaderMemory,
} from '#engine/wire/memory/reader-memory.ts';
import type { ReaderOperation } from '#engine/wire/memory/reader-operations.ts';
import type { StandingFeedback } from '#engine/wire/runs/feedback.ts';
import type { Memory } from '#memory/types/contract.ts';
import { type JournalCaller, journalPlatform } from '#memory/types/journal.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import { type GovernedRecord, sourceOf } from '#memory/types/record.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { createReaderChanges } from './reader-changes.ts';
import {
  checked,
  createReaderLookup,
  listed,
  type ReaderOperations,
  readerEntryOf,
  whole,
} from './reader-lookup.ts';
import { type ShownRecord, wireEntryOfRecord } from './wire-memory.ts';

/** What accounts think of answers, oldest first; with the answer where a direct message of one of them holds it. */
export type FeedbackOf = (
  persons: readonly string[],
) => (StandingFeedback & { runID: string; answer?: string | undefined })[];

/** Records of one lookup, over all its pages. */
export const maxLooked = 1_000;
const narrowIt = `only the first ${maxLooked} are listed: narrow it, or search for the words`;

/** Of versions, and of thumbs under answers, so many are shown, the newest. */
const [maxVersions, maxThumbs] = [10, 50];

/** Whether the operation is one of memory; the others are the journal's. */
export function isMemoryOperation(operation: ReaderOperation): operation is keyof ReaderMemory {
  return Object.hasOwn(inputs, operation);
}

interface ReaderMemoryParts {
  memory: Memory;
  clock: Clock;
  feedback: FeedbackOf;
  askWhichHolds: AskWhichHolds;
}

/** The operations over the memory of the engine. */
export function createReaderMemory({
  memory,
  clock,
  feedback,
  askWhichHolds,
}: ReaderMemoryParts): ReaderOperations {
  const { recordsOf, forgottenOf, missing, endOf, refuseExpired } = createReaderLookup(memory, clock);
  const unnoted = async (
    { by, platform }: JournalCaller,
    tool: string,
    shown: readonly Pick<Entry, 'id' | 'audience'>[],
  ): Promise<string[]> => {
    const noted = await memory
      .noteRead({ by, how: `${platform} ${tool}`, shown })
      .catch((error: unknown) => errorMessage(error));
    return typeof noted === 'string' ? [`the read could not be noted in the audit (${noted})`] : [];
  };
  /** What the reader may read under this id: an entry, or a version of a record whatever its state. */
  const lookedUp = async ({ scope }: JournalCaller, id: string) => {
    const entry = await memory.show({ id, scope });
    const versions = await recordsOf(scope, entry?.recordID ?? id);
    const record = versions.find((version) => version.id === (entry?.recordID ?? id));
    return { item: entry ?? (record && wireEntryOfRecord(record)), record, versions };
  };

  return {
    ...createReaderChanges({ memory, clock, askWhichHolds }),
    async memorySearch(caller, input) {
      const { query, corpus, projectID, limit, cursor = '0' } = checked(inputs.memorySearch, input);
      const from = Number(cursor);
      const until = Math.min(maxFound, from + limit);
      const asked = Math.min(maxFound, until + 1);
      const { hits, degraded } = await memory.search({
        text: query,
        scope: caller.scope,
        ...{ corpus, projectID },
        limit: asked,
      });
      const shown = hits.slice(from, until);
      return {
        items: shown.map((hit) => ({
          ...readerEntryOf(hit, listed),
          score: Math.round(hit.score * 1_000) / 1_000,
        })),
        ...(hits.length > until && { next: String(until) }),
        degraded: [...degraded, ...(await unnoted(caller, 'memory_search', shown))],
      };
    },
    async memoryGet(caller, input) {
      const { scope, where, own = [] } = caller;
      const read = await memory.readFile({ ...checked(inputs.memoryGet, input), scope });
      const isOthers =
        read.audience !== undefined && ![where.audience, ...own].some((each) => each === read.audience);
      // or that of a space
      const shown = isOthers ? [{ id: read.path, audience: read.audience as Audience }] : [];
      const degraded = await unnoted(caller, 'memory_get', shown);
      return { ...read, ...(degraded.length > 0 && { degraded }) };
    },
    async memoryRead(caller, input) {
      const { id } = checked(inputs.memoryRead, input);
      const { item, record, versions } = await lookedUp(caller, id);
      if (item === undefined) throw await missing(caller, id);
      if (record !== undefined) refuseExpired(record);
      return {
        item: readerEntryOf(item, whole),
        ...(record !== undefined && { record: recordPart(record) }),
        versions: versions
          .filter((version) => endOf(version) === undefined)
          .slice(-maxVersions)
          .map((version) => ({
            ...{ id: version.id, version: version.version, state: version.state },
            ...{ text: truncate(version.text, listed), confidence: version.confidence },
            ...{ at: new Date(version.at).toISOString(), source: sourceOf(version) },
          })),
        ...(record?.kind === 'procedure' && { signals: await signalsOf(memory, record.id, caller.scope) }),
      };
    },
    async memoryLookup(caller, input) {
      const given = checked(inputs.memoryLookup, input);
      const { key, tag, kind, pinned, projectID, limit, cursor = '0' } = given;
      if ((key ?? tag ?? kind ?? pinned) === undefined)
        throw new ParleyError(
          'invalid_memory_call',
          'key: expected at least one of key, tag, kind, pinned; received none.',
        );
      const { scope } = caller;
      const until = Math.min(maxLooked, Number(cursor) + limit);
      const query = { scope, key, tag, kind, pinned, projectID };
      const found = await memory.marked({ ...query, limit: Math.min(maxLooked, until + 1) });
      const unread = found.length === maxLooked && until === maxLooked ? [narrowIt] : [];
      const records = found.slice(Number(cursor), until);
      return {
        items: records.map((record) => itemOf(record)),
        ...(found.length > until && { next: String(until) }),
        degraded: [...unread, ...(await unnoted(caller, 'memory_lookup', records))],
      };
    },
    memoryFeedback: createReaderFeedback(feedback),
    memoryVerify: createVerify(memory, { lookedUp, forgottenOf, endOf }),
  };
}

function recordPart(record: ShownRecord) {
  const { version, state, sensitivity, confidence, metadata, key, tags, pinned } = record;
  return {
    ...{ version, state, sensitivity, confidence, metadata, pinned, tags: [...tags] },
    ...(key !== undefined && { key }),
    source: sourceOf(record),
  };
}

/** A record as a list shows it, with at most so many characters of its text. */
export function itemOf(
  record: ShownRecord,
  characters = listed,
): ReaderMemory['memoryLookup']['items'][number] {
  const { id, kind, text, audience } = record;
  const { version: _, state: __, metadata: ___, ...part } = recordPart(record);
  return {
    ...{ id, kind, text: truncate(text, characters), at: new Date(record.at).toISOString(), audience },
    ...part,
  };
}

/** What became of each id: `lookedUp` and the others as for reading it, so that the two never disagree. */
function createVerify(
  memory: Pick<Memory, 'search'>,
  {
    lookedUp,
    forgottenOf,
    endOf,
  }: Pick<ReturnType<typeof createReaderLookup>, 'forgottenOf' | 'endOf'> & {
    lookedUp: (
      caller: JournalCaller,
      id: string,
    ) => Promise<{ item: Entry | undefined; record: GovernedRecord | undefined }>;
  },
): ReaderOperations['memoryVerify'] {
  const isFound = async ({ scope }: JournalCaller, id: string, entry: Entry): Promise<boolean> => {
    const { hits } = await memory.search({ text: entry.text.slice(0, 1_000), scope, limit: maxFound });
    // an element of a session is found in the passages of that one
    const isWithin = ({ platform, sessionID }: Entry): boolean =>
      entry.platform === journalPlatform && platform === journalPlatform && sessionID === entry.sessionID;
    return hits.some((hit) => hit.id === id || hit.text === entry.text || isWithin(hit));
  };
  type Verified = ReaderMemory['memoryVerify']['items'][number];
  const verified = async (caller: JournalCaller, id: string): Promise<Verified> => {
    const { item, record } = await lookedUp(caller, id);
    const expiredAt = record && endOf(record);
    if (expiredAt !== undefined) return { id, status: 'expired', found: false, expiredAt };
    if (record !== undefined && record.state !== 'active') return { id, status: record.state, found: false };
    if (item !== undefined) return { id, status: 'stored', found: await isFound(caller, id, item) };
    const forgotten = await forgottenOf(caller, id);
    if (forgotten === undefined) return { id, status: 'unknown' };
    const { at, reason } = forgotten;
    const forgottenAt = new Date(at).toISOString();
    return { id, status: 'forgotten', forgottenAt, ...(reason !== undefined && { reason }) };
  };
  return async (caller, input) => {
    const { ids } = checked(inputs.memoryVerify, input);
    const items: Verified[] = [];
    for (const id of ids) items.push(await verified(caller, id));
    return { items };
  };
}

/** How often a procedure went well and badly, with the latest reports. */
async function signalsOf(memory: Memory, id: string, scope: Scope) {
  const { latest, ...counts } = await memory.signals({ id, scope });
  const reports = latest.map(({ outcome, by, note, at }) => ({
    ...{ outcome, by, at: new Date(at).toISOString() },
    ...(note !== undefined && { note }),
  }));
  return { ...counts, latest: reports };
}

/** What the reader thinks of answers, the newest first. */
function createReaderFeedback(feedback: FeedbackOf): ReaderOperations['memoryFeedback'] {
  return async ({ where, own = [] }, input) => {
    const { rating } = checked(inputs.memoryFeedback, input);
    const persons = [...new Set([where.audience, ...own])].flatMap((audience) =>
      audience.startsWith('person:') ? [audience.slice('person:'.length)] : [],
    );
    const found = feedback(persons).filter((each) => rating === undefined || each.rating === rating);
    const items = found
      .reverse()
      .slice(0, maxThumbs)
      .map(({ runID, atMs, answer, ...each }) => ({
        run_id: runID,
        rating: each.rating,
        emoji: each.emoji,
        at: new Date(atMs).toISOString(),
        ...(answer !== undefined && { answer: truncate(answer, listed) }),
      }));
    return { items, total: found.length };
  };
}

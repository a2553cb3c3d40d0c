// Memory for a reader who is no run: searched, read, stored, changed and forgotten inside what the reader may read.
import type { z } from 'zod';
import { checkInput } from '#base/check-input.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { ReaderOperation } from '#engine/wire/reader.ts';
import {
  readerMemoryInputs as inputs,
  maxFound,
  type ReaderEntry,
  type ReaderMemory,
} from '#engine/wire/reader-memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import { versionOf } from '#memory/types/next-version.ts';
import { type GovernedRecord, sourceOf } from '#memory/types/record.ts';
import type { Scope } from '#memory/types/scope.ts';
import { wireEntryOfRecord } from './wire-memory.ts';

type Operation<Name extends keyof ReaderMemory> = (
  caller: JournalCaller,
  input: unknown,
) => Promise<ReaderMemory[Name]>;

/** Characters of one text: in a list, and where one is read. Of versions so many are shown, the newest. */
const [listed, whole, maxVersions] = [1_500, 20_000, 10];

/** Whether the operation is one of memory; the others are the journal's. */
export function isMemoryOperation(operation: ReaderOperation): operation is keyof ReaderMemory {
  return Object.hasOwn(inputs, operation);
}

/** The operations over the memory of the engine. */
export function createReaderMemory({ memory, clock }: { memory: Memory; clock: Clock }): {
  [Name in keyof ReaderMemory]: Operation<Name>;
} {
  const recordsOf = (scope: Scope, id: string) => memory.records({ scope, ids: [id] });
  const forgottenOf = async ({ where, own = [] }: JournalCaller, id: string) => {
    for (const of of [where.audience, ...own]) {
      const forgotten = await memory.forgotten({ id, of });
      if (forgotten !== undefined) return forgotten;
    }
    return undefined;
  };
  const missing = async (caller: JournalCaller, id: string): Promise<ParleyError> => {
    const forgotten = await forgottenOf(caller, id);
    if (forgotten === undefined)
      return new ParleyError(
        'memory_not_found',
        `id: expected the id of a memory that you may read, received "${id}".`,
        {
          hint: 'Find it with memory_search. Nothing was written.',
        },
      );
    const why =
      forgotten.reason === undefined ? 'no reason was given' : `the reason given: ${forgotten.reason}`;
    const at = new Date(forgotten.at).toISOString();
    return new ParleyError('memory_forgotten', `id: the memory ${id} was forgotten at ${at}; ${why}.`);
  };

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
  const signalsOf = async (id: string, scope: Scope) => {
    const { latest, ...counts } = await memory.signals({ id, scope });
    const reports = latest.map(({ outcome, by, note, at }) => ({
      ...{ outcome, by, at: new Date(at).toISOString() },
      ...(note !== undefined && { note }),
    }));
    return { ...counts, latest: reports };
  };

  return {
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
          ...shownEntry(hit, listed),
          score: Math.round(hit.score * 1_000) / 1_000,
        })),
        ...(hits.length > until && { next: String(until) }),
        degraded: [...degraded, ...(await unnoted(caller, 'memory_search', shown))],
      };
    },
    async memoryGet({ scope }, input) {
      return memory.readFile({ ...checked(inputs.memoryGet, input), scope });
    },
    async memoryCreate(caller, input) {
      const given = checked(inputs.memoryCreate, input);
      const { content: text, expiresAtMs: expiresAt, source, metadata, ...details } = given;
      const saved = await memory.put({
        ...written(caller, clock.now()),
        ...{ ...details, text, expiresAt },
        metadata: { ...metadata, ...(source !== undefined && { source }) },
      });
      return storedOf(saved);
    },
    async memoryRead(caller, input) {
      const { id } = checked(inputs.memoryRead, input);
      const entry = await memory.show({ id, scope: caller.scope });
      const versions = await recordsOf(caller.scope, entry?.recordID ?? id);
      const record = versions.find((version) => version.id === (entry?.recordID ?? id));
      const item = entry ?? (record === undefined ? undefined : wireEntryOfRecord(record));
      if (item === undefined) throw await missing(caller, id);
      return {
        item: shownEntry(item, whole),
        ...(record !== undefined && { record: recordPart(record) }),
        versions: versions.slice(-maxVersions).map((version) => ({
          ...{ id: version.id, version: version.version, state: version.state },
          ...{ text: truncate(version.text, listed), confidence: version.confidence },
          source: sourceOf(version),
        })),
        ...(record?.kind === 'procedure' && { signals: await signalsOf(record.id, caller.scope) }),
      };
    },
    async memoryUpdate(caller, input) {
      const { id, content, source, confidence, ...changes } = checked(inputs.memoryUpdate, input);
      if ([content, source, confidence, ...Object.values(changes)].every((value) => value === undefined))
        throw new ParleyError(
          'invalid_memory_call',
          'content: expected what holds now, or another key, tags, pinned, sensitivity, confidence or source; received nothing.',
          { hint: 'Nothing was written.' },
        );
      const versions = await recordsOf(ownScope(caller), id);
      const current = versions.at(-1);
      if (current === undefined) {
        const readable = await memory.show({ id, scope: caller.scope });
        if (readable === undefined) throw await missing(caller, id);
        throw new ParleyError(
          'invalid_memory_call',
          `id: expected a note, fact or solution of your own, received ${id}, which is ${readable.source === 'exchange' ? 'a conversation' : 'read here only'}.`,
          { hint: 'Store what holds now with memory_create. Nothing was written.' },
        );
      }
      const before = versionOf(current);
      const saved = await memory.put({
        ...written(caller, clock.now()),
        ...before,
        ...changes,
        text: content ?? current.text,
        confidence: confidence ?? before.confidence,
        metadata: { ...before.metadata, ...(source !== undefined && { source }) },
      });
      return { ...storedOf(saved), supersedes: current.id };
    },
    async memoryLookup(caller, input) {
      const { key, tag, kind, pinned, projectID, limit } = checked(inputs.memoryLookup, input);
      if ((key ?? tag ?? kind ?? pinned) === undefined)
        throw new ParleyError(
          'invalid_memory_call',
          'key: expected at least one of key, tag, kind, pinned; received none.',
        );
      const { scope } = caller;
      const records = await memory.records({ scope, key, tag, kind, pinned, projectID, limit });
      return { items: records.map(itemOf), degraded: await unnoted(caller, 'memory_lookup', records) };
    },
    async memoryReport(caller, input) {
      const { id, outcome, note } = checked(inputs.memoryReport, input);
      const scope = ownScope(caller);
      if ((await recordsOf(scope, id)).length === 0) throw await missing(caller, id);
      await memory.signal({ id, scope, by: caller.by, outcome, note });
      const { successes, failures } = await memory.signals({ id, scope });
      return { reported: true, successes, failures };
    },
    async memoryDelete(caller, input) {
      const { id, reason } = checked(inputs.memoryDelete, input);
      const { entries, remains } = await memory.forget({
        ...{ scope: ownScope(caller), selection: { ids: [id] }, mode: 'forget' },
        ...{ by: caller.by, reason },
      });
      if (entries === 0) throw await missing(caller, id);
      return { deleted: true, id, traces: remains.length };
    },
    async memoryForget(caller, input) {
      const given = checked(inputs.memoryForget, input);
      const { projectID: project, fromMs: from, untilMs: until, mode, reason, ...of } = given;
      const { entries, samples, forgotten, remains } = await memory.forget({
        ...{ scope: ownScope(caller), selection: { ...of, project, from, until } },
        ...{ mode, by: caller.by, reason },
      });
      return { forgotten, entries, samples: samples.map((entry) => shownEntry(entry, listed)), remains };
    },
    async memoryVerify(caller, input) {
      const { ids } = checked(inputs.memoryVerify, input);
      const items: ReaderMemory['memoryVerify']['items'] = [];
      for (const id of ids) {
        const entry = await memory.show({ id, scope: caller.scope });
        if (entry !== undefined) {
          const { hits } = await memory.search({
            text: entry.text.slice(0, 1_000),
            scope: caller.scope,
            limit: maxFound,
          });
          items.push({
            id,
            status: 'stored',
            found: hits.some((hit) => hit.id === id || hit.text === entry.text),
          });
          continue;
        }
        const forgotten = await forgottenOf(caller, id);
        if (forgotten === undefined) items.push({ id, status: 'unknown' });
        else {
          const { at, reason } = forgotten;
          const forgottenAt = new Date(at).toISOString();
          items.push({ id, status: 'forgotten', forgottenAt, ...(reason !== undefined && { reason }) });
        }
      }
      return { items };
    },
  };
}

function checked<T>(schema: z.ZodType<T>, input: unknown): T {
  return checkInput(schema, input, { code: 'invalid_memory_call', what: 'The call' });
}

/** What the caller may change: what belongs to it, and nothing that it only reads. */
function ownScope({ where, own = [] }: JournalCaller): Scope {
  return { audiences: [...new Set([where.audience, ...own])], spaces: [], everyone: false };
}

function written({ where, platform, by }: JournalCaller, at: number) {
  // the agent is never a name that people give themselves: what the operator writes counts as approved
  const speaker = { person: by.name, name: platform };
  return { at, speaker, where, platform, chat: platform, sessionID: '', runID: '', messageIDs: [] };
}

function storedOf(saved: Awaited<ReturnType<Memory['put']>>): ReaderMemory['memoryCreate'] {
  return 'id' in saved
    ? { status: saved.status, id: saved.id, masked: [...saved.redacted] }
    : { status: saved.status, masked: [] };
}

function recordPart(record: GovernedRecord) {
  const { version, state, sensitivity, confidence, metadata, key, tags, pinned } = record;
  return {
    ...{ version, state, sensitivity, confidence, metadata, pinned, tags: [...tags] },
    ...(key !== undefined && { key }),
    source: sourceOf(record),
  };
}

function itemOf(record: GovernedRecord): ReaderMemory['memoryLookup']['items'][number] {
  const { id, kind, text, audience } = record;
  const { version: _, state: __, metadata: ___, ...part } = recordPart(record);
  return { ...{ id, kind, text: truncate(text, listed), audience }, ...part };
}

function shownEntry(entry: Entry, characters: number): ReaderEntry {
  const { id, source: kind, text, at, speaker, platform, audience, file } = entry;
  return {
    ...{ id, kind, text: truncate(text, characters), at: new Date(at).toISOString() },
    ...{ speaker, platform, audience },
    ...(file !== undefined && { file }),
    ...(text.length > characters && { cut: true }),
  };
}

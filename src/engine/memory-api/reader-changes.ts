// What a reader who is no run writes to memory: stored, changed, reported on and forgotten, in what is the reader's own.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { readerMemoryInputs as inputs, type ReaderMemory } from '#engine/wire/memory/reader-memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import { versionOf } from '#memory/types/next-version.ts';
import type { Scope } from '#memory/types/scope.ts';
import {
  checked,
  createReaderLookup,
  listed,
  type ReaderOperations,
  readerEntryOf,
} from './reader-lookup.ts';

/** The operations that write, over the memory of the engine. */
export function createReaderChanges({
  memory,
  clock,
}: {
  memory: Memory;
  clock: Clock;
}): Pick<
  ReaderOperations,
  'memoryCreate' | 'memoryUpdate' | 'memoryReport' | 'memoryDelete' | 'memoryForget'
> {
  const { recordsOf, missing } = createReaderLookup(memory);
  return {
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
      return { forgotten, entries, samples: samples.map((entry) => readerEntryOf(entry, listed)), remains };
    },
  };
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

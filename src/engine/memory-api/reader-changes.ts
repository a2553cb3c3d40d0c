// What a reader who is no run writes to memory: stored, changed, reported on and forgotten, in what is the reader's own.

import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { AskWhichHolds } from '#engine/tools/ask-which-holds.ts';
import { readerMemoryInputs as inputs, type ReaderMemory } from '#engine/wire/memory/reader-memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import { type JournalCaller, journalPlatform } from '#memory/types/journal.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import { correct, correctedBy, correctionOf } from '#memory/types/next-version.ts';
import type { NoteResult, Standing } from '#memory/types/note.ts';
import type { GovernedRecord } from '#memory/types/record.ts';
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
  askWhichHolds,
}: {
  memory: Memory;
  clock: Clock;
  askWhichHolds: AskWhichHolds;
}): Pick<
  ReaderOperations,
  'memoryCreate' | 'memoryUpdate' | 'memoryReport' | 'memoryDelete' | 'memoryForget'
> {
  const { recordsOf, missing, refuseExpired } = createReaderLookup(memory, clock);
  return {
    async memoryCreate(caller, input) {
      const given = checked(inputs.memoryCreate, input);
      const { content: text, expiresAtMs: expiresAt, source, metadata, agentID, ...details } = given;
      if (expiresAt !== undefined && expiresAt <= clock.now())
        throw new ParleyError(
          'invalid_memory_call',
          `expiresAtMs: expected a time after now (${Math.round(clock.now())}), received ${expiresAt}.`,
          { hint: 'Leave it out for what does not expire. Nothing was written.' },
        );
      const saved = await memory.put({
        ...written(caller, clock.now()),
        ...{ ...details, text, expiresAt },
        metadata: { ...metadata, ...(source !== undefined && { source }) },
      });
      return {
        ...storedOf(saved),
        ...('supersedes' in saved && saved.supersedes !== undefined && { supersedes: saved.supersedes.id }),
        ...othersOf(saved),
        ...(await askWhichHolds(caller, saved, { ...details, agentID, text })),
        ...('again' in saved && { wasForgotten: true }),
        ...((saved.status === 'forgotten' || saved.status === 'retracted') && {
          hint: `This was ${saved.status} before. Where someone wants it back, call again with again: true.`,
        }),
      };
    },
    async memoryUpdate(caller, input) {
      const { id, content: text, expectedVersion, agentID, ...changes } = checked(inputs.memoryUpdate, input);
      if ([text, ...Object.values(changes)].every((value) => value === undefined))
        throw new ParleyError(
          'invalid_memory_call',
          'content: expected what holds now, or another key, tags, pinned, sensitivity, confidence or source; received nothing.',
          { hint: 'Nothing was written.' },
        );
      const newest = async (): Promise<GovernedRecord> => {
        const current = (await recordsOf(ownScope(caller), id)).at(-1);
        if (current !== undefined) return refuseExpired(current);
        const readable = await memory.show({ id, scope: caller.scope });
        if (readable === undefined) throw await missing(caller, id);
        throw new ParleyError(
          'invalid_memory_call',
          `id: expected a note, fact or solution of your own, received ${id}, which is ${whatElse(readable)}.`,
          { hint: 'Store what holds now with memory_create. Nothing was written.' },
        );
      };
      const write = async (current: GovernedRecord) => {
        const saved = await memory.put({
          ...written(caller, clock.now()),
          ...correctionOf(current, { text, ...changes }),
        });
        const shown = (words: string): string => truncate(words, listed);
        const { projectID } = current;
        const { key = current.key, confidence } = changes;
        const stated = { agentID, text: text ?? current.text, confidence, key, projectID };
        return {
          ...storedOf(saved),
          ...correctedBy(saved, current, { id, shown }),
          ...othersOf(saved),
          ...(await askWhichHolds(caller, saved, stated)),
          ...((saved.status === 'forgotten' || saved.status === 'retracted') && {
            hint: `These words were ${saved.status} before, and nothing was changed. Where someone wants them back, store them with memory_create and again: true, and delete this one.`,
          }),
        };
      };
      return correct(newest, write, expectedVersion);
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
      const { projectID: project, sessionID: session, runID: run, fromMs: from, untilMs: until } = given;
      const { mode, reason, ids, words, kind, key, tag, person, agent, chat, source } = given;
      const of = { ids, words, kind, key, tag, person, agent, chat, source, session, run };
      refuseNothing({ ...of, project, from, until });
      const { entries, samples, forgotten, remains } = await memory.forget({
        ...{ scope: ownScope(caller), selection: { ...of, project, from, until } },
        ...{ mode, by: caller.by, reason },
      });
      return { forgotten, entries, samples: samples.map((entry) => readerEntryOf(entry, listed)), remains };
    },
  };
}

/** Throws for a selection that names nothing: it would mean everything. */
function refuseNothing(selection: object): void {
  if (Object.values(selection).some((value) => value !== undefined)) return;
  const names = Object.keys(inputs.memoryForget.shape).filter((name) => name !== 'mode' && name !== 'reason');
  throw new ParleyError(
    'invalid_memory_call',
    `Expected what is meant: at least one of ${names.join(', ')}, received none.`,
    { hint: 'Nothing was written.' },
  );
}

/** What the caller may change: what belongs to it, and nothing that it only reads. */
function ownScope({ where, own = [] }: JournalCaller): Scope {
  return { audiences: [...new Set([where.audience, ...own])], spaces: [], everyone: false };
}

function written({ where, platform, by }: JournalCaller, at: number) {
  // the agent is never a name that people give themselves: what the operator writes counts as approved
  const speaker = { person: by.name, name: platform };
  return { at, speaker, by, where, platform, chat: platform, sessionID: '', runID: '', messageIDs: [] };
}

function storedOf(saved: Awaited<ReturnType<Memory['put']>>): ReaderMemory['memoryCreate'] {
  return 'id' in saved
    ? { status: saved.status, id: saved.id, masked: [...saved.redacted] }
    : { status: saved.status, masked: [] };
}

function whatElse({ platform, source }: Entry): string {
  if (platform === journalPlatform) return 'an entry of the journal';
  return source === 'exchange' ? 'a conversation' : 'read here only';
}

/** What else there was of the key, with its dates. */
function othersOf(saved: NoteResult) {
  if (!('id' in saved)) return {};
  const { contradicts, settled } = saved;
  return {
    ...(contradicts !== undefined && { contradicts: standingOf(contradicts) }),
    ...(settled !== undefined && { alsoSupersedes: settled.map(standingOf) }),
  };
}

function standingOf({ id, text, confidence, at }: Standing) {
  return { id, text: truncate(text, listed), confidence, at: new Date(at).toISOString() };
}

// A memory with a journal, and callers of it. Not a test.
import type { TestContext } from 'node:test';
import type { MemoryOptions } from '#memory/memory.ts';
import type { JournalCaller, JournalEntry } from '#memory/types/journal.ts';
import { openMemory } from '../open-memory.ts';

/** A person's agent, in this project. */
export function callerOf(person: string, projectID?: string): JournalCaller {
  const audience = `person:${person}` as const;
  return {
    scope: { audiences: [audience], spaces: [], everyone: false },
    where: { audience, restricted: true },
    projectID,
    platform: 'mcp',
    by: { name: person },
  };
}

export const caller = callerOf('per_1');

export function openJournal(t: Pick<TestContext, 'after'>, options: Partial<MemoryOptions> = {}) {
  const memory = openMemory(t, options);
  return { memory, journal: memory.journal, path: memory.path };
}

/** A session of the agent `coder` to close, with one element of each kind. */
export function session(key: string, more: object = {}) {
  return {
    agentID: 'coder',
    key,
    title: `Session ${key}`,
    summary: 'The parser was rewritten.',
    decisions: [{ title: 'Use a table', body: 'It is easier to read.' }],
    threads: [{ title: `Thread of ${key}`, body: 'The lexer is slow.' }],
    steps: [{ title: `Step of ${key}`, body: 'Measure the lexer.' }],
    context: [{ title: 'Where it is', body: 'src/parse' }],
    ...more,
  };
}

export const ids = (entries: readonly JournalEntry[] = []): string[] => entries.map(({ id }) => id);

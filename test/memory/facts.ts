// Facts to store as governed records, for tests. Not a test.
import type { TestContext } from 'node:test';
import type { Note } from '#memory/types/note.ts';
import type { RecordQuery } from '#memory/types/record.ts';
import { mine, openMemory, start } from './open-memory.ts';

export const by = { name: 'operator' };

export function note(text: string, more: Partial<Note> = {}): Note {
  return {
    kind: 'fact',
    text,
    at: start,
    speaker: { person: 'per_1', name: 'Parley' },
    where: { audience: 'person:per_1', restricted: true },
    platform: 'discord',
    chat: 'discord:dm:1:-:2:-',
    sessionID: 'ses_1',
    runID: 'run_1',
    messageIDs: ['1'],
    ...more,
  };
}

/** A memory with these facts in it; the ids in their order. */
export async function withFacts(t: Pick<TestContext, 'after'>, notes: readonly Note[]) {
  const memory = openMemory(t);
  const ids: string[] = [];
  for (const each of notes) {
    const saved = await memory.put(each);
    ids.push('id' in saved ? saved.id : '');
  }
  const texts = async (text: string | undefined, more: Partial<RecordQuery> = {}) =>
    (await memory.records({ text, scope: mine, limit: 100, ...more })).map((record) => record.text);
  return { memory, ids, texts };
}

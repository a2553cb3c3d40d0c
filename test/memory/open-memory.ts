// A memory in a separate folder for one test, and exchanges to put into it. Not a test.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createIds } from '#base/ids.ts';
import { createMemory, type MemoryOptions } from '#memory/memory.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import type { Exchange } from '#memory/types/exchange.ts';
import type { Scope } from '#memory/types/scope.ts';
import { clockOf } from '../support/clock-of.ts';
import { memoryDatabase, putEmpty } from '../support/empty-database.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isInPostgres, openInPostgres } from './each-store.ts';

export const start = Date.UTC(2026, 10, 20, 9, 30);
const clock = clockOf(() => start);

/** A path for a memory file; its folder goes when the test ends. */
export function freshPath(t: Pick<TestContext, 'after'>): string {
  return join(tempFolder(t), 'memory.sqlite');
}

/** An open memory, in the engine that the test runs for, that is closed when the test ends. */
export function openMemory(
  t: Pick<TestContext, 'after'>,
  options: Partial<MemoryOptions> = {},
): Memory & MemoryMaintenance & { path: string } {
  if (isInPostgres(t)) return openInPostgres(t, { clock, ...options });
  const path = options.path ?? freshPath(t);
  if (options.path === undefined) putEmpty(memoryDatabase, path);
  const memory = createMemory({ clock, newId: createIds(clock), ...options, path });
  t.after(() => memory.close());
  return { ...memory, path };
}

/** What a person said in a direct message, with its own key for each text unless set otherwise. */
export function exchange(userText: string, more: Partial<Exchange> = {}): Exchange {
  const runID = `run_${createHash('sha256').update(userText).digest('hex').slice(0, 26)}`;
  return {
    key: runID,
    userText,
    assistantText: '',
    recalled: [],
    at: start,
    speaker: { person: 'per_1', name: 'you' },
    where: { audience: 'person:per_1', restricted: true },
    platform: 'discord',
    chat: 'discord:dm:1:-:2:-',
    sessionID: 'ses_1',
    projectID: 'prj_1',
    workspaceRoot: '/work',
    runID,
    messageIDs: ['100'],
    ...more,
  };
}

export const mine: Scope = { audiences: ['person:per_1'], spaces: [], everyone: false };

/** The texts that a search gives, best first. */
export async function found(memory: Memory, text: string, limit = 10): Promise<string[]> {
  const { hits } = await memory.search({ text, scope: mine, limit });
  return hits.map((hit) => hit.text.replace(/^you said: /, ''));
}

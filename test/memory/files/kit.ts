// Opens a memory with files in a separate folder for one test, on the real clock, since files have the times of the disk.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import type { MemoryOptions } from '#memory/memory.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import type { FileAudience, MemoryFilesOptions } from '#memory/types/files.ts';
import type { Scope } from '#memory/types/scope.ts';
import { ensureAudienceFolder } from '../../../src/memory/files/audience-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openMemory } from '../open-memory.ts';

export const ann = { person: 'per_1', sessionID: 'ses_1', runID: 'run_1' };
export const own: Scope = { audiences: ['person:per_1'], spaces: [], everyone: false };

/** Waits until files that were just written count as settled. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 130));

export interface FilesHouse {
  root: string;
  memory: Memory & MemoryMaintenance & { path: string };
  /** Writes a file below an audience's folder; its path in lists. */
  put(audience: FileAudience, name: string, text: string | Uint8Array): Promise<string>;
  absolute(path: string): string;
  found(text: string, scope?: Scope): Promise<string[]>;
}

export function openFiles(
  t: TestContext,
  {
    files = {},
    ...options
  }: { files?: Partial<MemoryFilesOptions> } & Partial<Omit<MemoryOptions, 'files'>> = {},
): FilesHouse {
  const root = files.root ?? join(tempFolder(t), 'memory');
  mkdirSync(root, { recursive: true });
  // a disk next to other programs may need longer than a search waits for a person
  const memory = openMemory(t, {
    clock: systemClock,
    ...options,
    files: { searchWaitMs: 10_000, ...files, root },
  });
  return {
    root,
    memory,
    async put(audience, name, text) {
      const folder = await ensureAudienceFolder(root, audience, systemClock);
      const path = join(root, folder.name, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return `${folder.name}/${name}`;
    },
    absolute: (path) => join(root, path),
    async found(text, scope = own) {
      const { hits } = await memory.search({ text, scope });
      return hits.map((hit) => hit.text);
    },
  };
}

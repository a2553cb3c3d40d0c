// The databases after all has ended: whole, and with what operators put and did not forget.
import { join } from 'node:path';
import { ledgers } from '#app/backup/manifest.ts';
import { wrongWith } from '#app/backup/snapshot.ts';
import { sandboxFile } from '#app/home/folders.ts';
import { tracesOf } from '#base/files/file-traces.ts';
import { entriesWith } from '../harness/look.ts';
import { faultsOf, type Note } from './notes.ts';

/** What is wrong in the home folder of a program that has ended, in sentences. */
export async function faultsAfter(home: string, notes: readonly Note[]): Promise<string[]> {
  // the sandbox's servers are in this process, and write no file into the home folder
  const own = ledgers.filter((name) => name !== sandboxFile);
  const faults = own.flatMap((name) => wrongWith(join(home, name)).map((words) => `${name}: ${words}`));
  const held = entriesWith(home, 'quo');
  const files = ['', '-wal', '-shm'].map((end) => join(home, `memory.sqlite${end}`));
  const forgotten = notes.filter(({ forget }) => forget === 'acknowledged').map(({ word }) => word);
  const { traces, unread } = await tracesOf(forgotten, files, { limitMs: 120_000 });
  for (const { file, why } of unread) faults.push(`${file} was not searched: ${why}`);
  return [
    ...faults,
    ...faultsOf(notes, {
      entries: (word) => held.filter((text) => text.includes(word)).length,
      traced: new Set(traces.map(({ word }) => word)),
    }),
  ];
}

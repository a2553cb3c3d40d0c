// An import that would remove most of what an earlier one stored is refused: a disk that is not mounted looks empty.
import { existsSync } from 'node:fs';
import { ParleyError } from '#base/errors.ts';
import type { ImportRequest } from '#memory/types/import.ts';

interface Compared {
  /** Where the files are looked for. */
  root: string;
  /** The files that earlier imports stored from there. */
  known: readonly { key: string; path: string; contentHash: string }[];
  /** The keys of the files that are there now. */
  present: ReadonlySet<string>;
  /** The hash of the file with this key as it is now; undefined for one that cannot be read. */
  hashOf(key: string): Promise<string | undefined>;
}

/** Whether the request removes what is gone, even if nothing is left. */
export function mayEmpty({ syncDeletes, allowEmpty }: ImportRequest): boolean {
  return syncDeletes === true && allowEmpty === true;
}

/**
 * Throws a ParleyError `import_would_empty` when more than half of the known files are gone. One with the same contents as a file that is
 * there was renamed, and one that is still there was excluded by its owner: these do not count. Reads files only when so many are missing.
 */
export async function refuseEmptying({ root, known, present, hashOf }: Compared): Promise<void> {
  const missing = known.filter(({ key, path }) => !present.has(key) && !existsSync(path));
  const isMost = (files: number): boolean => files * 2 > known.length;
  if (!isMost(missing.length)) return;
  const there = new Set<string>();
  for (const key of present) {
    const hash = await hashOf(key);
    if (hash !== undefined) there.add(hash);
  }
  const gone = missing.filter(({ contentHash }) => !there.has(contentHash)).length;
  if (!isMost(gone)) return;
  throw new ParleyError(
    'import_would_empty',
    `${gone} of ${known.length} files imported from ${root} earlier are no longer there. Nothing was imported or removed.`,
    {
      hint: 'Look whether the disk is mounted. If they are to be removed from memory, repeat it with --allow-empty ("allow_empty": true over HTTP).',
    },
  );
}

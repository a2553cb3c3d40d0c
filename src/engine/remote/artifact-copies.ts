// Copies of files that runs of another process wrote, for as long as an answer has to bring them.
import { readdirSync, rmSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, ParleyError } from '#base/errors.ts';
import { ensureFolder } from '#base/files/files.ts';
import type { Artifact } from '#engine/wire/runs/artifact.ts';

export interface ArtifactCopies {
  /**
   * The path of the copy. When it is not here, `bring` writes it whole into the file that it is given, which may hold what an earlier
   * attempt brought; nothing is there when that returns false.
   */
  of(artifact: Artifact, bring: (part: string) => Promise<boolean>): Promise<string>;
  /** Removes those of a run. */
  drop(runID: string): Promise<void>;
  /** Removes all but those at these paths; before anything asks for one. */
  keepOnly(paths: readonly string[]): void;
}

const idPattern = /^[\w-]{1,100}$/;

/** The copies under `folder`, which is made with the first one: a folder for each run, in it a file for each artifact. */
export function createArtifactCopies(folder: string): ArtifactCopies {
  const ofRun = (runID: string): string => join(folder, checked(runID));
  return {
    async of({ id, runID, size }, bring) {
      const path = join(ofRun(runID), checked(id));
      const found = await stat(path).catch(() => undefined);
      if (found?.size === size) return path;
      ensureFolder(ofRun(runID));
      const part = `${path}.part`;
      if (await bring(part)) await rename(part, path);
      return path;
    },
    drop: (runID) => rm(ofRun(runID), { recursive: true, force: true }),
    keepOnly(paths) {
      const saved = new Set(paths.map((path) => dirname(path)));
      for (const name of namesIn(folder))
        if (!saved.has(join(folder, name))) rmSync(join(folder, name), { recursive: true, force: true });
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** An id that is safe as the name of a file. */
function checked(id: string): string {
  if (idPattern.test(id)) return id;
  throw new ParleyError(
    'invalid_id',
    `Expected an id of letters, digits, _ and -, got ${JSON.stringify(id)}.`,
  );
}

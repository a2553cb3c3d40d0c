// Files that runs write, under the home folder: named safely, bounded, whole or absent.
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { ensureFolder, writeWhole } from '#base/files/files.ts';
import type { NewId } from '#base/ids.ts';
import { defined } from '#base/json.ts';
import type { Secrets } from '#base/secrets.ts';
import { truncate } from '#base/text.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { Artifact } from '#engine/wire/runs/artifact.ts';
import { type ArtifactKind, type ArtifactRows, publicArtifact } from './artifact-rows.ts';

/** The folder inside the home folder. */
export const artifactFolder = 'artifacts';

interface ArtifactLimits {
  /** Of one file, in bytes. */
  fileBytes: number;
  /** Files for the person in one run. */
  filesPerRun: number;
}

export interface Artifacts {
  /** Writes a file of a run; a ParleyError `artifact_too_large` or `too_many_artifacts` past the limits. */
  write(
    run: { runID: string; sessionID: string },
    file: { name: string; mediaType: string; bytes: Uint8Array; kind: ArtifactKind } & Pick<
      Artifact,
      'caption' | 'voice'
    >,
  ): Promise<Artifact>;
  /** Files for the person that the run wrote, in order. */
  ofRun(runID: string): Artifact[];
  open(id: string): Promise<{ artifact: Artifact; bytes: Uint8Array } | undefined>;
  /** Removes the rows of a session, inside the caller's transaction; gives the way to remove their files after it. */
  forget(sessionID: string): () => Promise<void>;
}

/** The same bytes unless a secret is in them: latin1 preserves every byte, and secrets are ASCII. */
function maskBytes(bytes: Uint8Array, { mask }: Secrets): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const masked = mask(text);
  return masked === text ? bytes : Buffer.from(masked, 'latin1');
}

/** The artifacts under `home`. */
export function createArtifacts(options: {
  home: string;
  rows: ArtifactRows;
  events: EventLog;
  clock: Clock;
  newId: NewId;
  /** Taken out of what is written, and out of its name. */
  secrets: Secrets;
  limits: ArtifactLimits;
}): Artifacts {
  const { home, rows, events, clock, newId, secrets, limits } = options;
  return {
    async write({ runID, sessionID }, { name, mediaType, kind, caption, voice, ...file }) {
      const bytes = maskBytes(file.bytes, secrets);
      if (bytes.length > limits.fileBytes) {
        throw new ParleyError(
          'artifact_too_large',
          `The file has ${bytes.length} bytes; ${limits.fileBytes} are allowed.`,
        );
      }
      const before = rows.ofRun(runID).filter((artifact) => artifact.kind === kind);
      if (before.length >= limits.filesPerRun) {
        throw new ParleyError('too_many_artifacts', `A run may write ${limits.filesPerRun} files.`);
      }
      const id = newId('art');
      const safe = fileName(secrets.mask(name));
      // The id distinguishes two files of one name; the person sees only the name.
      const path = `${artifactFolder}/${runID}/${id}-${safe}`;
      ensureFolder(join(home, artifactFolder, runID));
      await writeWhole(join(home, path), bytes);
      const artifact = {
        id,
        sessionID,
        runID,
        kind,
        name: safe,
        mediaType,
        size: bytes.length,
        path,
        createdAtMs: clock.now(),
        ...defined({ caption: caption === undefined ? undefined : secrets.mask(caption), voice }),
      };
      events.commit(() => rows.insert(artifact));
      return publicArtifact(artifact);
    },
    ofRun: (runID) =>
      rows
        .ofRun(runID)
        .filter(({ kind }) => kind === 'file')
        .map(publicArtifact),
    async open(id) {
      const found = rows.get(id);
      if (found === undefined) return undefined;
      try {
        return { artifact: publicArtifact(found), bytes: await readFile(join(home, found.path)) };
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined; // removed by hand
        throw error;
      }
    },
    forget(sessionID) {
      // of the run that wrote them, which another one may have resumed
      const folders = new Set(rows.ofSession(sessionID).map(({ path }) => dirname(path)));
      rows.removeSession(sessionID);
      return async () => {
        for (const folder of folders) await rm(join(home, folder), { recursive: true, force: true });
      };
    },
  };
}

/** A name that is one path segment on every system, at most 120 characters, its ending kept. */
export function fileName(given: string): string {
  const plain = given
    .normalize('NFC')
    .replace(/[\p{C}/\\:*?"<>|]+/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(plain)?.[0] ?? '';
  const stem = truncate(plain.slice(0, plain.length - ending.length), 120 - ending.length, '');
  return stem === '' ? `file${ending}` : stem + ending;
}

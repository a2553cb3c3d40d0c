// What a backup folder says of itself: when it was made, by which version, and every file with its size and hash.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { artifactCopiesFolder, memoryFilesFolder, sandboxFile, uploadsFolder } from '#app/home/folders.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';

/** Written last, so that a folder without it is known to be no whole backup. */
export const manifestFile = 'manifest.json';

/**
 * The ledgers in the order in which a backup copies them, the simulated platforms' first. Each layer stores what it hands to the next one, and
 * hands it over again until the next one has it: the gateway hands turns to the engine, the engine exchanges to memory. So the sender is
 * copied before the receiver, and the receiver's copy has everything that the sender's copy counts as handed over. In the other order, a
 * chat could name a session, or a run an archived exchange, that the backup does not have.
 */
export const ledgers = [sandboxFile, 'gateway.sqlite', 'engine.sqlite', 'memory.sqlite'] as const;
export type LedgerName = (typeof ledgers)[number];

/** Files of runs: made of `engine.sqlite`, and so taken before it. What they lack is written again at the next look. */
export const runsFolder = 'context_runs';

/** Files that rows of the ledgers name: they are there before their row is, and so are taken after it. */
export const fileFolders = [
  uploadsFolder,
  'artifacts',
  artifactCopiesFolder,
  'exports',
  memoryFilesFolder,
] as const;

/** Everything of a home folder that a backup holds; the rest is made again (locks, addresses, the engine's token). */
export const backedUp: readonly string[] = [...ledgers, runsFolder, ...fileFolders];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const bytes = z.int().min(0);

/** A path inside the folder, with slashes, that leads nowhere else. */
const path = z
  .string()
  .regex(/^[^/\\\0]+(\/[^/\\\0]+)+$/)
  .refine(
    (text) =>
      backedUp.includes(text.split('/')[0] ?? '') && !text.split('/').some((name) => /^\.\.?$/.test(name)),
  );

const manifest = z.object({
  format: z.literal(1),
  /** The version of Parley that made it. */
  program: z.string(),
  /** The moment of the ledgers, in milliseconds since the epoch. */
  atMs: z.number(),
  ledgers: z.array(z.object({ name: z.enum(ledgers), schema: z.int().min(0), bytes, sha256 })).min(1),
  files: z.array(z.object({ path, bytes, sha256 })),
});
export type Manifest = z.infer<typeof manifest>;

/** A file of a backup: where it is in it, and what it has to be. */
interface BackedUpFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** All files of a backup, the ledgers first. */
export function filesOfBackup({ ledgers: each, files }: Manifest): BackedUpFile[] {
  return [...each.map(({ name, ...rest }) => ({ path: name, ...rest })), ...files];
}

/** How large the files of a backup are together. */
export function bytesOfBackup(manifest: Manifest): number {
  return filesOfBackup(manifest).reduce((all, { bytes: each }) => all + each, 0);
}

/** Reads a backup's manifest; throws a ParleyError `no_backup` when the folder has none that this program can read. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, manifestFile);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const gone = codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR';
    const why = gone ? `it has no ${manifestFile}` : errorMessage(cause);
    throw new ParleyError('no_backup', `${folder} is no whole backup: ${why}.`, {
      hint: 'Name a folder that "parley backup" finished.',
      cause,
    });
  });
  try {
    return parseJson(text, manifest, file);
  } catch (cause) {
    throw new ParleyError('no_backup', `${file} cannot be read: ${errorMessage(cause)}`, {
      hint: 'It was changed, or a newer Parley wrote it: use that one, or another backup.',
      cause,
    });
  }
}

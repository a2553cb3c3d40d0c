// A restore that an operator plans while Parley runs: the backup is verified at once, and put back by the next start, before anything is open.
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import { writeWhole } from '#base/files/files.ts';
import { tryJson } from '#base/json.ts';
import { type Restored, restoreBackup, verifyBackup } from './restore.ts';
import type { BackupProgress } from './write.ts';

const planFile = 'restore.json';

const plan = z.object({
  /** `planned` waits for the next start; `done` and `failed` say what that start made of it. */
  state: z.enum(['planned', 'done', 'failed']),
  /** Of the backup, an absolute path. */
  folder: z.string(),
  /** The moment of the backup. */
  backupAtMs: z.number(),
  plannedAtMs: z.number(),
  finishedAtMs: z.number().nullable(),
  error: z.string().nullable(),
  /** Where what was there before is now; null where nothing was there. */
  replaced: z.string().nullable(),
  /** How many memories, forgotten after the backup, were forgotten again; or why what was forgotten is not known. */
  forgottenAgain: z.union([z.number(), z.object({ unknown: z.string() })]).nullable(),
});
/** What the next start restores, or what the last one that was asked to has restored. */
export type PlannedRestore = z.infer<typeof plan>;

/** The plan of this home folder, or how the last one ended; undefined where there is none that can be read. */
export function plannedRestore(home: string): PlannedRestore | undefined {
  const file = join(home, planFile);
  if (!existsSync(file)) return undefined;
  return plan.safeParse(tryJson(readFileSync(file, 'utf8'))).data;
}

/**
 * Reads the whole backup, and has the next start of this home folder put it back. A ParleyError `no_backup` or `backup_damaged` when it is
 * not whole; nothing is planned then. `onProgress` is called with bytes.
 */
export async function planRestore(options: {
  home: string;
  folder: string;
  clock: Clock;
  onProgress: (progress: BackupProgress) => void;
  /** False once it was withdrawn while the backup was read. */
  isWanted: () => boolean;
}): Promise<void> {
  const { home, folder, clock, onProgress, isWanted } = options;
  const { atMs } = await verifyBackup(folder, onProgress);
  if (!isWanted()) return;
  await write(home, {
    ...{ state: 'planned', folder, backupAtMs: atMs, plannedAtMs: clock.now() },
    ...{ finishedAtMs: null, error: null, replaced: null, forgottenAgain: null },
  });
}

/** Takes back a plan, and forgets how an earlier one ended. */
export function withdrawRestore(home: string): Promise<void> {
  return rm(join(home, planFile), { force: true });
}

/**
 * Restores what is planned into the home folder, in which nothing may run; undefined where nothing is planned. What there is now moves into a
 * folder `replaced-…`. A failure changes nothing else: it is noted in the plan, and thrown. While another process uses the home folder
 * (a ParleyError `home_in_use`), the plan stays.
 */
export async function carryOutRestore(options: {
  home: string;
  clock: Clock;
  onProgress?: ((progress: BackupProgress) => void) | undefined;
}): Promise<Restored | undefined> {
  const { home, clock, onProgress } = options;
  const planned = plannedRestore(home);
  if (planned?.state !== 'planned') return undefined;
  const { folder } = planned;
  try {
    const restored = await restoreBackup({ home, folder, over: 'replace', clock, onProgress });
    const { replaced = null, forgottenAgain } = restored;
    await write(home, { ...planned, state: 'done', finishedAtMs: clock.now(), replaced, forgottenAgain });
    return restored;
  } catch (error) {
    if (codeOf(error) !== 'home_in_use')
      await write(home, {
        ...planned,
        state: 'failed',
        finishedAtMs: clock.now(),
        error: errorMessage(error),
      });
    throw error;
  }
}

function write(home: string, planned: PlannedRestore): Promise<void> {
  return writeWhole(join(home, planFile), `${JSON.stringify(planned, undefined, 2)}\n`);
}

// Backups and restores that the operator's console asks for: one at a time, with how far they are.
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backupsFolder } from '#app/home/folders.ts';
import { memoize } from '#base/caches/memoize.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { BackupState, RestoreState } from '#engine/wire/operator/operator.ts';
import type { OperatorService } from '#engine/wire/operator/operator-operations.ts';
import { bytesOfBackup, manifestFile, readManifest } from './manifest.ts';
import { type PlannedRestore, plannedRestore, planRestore, withdrawRestore } from './planned-restore.ts';
import { type BackupProgress, writeBackup } from './write.ts';

interface Context {
  home: string;
  clock: Clock;
}

/** One backup at a time, into a new folder each. */
export function createBackups({ home, clock }: Context): Pick<OperatorService, 'backup' | 'startBackup'> {
  let state: Omit<BackupState, 'suggested'> = {
    ...{ state: 'none', folder: null, doneBytes: 0, totalBytes: 0 },
    ...{ startedAtMs: null, finishedAtMs: null, error: null },
  };
  const now = (): BackupState => {
    const name = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-');
    return { ...state, suggested: join(dirname(home), backupsFolder, name) };
  };
  return {
    backup: async () => now(),
    async startBackup({ folder }) {
      if (state.state === 'running') return now();
      const startedAtMs = clock.now();
      state = { ...state, state: 'running', folder, startedAtMs, finishedAtMs: null, error: null };
      const onProgress = ({ done, total }: BackupProgress): void => {
        state = { ...state, doneBytes: done, totalBytes: total };
      };
      writeBackup({ home, folder, clock, onProgress }).then(
        () => {
          state = { ...state, state: 'done', finishedAtMs: clock.now() };
        },
        (error: unknown) => {
          state = { ...state, state: 'failed', finishedAtMs: clock.now(), error: errorMessage(error) };
        },
      );
      return now();
    },
  };
}

type Shown = Omit<RestoreState, 'found'>;

const nothing: Shown = {
  ...{ state: 'none', folder: null, backupAtMs: null, doneBytes: 0, totalBytes: 0, startedAtMs: null },
  ...{ finishedAtMs: null, error: null, replaced: null, forgottenAgain: null },
};

/** One restore is verified at a time; the next start carries it out. */
export function createRestores({
  home,
  clock,
}: Context): Pick<OperatorService, 'restore' | 'planRestore' | 'withdrawRestore'> {
  /** Of the one that is verified now, or that was not whole. */
  let check: Shown | undefined;
  let turn = 0;
  const now = async (): Promise<RestoreState> => {
    const planned = plannedRestore(home);
    const shown = check ?? (planned === undefined ? nothing : shownOf(planned));
    return { ...shown, found: await backupsIn(join(dirname(home), backupsFolder)) };
  };
  return {
    restore: now,
    async planRestore({ folder }) {
      if (check?.state === 'checking') return now();
      turn += 1;
      const mine = turn;
      const checking: Shown = { ...nothing, state: 'checking', folder, startedAtMs: clock.now() };
      check = checking;
      const onProgress = ({ done, total }: BackupProgress): void => {
        if (mine === turn) check = { ...checking, doneBytes: done, totalBytes: total };
      };
      planRestore({ home, folder, clock, onProgress, isWanted: () => mine === turn }).then(
        () => {
          if (mine === turn) check = undefined;
        },
        (error: unknown) => {
          const failed = { state: 'failed', finishedAtMs: clock.now(), error: errorMessage(error) } as const;
          if (mine === turn) check = { ...checking, ...failed };
        },
      );
      return now();
    },
    async withdrawRestore() {
      turn += 1;
      check = undefined;
      await withdrawRestore(home);
      return now();
    },
  };
}

function shownOf({ forgottenAgain, plannedAtMs, ...planned }: PlannedRestore): Shown {
  return {
    ...{ ...planned, doneBytes: 0, totalBytes: 0, startedAtMs: plannedAtMs },
    forgottenAgain: typeof forgottenAgain === 'number' ? forgottenAgain : null,
  };
}

/** So many of the newest are offered. */
const offered = 20;

/** The page asks every second, and a manifest names every file of its backup: it is read once, as long as it is the same file. */
const backupAt = memoize(offered * 5, async (key): Promise<RestoreState['found']> => {
  const folder = key.slice(key.indexOf(' ') + 1);
  const manifest = await readManifest(folder).catch(() => undefined);
  return manifest === undefined ? [] : [{ folder, atMs: manifest.atMs, bytes: bytesOfBackup(manifest) }];
});

/** The whole backups in a folder; none where it is not there. */
async function backupsIn(folder: string): Promise<RestoreState['found']> {
  const names = await readdir(folder).catch(() => []);
  const found = names.map(async (name) => {
    const path = join(folder, name);
    const about = await stat(join(path, manifestFile)).catch(() => undefined);
    return about === undefined ? [] : backupAt(`${about.ctimeMs} ${path}`);
  });
  const all = (await Promise.all(found)).flat();
  return all.sort((a, b) => b.atMs - a.atMs).slice(0, offered);
}

// Says when something in the folders may have changed. Which files changed is found by looking at them; a watcher only says when to look.
import { existsSync } from 'node:fs';
import { type FSWatcher, watch } from 'chokidar';
import { type Clock, msSince } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';

export interface FileWatcher {
  /** True when all folders are watched, and nothing has happened in them for a while: whatever happens then is reported at once. */
  isQuiet(): boolean;
  status(): { watcher: 'alive' | 'lost'; words: string | undefined };
  /** Ends it and watches again, since it did not report a change; `words` say so in the status. */
  rearm(words: string): Promise<void>;
  close(): Promise<void>;
}

/** A folder that was made is watched itself after so long, in milliseconds: what is written into it before that may go unreported. */
const quietMs = 1_000;
/** A watcher that failed is armed again after so long, in milliseconds. */
const rearmMs = 5_000;

/** Watches the folders; `changed` is called for every event. */
export function watchFiles(options: {
  folders: readonly string[];
  changed: () => void;
  clock: Clock;
  signal: AbortSignal;
}): FileWatcher {
  const { folders, changed, clock, signal } = options;
  let watcher: FSWatcher | undefined;
  let lost: string | undefined;
  let remark: string | undefined;
  let pending: Promise<void> | undefined;
  let isReady = false;
  let lastEventAt = clock.monotonic();
  const happened = (): void => {
    lastEventAt = clock.monotonic();
    changed();
  };
  const failed = (error: unknown): void => {
    lost = errorMessage(error);
    pending ??= clock
      .sleep(rearmMs, signal)
      .then(arm)
      .catch(() => undefined) // it is closed
      .finally(() => {
        pending = undefined;
      });
  };
  const arm = async (): Promise<void> => {
    await watcher?.close();
    if (signal.aborted) return;
    lost = undefined;
    isReady = false;
    const present = folders.filter((folder) => existsSync(folder));
    watcher = watch(present, { ignoreInitial: true, followSymlinks: false, ignored: isTemporary });
    // what the system says comes at once, what is made of it after a look at the files
    watcher.on('raw', happened).on('all', happened).on('error', failed);
    watcher.on('ready', () => {
      isReady = true;
    });
    happened();
  };
  void arm();
  return {
    isQuiet: () => lost === undefined && isReady && msSince(clock, lastEventAt) > quietMs,
    status: () => ({ watcher: lost === undefined ? 'alive' : 'lost', words: lost ?? remark }),
    async rearm(words) {
      remark = words;
      await arm();
    },
    async close() {
      await watcher?.close();
      await pending;
    },
  };
}

/** Files that a whole write makes on its way, and machine state. */
function isTemporary(path: string): boolean {
  return /(?:^|[\\/])\.[^\\/]*$/.test(path) && !/[\\/]\.[^\\/]+[\\/]/.test(path) && path.endsWith('.tmp');
}

// Has the running program read its config again when the file changes, or on SIGHUP.
import { stat } from 'node:fs/promises';
import type { RunningInstance } from '#app/compose/compose.ts';
import type { Clock } from '#base/clock.ts';
import { isAbort } from '#base/waiting/async.ts';

/**
 * How often the file is looked at. It is looked at and not listened to: a file that is mounted into a container, on a network
 * disk, or behind a link that is exchanged gives no notice of its change, and editors put another file in its place.
 */
const lookMs = 1_000;
/** A file that is still being written is waited for until it stays as it is for so long. */
const settleMs = 250;

/** Reloads the config when its file changes, until disposed of; prints the result. */
export function reloadOnChange(
  running: Pick<RunningInstance, 'reload' | 'configFile'>,
  { clock, print }: { clock: Clock; print: (line: string) => void },
): AsyncDisposable {
  const ending = new AbortController();
  const { signal } = ending;
  const reload = async (): Promise<void> => {
    const reloaded = await running.reload();
    if (reloaded.status === 'refused')
      print(`The config cannot be used as it is now, and nothing is changed: ${reloaded.words}`);
    if (reloaded.status !== 'changed') return;
    if (reloaded.now.length > 0) print(`The config was read again: ${reloaded.now.join(', ')}.`);
    for (const key of reloaded.pendingRestart)
      print(`${key} was changed: it takes effect at the next start.`);
  };
  const watching = watch(running.configFile, { clock, signal, reload });
  const onSignal = (): void => void reload();
  // where there is a terminal the signal means that it was closed, and ends the program as ever
  if (!process.stdin.isTTY) process.on('SIGHUP', onSignal);
  return {
    async [Symbol.asyncDispose]() {
      process.off('SIGHUP', onSignal);
      ending.abort();
      await watching;
    },
  };
}

async function watch(
  file: string,
  { clock, signal, reload }: { clock: Clock; signal: AbortSignal; reload: () => Promise<void> },
): Promise<void> {
  try {
    for (let known = await signOf(file); ; ) {
      await clock.sleep(lookMs, signal);
      let now = await signOf(file);
      if (now === known) continue;
      for (let before = ''; before !== now; now = await signOf(file)) {
        before = now;
        await clock.sleep(settleMs, signal);
      }
      known = now;
      await reload();
    }
  } catch (error) {
    if (!isAbort(error, signal)) throw error;
  }
}

/** What differs between two states of a file; the same for every file that is not there. */
async function signOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found === undefined ? 'absent' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}

// What systemd is told when it started us: ready, alive (its watchdog), stopping. Does nothing anywhere else.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { every } from '#base/waiting/async.ts';

interface ServiceManager {
  /** Says that we end, and nothing more after that. */
  stopping(): Promise<void>;
}

/** A program that does not answer itself for so long is stuck, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Tells systemd that the part at `url` is ready, and then, twice in each interval of its watchdog, that it answers: when it does
 * not, it sends nothing, and systemd starts it again. It uses `systemd-notify`, since Node has no datagrams to a socket file.
 * That a platform or a model is away is no reason: a new start would not bring it back.
 */
export async function notifySystemd(options: {
  url: string;
  variables: NodeJS.ProcessEnv;
  clock: Clock;
  /** Called when systemd cannot be reached. */
  complain: (line: string) => void;
}): Promise<ServiceManager> {
  const { url, variables, clock, complain } = options;
  if (variables.NOTIFY_SOCKET === undefined) return { stopping: async () => {} };
  const ending = new AbortController();
  const notify = async (...words: string[]): Promise<void> => {
    try {
      await promisify(execFile)('systemd-notify', words, { env: variables, timeout: timeoutMs });
    } catch (error) {
      complain(`systemd could not be notified of "${words.join(' ')}": ${errorMessage(error)}`);
    }
  };
  const answers = async (): Promise<boolean> => {
    const signal = AbortSignal.timeout(timeoutMs);
    return fetch(`${url}/global/health`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  const watch = (ms: number): Promise<void> =>
    every({ clock, ms, signal: ending.signal }, async () => {
      if (await answers()) await notify('WATCHDOG=1');
    });
  await notify('READY=1', 'STATUS=Running');
  // in microseconds, as sd_watchdog_enabled(3) has it
  const watchdogMs = Number(variables.WATCHDOG_USEC ?? 0) / 1000;
  const watching = watchdogMs > 0 ? watch(watchdogMs / 2) : undefined;
  return {
    async stopping() {
      ending.abort();
      await watching;
      await notify('STOPPING=1', 'STATUS=Stopping'); // its option for that is newer than many systems
    },
  };
}

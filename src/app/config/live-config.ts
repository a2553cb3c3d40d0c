// The config of a part that runs: read again when its file changes, looked at whole, and put into force or refused.
import { existsSync } from 'node:fs';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { changedKeys, isLive } from './changed-keys.ts';
import { type LoadedConfig, readConfig } from './load.ts';
import type { Config } from './schema.ts';

/** Looks at a config that is to hold, and throws what is wrong with it; what it gives puts it into force. */
type Prepare = (next: Config) => () => void | Promise<void>;

/** The result of reading the file again: keys as docs/configuration.md names them. */
export type Reloaded =
  | { status: 'unchanged' }
  | { status: 'changed'; now: string[]; pendingRestart: string[] }
  | { status: 'refused'; words: string };

interface ConfigStanding {
  /** When the file was last read and could be used. */
  readAtMs: number;
  /** Keys that were changed and hold at the next start. */
  pendingRestart: string[];
  /** Why the file cannot be used as it is now; null while it can. */
  error: string | null;
}

export interface LiveConfig {
  /** Who puts every later change into force. */
  follow(prepare: Prepare): void;
  /** Reads the file again. What cannot be used changes nothing, and is reported; never rejects. */
  reload(): Promise<Reloaded>;
  standing(): ConfigStanding;
}

/**
 * Holds the config in force in `loaded.config`, and replaces it at each reload of the file. `adapt` may change each new config before it
 * is in force.
 */
export function createLiveConfig({
  loaded,
  clock,
  log,
  adapt = (config) => config,
  isOurs = () => true,
}: {
  loaded: LoadedConfig;
  clock: Clock;
  log: Log;
  adapt?: ((config: Config) => Config) | undefined;
  /** Whether this part reads the key at all; every one when absent. */
  isOurs?: ((key: string) => boolean) | undefined;
}): LiveConfig {
  const started = loaded.config;
  let prepare: Prepare = () => () => {};
  let standing: ConfigStanding = { readAtMs: clock.now(), pendingRestart: [], error: null };
  let wasThere = existsSync(loaded.file);
  let last: Promise<unknown> = Promise.resolve();

  const read = (): Config | undefined => {
    const isThere = existsSync(loaded.file);
    if (!isThere && !wasThere) return undefined;
    if (!isThere) throw gone(loaded.file);
    wasThere = true;
    return adapt(readConfig(loaded.file, 'must exist'));
  };

  const refuse = (error: unknown): Reloaded => {
    const hint = error instanceof ParleyError && error.hint !== undefined ? ` ${error.hint}` : '';
    const words = `${errorMessage(error)}${hint}`;
    if (standing.error !== words)
      log.error(
        { file: loaded.file, words },
        'the config was changed and cannot be used; nothing is changed',
      );
    standing = { ...standing, error: words };
    return { status: 'refused', words };
  };

  const takeOver = async (): Promise<Reloaded> => {
    const readAtMs = clock.now();
    try {
      const next = read();
      if (next === undefined) return { status: 'unchanged' };
      const changed = changedKeys(loaded.config, next).filter(isOurs);
      await prepare(next)();
      const later = changedKeys(started, next).filter((key) => isOurs(key) && !isLive(key));
      const news = later.filter((key) => changed.includes(key));
      loaded.config = next;
      standing = { readAtMs, pendingRestart: later, error: null };
      const now = changed.filter(isLive);
      if (now.length > 0) log.info({ keys: now }, 'the config was changed, and is in force');
      for (const key of news) log.warn({ key }, `${key} was changed: it takes effect at the next start`);
      return changed.length === 0
        ? { status: 'unchanged' }
        : { status: 'changed', now, pendingRestart: news };
    } catch (error) {
      return refuse(error);
    }
  };

  return {
    follow(given) {
      prepare = given;
    },
    reload() {
      const done = last.then(takeOver); // one after another: each is compared with the one before
      last = done;
      return done;
    },
    standing: () => standing,
  };
}

function gone(file: string): ParleyError {
  return new ParleyError('config_invalid', `The config file ${file} is not there any more.`, {
    hint: 'Put it back; to run with the defaults, write {} into it.',
  });
}

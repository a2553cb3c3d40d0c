// The memory that instances share in PostgreSQL, as a Parley or a command opens it. Nothing of it is loaded where memory is in the home folder.
import { hostname } from 'node:os';
import type { LoadedConfig } from '#app/config/load.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Postgres } from '#base/postgres/postgres.ts';
import { openPostgresMemory, type PostgresMemory } from '#memory/postgres-memory.ts';
import { isGreeting } from '#memory/words/greeting.ts';
import { tellingWords } from '#memory/words/telling-words.ts';
import { chooseEmbedder } from './embedder.ts';

type Of = Pick<LoadedConfig, 'config' | 'environment' | 'folder' | 'home'>;

interface SharedMemoryOptions {
  clock: Clock;
  newId: NewId;
  /** See `openPostgresMemory`. */
  ahead?: boolean | undefined;
}

/**
 * The memory in the database, which is opened by the first call that reaches it: until then each call rejects with what is in the way. It is
 * closed before the database is.
 */
export function sharedMemory(postgres: Postgres, loaded: Of, options: SharedMemoryOptions): PostgresMemory {
  const { characters: recallCharacters, association } = loaded.config.memory.recall;
  const model = chooseEmbedder(loaded);
  const open = (): Promise<PostgresMemory> =>
    openPostgresMemory({
      ...{ postgres, ...options, ...model, recallCharacters, ways: { association } },
      instance: instanceOf(loaded),
    });
  let opening: Promise<PostgresMemory> | undefined;
  let isClosed = false;
  const opened = (): Promise<PostgresMemory> => {
    if (isClosed)
      return Promise.reject(new ParleyError('memory_closed', 'Expected an open memory, but it was closed.'));
    if (opening !== undefined) return opening;
    const begun = open();
    opening = begun;
    begun.catch(() => {
      opening = undefined; // the next call tries again
    });
    return begun;
  };
  const memory = {
    ...{ isGreeting, tellingWords },
    journal: waiting({}, async () => (await opened()).journal),
    async *export(query: Parameters<PostgresMemory['export']>[0]) {
      yield* (await opened()).export(query);
    },
    async close() {
      const begun = opening;
      isClosed = true;
      await (await begun?.catch(() => undefined))?.close();
    },
  };
  if (options.ahead === true) opened().catch(() => undefined); // else the first call
  return waiting(memory, opened) as unknown as PostgresMemory; // every other member of the contract gives a promise
}

/** How this instance is named among those that share a database. */
export function instanceOf({ home }: Pick<LoadedConfig, 'home'>): string {
  return `${hostname()}:${home}`;
}

/** What is there, and calls that wait for the rest. */
function waiting<T extends object>(there: T, rest: () => Promise<object>): T {
  return new Proxy(there, {
    get(of, name, receiver) {
      // a promise is what has `then`
      if (name in of || name === 'then' || typeof name === 'symbol') return Reflect.get(of, name, receiver);
      return async (...values: unknown[]) => {
        const parts = (await rest()) as Record<string, (...of: unknown[]) => unknown>;
        return parts[name]?.(...values);
      };
    },
  });
}

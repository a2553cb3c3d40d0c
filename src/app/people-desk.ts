// How `parley people` reaches the desk of its home folder: over HTTP where channels run, else the ledger itself, locked for as long as it works.
import { join } from 'node:path';
import { createDesk, type Desk } from '#adapters/gateway/access/desk.ts';
import { peoplePath } from '#adapters/gateway/access/people-routes.ts';
import { openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createLog } from '#base/log.ts';
import { createMask } from '#base/secrets.ts';
import { createTroubles } from '#base/troubles.ts';
import type { Loaded } from './config/load.ts';
import { runningAt } from './engine-access.ts';
import { configuredSecrets } from './engine-settings.ts';
import { lockHome } from './home-lock.ts';

export interface OpenDesk {
  desk: Desk;
  close(): Promise<void>;
}

/** Looks at channels that are starting, or at another command: so many, so far apart. */
const looks = 15;
const betweenMs = 200;

/** The desk of the channels that run with the home folder, or of its ledger where none do; `channels_unreachable` where they do not answer. */
export async function openDesk(loaded: Loaded): Promise<OpenDesk> {
  for (let look = 1; look <= looks; look += 1) {
    const alone = openAlone(loaded);
    if (alone !== undefined) return alone;
    const running = (await runningAt('channels', loaded)) ?? (await runningAt('engine', loaded));
    if (running !== undefined) return { desk: remoteDesk(running), close: async () => {} };
    await systemClock.sleep(betweenMs);
  }
  throw new ParleyError(
    'channels_unreachable',
    `The channels of a Parley run with the home folder ${loaded.home}, but do not answer.`,
    { cure: 'Wait until it has started, or stop it and call this again.' },
  );
}

function openAlone(loaded: Loaded): OpenDesk | undefined {
  const { home, config } = loaded;
  const { people, log: logging } = config;
  let lock: ReturnType<typeof lockHome>;
  try {
    lock = lockHome(home, 'channels');
  } catch (error) {
    if (codeOf(error) === 'home_in_use') return undefined;
    throw error;
  }
  try {
    const clock = systemClock;
    const ledger = openLedger({
      path: join(home, 'gateway.sqlite'),
      clock,
      newId: createIds(clock),
      log: createLog({ level: logging.level, mask: createMask(configuredSecrets(loaded)) }),
      troubles: createTroubles(clock),
    });
    ledger.transact(() => ledger.persons.configure(people, clock.now()));
    const desk = createDesk({ ledger, now: () => clock.now() });
    return {
      desk,
      async close() {
        await ledger.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function remoteDesk({ baseUrl, token }: { baseUrl: string; token: string }): Desk {
  /** What it gives is of the same version's making, as the desk itself has it. */
  const call = async <T>(path: string, method: string, body?: object): Promise<T> => {
    const response = await fetch(new URL(`${peoplePath}${path}`, baseUrl), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const told: unknown = await response.json();
    if (response.ok) return told as T;
    const { code = 'refused', error = `Status ${response.status}.`, cure } = Object(told);
    throw new ParleyError(String(code).toLowerCase(), String(error), { cure });
  };
  const one = (name: string): string => `/${encodeURIComponent(name)}`;
  return {
    list: () => call('', 'GET'),
    show: (name) => call(one(name), 'GET'),
    approve: (code, as) => call('/approve', 'POST', { code, ...as }),
    deny: (code) => call('/deny', 'POST', { code }),
    setRole: (name, role) => call(one(name), 'PATCH', { role }),
    async remove(name) {
      await call(one(name), 'DELETE');
    },
    async removeAccount(name, account) {
      await call(`${one(name)}/accounts${one(account)}`, 'DELETE');
    },
  };
}

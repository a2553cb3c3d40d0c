// How commands reach the ledger of a home folder: over HTTP where they run, else the ledger itself, locked for as long as it works.
import { join } from 'node:path';
import { createAccessAdmin } from '#adapters/gateway/admission/access-admin.ts';
import { createTokenAdmin } from '#adapters/gateway/admission/tokens.ts';
import { type Ledger, openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { createLedgerContent } from '#adapters/gateway/ledger/ledger-content.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { exportsFolder, uploadsFolder } from '#app/home/folders.ts';
import { lockHome } from '#app/home/home-lock.ts';
import { configuredSecrets } from '#app/settings/engine-settings.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createLog } from '#base/log/log.ts';
import { createMask } from '#base/secrets.ts';
import { type CallsOf, createClient, refusalOf } from '#engine/client/client.ts';
import { type Operations, operationNames, type ServiceOf } from '#engine/operations/operation.ts';
import { remoteOperations, type Via } from '#engine/remote/remote-operations.ts';
import {
  type AccessAdmin,
  peopleOperations,
  type StoredAdmin,
  storedOperations,
  type TokenAdmin,
  tokenOperations,
} from '#engine/wire/channels/channel-operations.ts';
import { runningAt } from './engine-access.ts';
import { asError } from './refused.ts';

interface OpenDesk {
  accessAdmin: AccessAdmin;
  close(): Promise<void>;
}

/** Looks at channels that are starting, or at another command: so many, so far apart. */
const looks = 15;
const betweenMs = 200;

/**
 * Opens the access admin of the running channels, or of the ledger in the home folder when none run. Throws a ParleyError
 * `channels_unreachable` when they do not answer.
 */
export async function openAccessAdmin(loaded: LoadedConfig): Promise<OpenDesk> {
  const opened = await withChannels(loaded, {
    single(ledger) {
      const { config } = loaded;
      const assistants = () => [config.agent.name, ...Object.keys(config.assistants)];
      const now = () => systemClock.now();
      const admin = createAccessAdmin({ ledger, limits: () => config.limits, assistants, now });
      return configuredOperations(peopleOperations, admin, asConfigured(ledger, loaded));
    },
    running: (at) => ofChannels(at, peopleOperations, createClient(at).people),
  });
  return { accessAdmin: opened.part, close: opened.close };
}

/** Opens what the gateway stores about persons and chats, of the running channels or of the ledger. */
export function openLedgerContent(
  loaded: LoadedConfig,
): Promise<{ part: StoredAdmin; close(): Promise<void> }> {
  return withChannels<StoredAdmin>(loaded, {
    single: (ledger) =>
      createLedgerContent({
        ledger,
        uploadsFolder: join(loaded.home, uploadsFolder),
        exportsFolder: join(loaded.home, exportsFolder),
      }),
    running: (at) => ofChannels(at, storedOperations, createClient(at).channels),
  });
}

/** Opens the access tokens, of the running channels or of the ledger. */
export async function openTokens(
  loaded: LoadedConfig,
): Promise<{ part: TokenAdmin; close(): Promise<void> }> {
  return withChannels(loaded, {
    single(ledger) {
      const admin = createTokenAdmin({
        ...{ ledger, newId: createIds(systemClock) },
        now: () => systemClock.now(),
      });
      return configuredOperations(tokenOperations, admin, asConfigured(ledger, loaded));
    },
    running: (at) => ofChannels(at, tokenOperations, createClient(at).tokens),
  });
}

/** The ledger with the persons of the config: only to look, with nothing written to it; or before something is changed. */
export function asConfigured(ledger: Ledger, { config }: LoadedConfig) {
  const configure = (): void => void ledger.persons.configure(config.people, systemClock.now());
  return {
    /** What the read gives, which reads before it waits for anything. */
    seen<T>(read: () => T): T {
      return ledger.preview(() => {
        configure();
        return read();
      });
    },
    configured<T>(change: () => T): T {
      ledger.transact(configure);
      return change();
    },
  };
}

/** The operations on a ledger whose persons are those of the config: one that reads writes nothing to it. */
function configuredOperations<Table extends Operations>(
  table: Table,
  service: ServiceOf<Table>,
  { seen, configured }: ReturnType<typeof asConfigured>,
): ServiceOf<Table> {
  const calls: Readonly<Record<string, unknown>> = service;
  const each = Object.entries(table).map(([name, { effect }]) => {
    const call = calls[name] as (input: object) => Promise<unknown>; // of this name
    const within = effect === 'read' ? seen : configured;
    return [name, (input: object = {}) => within(() => call(input))];
  });
  return Object.fromEntries(each) as ServiceOf<Table>; // under the same names
}

/** Calls the running channels, or the ledger when none run. */
export async function withChannels<T>(
  loaded: LoadedConfig,
  how: { single: (ledger: Ledger) => T; running: (at: RunningChannels) => T },
): Promise<{ part: T; close(): Promise<void> }> {
  for (let look = 1; look <= looks; look += 1) {
    const single = openAlone(loaded, how.single);
    if (single !== undefined) return single;
    const running = (await runningAt('channels', loaded)) ?? (await runningAt('engine', loaded));
    if (running !== undefined) return { part: how.running(running), close: async () => {} };
    await systemClock.sleep(betweenMs);
  }
  throw new ParleyError(
    'channels_unreachable',
    `The channels of a Parley run with the home folder ${loaded.home}, but do not answer.`,
    { hint: 'Wait until it has started, or stop it and call this again.' },
  );
}

function openAlone<T>(
  loaded: LoadedConfig,
  made: (ledger: Ledger) => T,
): { part: T; close(): Promise<void> } | undefined {
  const { home, config } = loaded;
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
      log: createLog({ level: config.log.level, mask: createMask(configuredSecrets(loaded)) }),
      problems: createActiveProblems(clock),
    });
    return {
      part: made(ledger),
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

interface RunningChannels {
  baseUrl: string;
  token: string;
}

/** The operations of the channels that run. */
function ofChannels<Table extends Operations>(
  at: RunningChannels,
  table: Table,
  calls: CallsOf<Table>,
): ServiceOf<Table> {
  return remoteOperations(table, operationNames(table), { calls, via: toChannels(at) }) as ServiceOf<Table>; // with all names
}

/**
 * Asks the channels that run, once. A refusal is a ParleyError with the code and hint of the answer; a connection that ended first is
 * `channels_unreachable`.
 */
function toChannels({ baseUrl }: RunningChannels): Via {
  return async (_, work) => {
    try {
      return await work({});
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      if (refusal.status === 0)
        throw new ParleyError(
          'channels_unreachable',
          `The channels at ${baseUrl} ended the connection before they answered. The command may have taken effect.`,
          { hint: 'Look at "parley status", then call this again.', cause: error },
        );
      throw asError(refusal);
    }
  };
}

// How commands reach the ledger of a home folder: over HTTP where they run, else the ledger itself, locked for as long as it works.
import { join } from 'node:path';
import { type AccessAdmin, createAccessAdmin } from '#adapters/gateway/access/access-admin.ts';
import { peoplePath } from '#adapters/gateway/access/people-routes.ts';
import { tokensPath } from '#adapters/gateway/access/token-routes.ts';
import { createTokenAdmin, type TokenAdmin } from '#adapters/gateway/access/tokens.ts';
import { type Ledger, openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { createLedgerContent, type LedgerContent } from '#adapters/gateway/ledger-content.ts';
import { ledgerForgetPath } from '#adapters/gateway/ledger-content-routes.ts';
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
import { createSendWithMessages, type RequestOptions, refusalOf } from '#engine/client/client.ts';
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
      const { seen, configured } = asConfigured(ledger, loaded);
      const { config } = loaded;
      const assistants = () => [config.agent.name, ...Object.keys(config.assistants)];
      const now = () => systemClock.now();
      const admin = createAccessAdmin({ ledger, limits: () => config.limits, assistants, now });
      return {
        list: () => seen(admin.list),
        show: (name) => seen(() => admin.show(name)),
        approve: (code, as) => configured(() => admin.approve(code, as)),
        admit: (account, as) => configured(() => admin.admit(account, as)),
        deny: (code) => configured(() => admin.deny(code)),
        remove: (name) => configured(() => admin.remove(name)),
        removeAccount: (name, account) => configured(() => admin.removeAccount(name, account)),
        setRole: (name, role) => configured(() => admin.setRole(name, role)),
        block: (account) => configured(() => admin.block(account)),
        unblock: (account) => configured(() => admin.unblock(account)),
      };
    },
    running: remoteDesk,
  });
  return { accessAdmin: opened.part, close: opened.close };
}

/** Opens what the gateway stores about persons and chats, of the running channels or of the ledger. */
export function openLedgerContent(
  loaded: LoadedConfig,
): Promise<{ part: Pick<LedgerContent, 'forget'>; close(): Promise<void> }> {
  return withChannels(loaded, {
    single: (ledger) =>
      createLedgerContent({
        ledger,
        uploadsFolder: join(loaded.home, uploadsFolder),
        exportsFolder: join(loaded.home, exportsFolder),
      }),
    running: (at) => ({
      forget: (request) => callChannels(at, ledgerForgetPath, { method: 'POST', body: request }),
    }),
  });
}

/** Opens the access tokens, of the running channels or of the ledger. */
export async function openTokens(
  loaded: LoadedConfig,
): Promise<{ part: TokenAdmin; close(): Promise<void> }> {
  return withChannels(loaded, {
    single(ledger) {
      const { seen, configured } = asConfigured(ledger, loaded);
      const admin = createTokenAdmin({
        ...{ ledger, newId: createIds(systemClock) },
        now: () => systemClock.now(),
      });
      return {
        create: (request) => configured(() => admin.create(request)),
        list: () => seen(admin.list),
        revoke: admin.revoke,
      };
    },
    running: (at) => ({
      create: (request) => callChannels(at, tokensPath, { method: 'POST', body: request }),
      list: () => callChannels(at, tokensPath, { method: 'GET' }),
      revoke: (id) => callChannels(at, `${tokensPath}/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    }),
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

/**
 * Asks the channels that run, and resolves with their answer, which this version made itself. A refusal is a ParleyError with the code and
 * hint of the answer; a connection that ended first is `channels_unreachable`.
 */
async function callChannels<T>(
  at: RunningChannels,
  path: string,
  request: { method: NonNullable<RequestOptions['method']>; body?: object | undefined },
): Promise<T> {
  try {
    const response = await createSendWithMessages(at)(path, request);
    return (await response.json()) as T;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    if (refusal.status === 0)
      throw new ParleyError(
        'channels_unreachable',
        `The channels at ${at.baseUrl} ended the connection before they answered. The command may have taken effect.`,
        { hint: 'Look at "parley status", then call this again.', cause: error },
      );
    throw asError(refusal);
  }
}

function remoteDesk(at: RunningChannels): AccessAdmin {
  const call = <T>(path: string, method: NonNullable<RequestOptions['method']>, body?: object): Promise<T> =>
    callChannels(at, `${peoplePath}${path}`, { method, body });
  const one = (name: string): string => `/${encodeURIComponent(name)}`;
  return {
    list: () => call('', 'GET'),
    show: (name) => call(one(name), 'GET'),
    approve: (code, as) => call('/approve', 'POST', { code, ...as }),
    admit: (account, as) => call('/admit', 'POST', { account, ...as }),
    deny: (code) => call('/deny', 'POST', { code }),
    setRole: (name, role) => call(one(name), 'PATCH', { role }),
    block: (account) => call('/block', 'POST', { account }),
    unblock: (account) => call('/unblock', 'POST', { account }),
    async remove(name) {
      await call(one(name), 'DELETE');
    },
    async removeAccount(name, account) {
      await call(`${one(name)}/accounts${one(account)}`, 'DELETE');
    },
  };
}

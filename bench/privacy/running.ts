// The program over the three simulated platforms, in this process, for many histories at once.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreBackup } from '#app/backup/restore.ts';
import { writeBackup } from '#app/backup/write.ts';
import { type Parley, startParley } from '#app/compose/compose.ts';
import { type Sandbox, startSandbox } from '#app/compose/sandbox.ts';
import { configFileName, loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { createClient, type ParleyClient } from '#engine/client/client.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { createRepeatingModel } from './repeating-model.ts';

export interface Running {
  sandbox: Sandbox;
  parley(): Parley;
  /** As the operator's machine talks to it. */
  client(): ParleyClient;
  /** A folder for files that are imported. */
  folder: string;
  /** Resolves when everything that was written is answered and remembered. */
  settled(): Promise<void>;
  /** Backs the program up. */
  backUp(): Promise<void>;
  /** Ends the program, puts the backup back and starts it again. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

const lookMs = 5;
/**
 * So many looks one after the other find the program at rest before the next thing happens. What a platform reported is nowhere to be
 * seen between two parts of the program; each look waits for one answer of memory, so that a busy machine gives all parts as many turns.
 */
const quietLooks = 10;
/** Only a program that hangs takes so long, also on a machine that has much else to do. */
const longestMs = 900_000;

/** A look in every chat, which finds much and is never late. */
function activeMemory(look: 'off' | 'ranking' | 'model') {
  if (look === 'off') return { enabled: false };
  const kinds = ['dm', 'group', 'channel'];
  return {
    ...{
      enabled: true,
      timeoutSeconds: 30,
      view: 'full',
      threshold: 0.45,
      maxMemories: 10,
      cacheSeconds: 60,
    },
    ...(look === 'model' ? { model: 'repeating' } : {}),
    chats: { discord: kinds, telegram: kinds, slack: kinds },
  };
}

/** Starts it with this reach of what is open. */
export async function startRunning(options: {
  sharing: 'room' | 'space' | 'everyone';
  /** Who may write in private: everyone, or who was admitted by a code. */
  directMessages: 'open' | 'pairing';
  /** The platform on which each chat remembers only itself. */
  single?: SandboxPlatform | undefined;
  /** Whose a conversation in a room is. */
  sessions: 'room' | 'person';
  /** What brings memories up before an answer that its message does not ask for. */
  look: 'off' | 'ranking' | 'model';
  /** Whether budgets summarize and evict what is remembered. */
  budgets?: boolean | undefined;
  /** What a look at a platform for who may read what may take, in milliseconds. */
  looksMs?: number | undefined;
}): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-privacy-'));
  const sandbox = await startSandbox(systemClock, {
    ...{ telegram: { administrator: true }, slack: { rates: 'none' } },
  });
  const models = createRepeatingModel();
  // everyone is answered, and as often as a history wants it
  const { directMessages, single, sessions } = options;
  const on = (platform: SandboxPlatform) => ({
    ...{ directMessages, sessions, rooms: { allow: 'anyone', respondTo: 'threads' } },
    memory: platform === single ? 'chat-only' : 'shared',
  });
  const config = {
    engine: { port: 0 },
    gateway: { debounceMs: 0, shutdownSeconds: 5 },
    log: { level: 'silent' },
    model: { name: 'repeating' },
    memory: {
      ...{ sharing: options.sharing, responseCache: { minutes: 60 }, active: activeMemory(options.look) },
      recall: { association: true },
      ...(options.budgets === true && {
        budgets: { audience: { exchanges: 3, items: { note: 2, fact: 3 } } },
      }),
    },
    channels: {
      discord: on('discord'),
      telegram: { ...on('telegram'), rateLimits: 'reactive' },
      slack: { ...on('slack'), rateLimits: 'reactive' },
    },
  };
  await writeFile(join(folder, configFileName), JSON.stringify(config));
  // a port on which nobody listens: a call that does not go to the model in this process would fail
  const environment = { ...sandbox.environment, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  const open = (): Promise<Parley> =>
    startParley(loadConfig({ folder, variables: {} }), {
      clock: systemClock,
      sandbox: { ...sandbox, environment },
      models,
      looks: { cacheMs: 0, longestMs: options.looksMs },
    });
  const clientOf = async ({ url, tokenFile }: Parley): Promise<ParleyClient> =>
    createClient({
      ...{ baseUrl: url, timeoutMs: longestMs },
      token: (await readFile(tokenFile ?? '', 'utf8')).trim(),
    });
  const within = async (what: string, done: () => boolean | Promise<boolean>): Promise<void> => {
    const until = systemClock.now() + longestMs;
    while (!(await done())) {
      if (systemClock.now() > until) throw new Error(`${what} did not come within ${longestMs} ms`);
      await systemClock.sleep(lookMs);
    }
  };
  const { home } = loadConfig({ folder, variables: {} });
  const backup = join(folder, 'backup');
  let parley = await open();
  let client = await clientOf(parley);
  const platforms = ['discord', 'telegram', 'slack'];
  const ready = (): Promise<void> =>
    within('the connections', () =>
      parley.gateway
        .status()
        .every(({ platform, state }) => !platforms.includes(platform) || state === 'ready'),
    );
  const isQuiet = async (): Promise<boolean> => {
    // events on their way to the program, then what the parts of it have before them
    await Promise.all([sandbox.discord.arrived(), client.memory.get('none').catch(() => undefined)]);
    if (sandbox.telegram.pendingUpdates() + sandbox.slack.pendingEvents() > 0) return false;
    const { active, waiting, changes } = parley.gateway.lanes();
    const backlog = parley.gateway.status().map((each) => each.inboxBacklog + each.outboxBacklog);
    return active + waiting + changes === 0 && backlog.every((count) => count === 0);
  };
  await ready();
  return {
    sandbox,
    folder,
    parley: () => parley,
    client: () => client,
    async settled() {
      let quiet = 0;
      await within('rest', async () => {
        quiet = (await isQuiet()) ? quiet + 1 : 0;
        return quiet === quietLooks;
      });
    },
    backUp: async () => void (await writeBackup({ home, folder: backup, clock: systemClock })),
    async restore() {
      await parley.close();
      await restoreBackup({
        ...{ home, folder: backup, clock: systemClock },
        over: 'replace',
        onProgress: () => {},
      });
      parley = await open();
      client = await clientOf(parley);
      await ready();
    },
    async close() {
      await parley.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

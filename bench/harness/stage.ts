// What the program meets: three sandbox servers behind wire taps, a model, and a folder with its config.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Sandbox, startSandbox } from '#app/compose/sandbox.ts';
import { configFileName } from '#app/config/load.ts';
import { configSchema } from '#app/config/schema.ts';
import { systemClock } from '#base/clock.ts';
import type { SandboxChat, SandboxPlatform, SandboxUser } from '#sandbox/contract.ts';
import type { Stood } from './account.ts';
import { type EchoModel, startEchoModel } from './echo-model.ts';
import type { LinkName, Links } from './links.ts';
import { type CallKind, startTap, type Tap } from './tap.ts';

export interface Stage {
  folder: string;
  home: string;
  /** The home folder of each instance; the first is `home`. */
  homes: readonly string[];
  environment: NodeJS.ProcessEnv;
  sandbox: Sandbox;
  taps: Readonly<Record<SandboxPlatform, Tap>>;
  model: EchoModel;
  /** Everything that the bot's messages say now, chat by chat, oldest first. */
  existed(): Stood[];
  /** Updates that Telegram still holds for the bot. */
  pendingUpdates(): number;
  /** Copies the program's databases to where they outlive the run; resolves with the folder. */
  save(name: string): Promise<string>;
  close(): Promise<void>;
}

export const platforms = ['discord', 'telegram', 'slack'] as const;

/** The chat of each of two people with the bot, on each platform. */
export const directChats = platforms.flatMap((platform) =>
  (['you', 'guest'] as const).map((user) => ({ platform, user })),
);

/** Every place where someone can talk with the bot. */
export const places: readonly { chat: SandboxChat; users: readonly [SandboxUser, ...SandboxUser[]] }[] = [
  { chat: 'dm', users: ['you'] },
  { chat: 'dm', users: ['guest'] },
  { chat: 'room', users: ['you', 'guest'] },
  { chat: 'private', users: ['you'] },
];

const kinds: Readonly<Record<SandboxPlatform, (method: string, path: string) => CallKind>> = {
  discord(method, path) {
    if (method === 'POST' && /\/messages$/.test(path)) return 'send';
    return method === 'PATCH' && /\/messages\/\d+$/.test(path) ? 'edit' : 'other';
  },
  telegram(_, path) {
    if (/\/sendMessage$/i.test(path)) return 'send';
    if (/\/getUpdates$/i.test(path)) return 'poll';
    return /\/editMessageText$/i.test(path) ? 'edit' : 'other';
  },
  slack(_, path) {
    if (/\/chat\.(postMessage|startStream)$/.test(path)) return 'send';
    return /\/chat\.(update|appendStream|stopStream)$/.test(path) ? 'edit' : 'other';
  },
};

/** Where answers follow the order of messages: a chat, or a thread of a room. */
export function laneOf(chat: SandboxChat, user: SandboxUser, thread?: string): string {
  const name = chat === 'dm' ? `dm of ${user}` : chat;
  return thread === undefined ? name : `${name}, thread ${thread}`;
}

/**
 * Starts everything, for an engine at `port` (0: any); with `links`, the program reaches everything only through them. So many `instances`
 * have a home folder each. `close` ends it and removes the folder.
 */
export async function openStage({
  port = 0,
  links,
  instances = 1,
}: {
  port?: number;
  links?: Links;
  instances?: number;
} = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const home = join(folder, 'home');
  const others = Array.from({ length: instances - 1 }, (_, at) => join(folder, `home-${at + 2}`));
  const { slack: slackFaults, ...faults } = links?.faults ?? {};
  const [sandbox, model] = await Promise.all([
    startSandbox(systemClock, { ...faults, slack: { ...slackFaults, rates: 'none' } }),
    startEchoModel(),
  ]);
  const tap = (platform: SandboxPlatform): Promise<Tap> => startTap(sandbox[platform].url, kinds[platform]);
  const [discord, telegram, slack] = await Promise.all([tap('discord'), tap('telegram'), tap('slack')]);
  const through = (name: LinkName, url: string): string => links?.to(name, url) ?? url;
  links?.to('discordSocket', sandbox.discord.url);
  links?.to('slackSocket', sandbox.slack.url);
  const engine = through('engine', `http://127.0.0.1:${port}`);
  const plain = configSchema.parse({
    home,
    engine: { port, allowedHosts: [new URL(engine).host] },
    gateway: { port: 0 },
    model: { name: 'echo' },
    // many talk in one thread, and all of them are answered
    channels: { slack: { rooms: { respondTo: 'threads' } } },
  });
  const { people, channels: open } = sandbox.configure(plain);
  const channels = {
    discord: { ...open.discord, apiUrl: through('discord', discord.url) },
    // the documented pace would make a run long; refusals for the rate come with the faults
    telegram: { ...open.telegram, apiUrl: through('telegram', telegram.url), rateLimits: 'reactive' },
    slack: { ...open.slack, apiUrl: through('slack', slack.url), rateLimits: 'reactive' },
  };
  await writeFile(join(folder, configFileName), JSON.stringify({ ...plain, people, channels }));
  return {
    folder,
    home,
    homes: [home, ...others],
    sandbox,
    model,
    taps: { discord, telegram, slack },
    environment: {
      ...sandbox.environment,
      PARLEY_TOKEN: 'token-of-this-run-only',
      OPENAI_BASE_URL: through('model', model.url),
    },
    existed: () => stoodOnAll(sandbox),
    pendingUpdates: () => pendingOf(sandbox.telegram),
    async save(name) {
      const saved = join(tmpdir(), `parley-${name}`);
      await cp(home, saved, { recursive: true });
      for (const other of others) await cp(other, join(saved, basename(other)), { recursive: true });
      await writeFile(join(saved, 'shown.json'), JSON.stringify(stoodOnAll(sandbox), undefined, 1));
      return saved;
    },
    async close() {
      await Promise.all([discord.close(), telegram.close(), slack.close(), model.close()]);
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function stoodOnAll(sandbox: Sandbox): Stood[] {
  return platforms.flatMap((platform) => stoodOn(sandbox, platform));
}

function stoodOn(sandbox: Sandbox, platform: SandboxPlatform): Stood[] {
  return places.flatMap(({ chat, users: [user] }) =>
    sandbox[platform]
      .shown(chat, user)
      // a draft goes away
      .filter(({ author, id }) => author === 'bot' && !id.startsWith('draft-'))
      .map(({ text, thread }) => ({ platform, lane: laneOf(chat, user, thread), text })),
  );
}

/** Only the Telegram sandbox has this; the contract of all three does not name it. */
function pendingOf(server: object): number {
  if (!('pendingUpdates' in server) || typeof server.pendingUpdates !== 'function') return 0;
  return Number(server.pendingUpdates());
}

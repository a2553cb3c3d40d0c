// The whole house over the sandbox, in one process: talk as a user, wait for what a user would see.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Parley, startParley } from '#app/compose/compose.ts';
import { type Sandbox, type SandboxFaults, startSandbox } from '#app/compose/sandbox.ts';
import { loadConfig } from '#app/config/load.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { createModelThread } from '#engine/providers/thread/thread.ts';
import type {
  SandboxChat,
  SandboxFile,
  SandboxPlatform,
  SandboxUser,
  ShownMessage,
} from '#sandbox/contract.ts';
import { engineDatabase, gatewayDatabase, memoryDatabase, putEmpty } from '../support/empty-database.ts';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface Talk {
  platform: SandboxPlatform;
  chat: SandboxChat;
  user: SandboxUser;
}

export interface House {
  folder: string;
  /** Where its databases are. */
  home: string;
  sandbox: Sandbox;
  parley: Parley;
  /** Called before the program ends with its test: pages that are open on it are closed first. */
  beforeEnd: (() => Promise<void>)[];
  /** Says something and resolves with what the bot answered once the answer stands and is handed over. */
  ask(talk: Talk, text: string, files?: readonly SandboxFile[]): Promise<string>;
  answers(talk: Talk): ShownMessage[];
  ready(...platforms: SandboxPlatform[]): Promise<void>;
  /** Closes the program and opens it again, with another config where one is given. */
  restart(config?: object): Promise<void>;
}

const databases = { engine: engineDatabase, memory: memoryDatabase, gateway: gatewayDatabase };

/** A config that waits for nothing by default: no burst, no documented rate (their tests are those of the channels), no log. */
function quick({ channels, ...config }: { channels?: Record<string, object> }): object {
  return {
    engine: { port: 0 },
    gateway: { debounceMs: 0, shutdownSeconds: 1 },
    log: { level: 'silent' },
    ...config,
    channels: {
      ...channels,
      telegram: { rateLimits: 'reactive', ...channels?.telegram },
      slack: { rateLimits: 'reactive', ...channels?.slack },
    },
  };
}

/** To load what asks providers takes as long as all else of a house: one thread asks for all of a process, until that ends. */
const models = createModelThread();

export async function openHouse(
  t: TestContext,
  options: {
    config?: object;
    variables?: NodeJS.ProcessEnv;
    /** The platforms keep their state in the home folder, and start again with the program. */
    sandbox?: 'stored';
    /** Puts into the home folder what is there before the program opens it. */
    furnish?: (home: string) => void;
    /** How the platforms differ from the usual. */
    platforms?: SandboxFaults;
    /** The program's; the system's when absent. */
    clock?: Clock;
  } = {},
): Promise<House> {
  const folder = tempFolder(t);
  const configure = (config: object = {}): void =>
    writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(quick(config)));
  configure(options.config);
  const { home } = loadConfig({ folder, variables: {} });
  // a disk of the test's own may refuse, or lose what nobody waited for: there the program begins by itself
  if (home.startsWith(folder))
    for (const [name, make] of Object.entries(databases)) putEmpty(make, join(home, `${name}.sqlite`));
  options.furnish?.(home);
  const openSandbox = (): Promise<Sandbox> =>
    startSandbox(systemClock, { ...options.platforms, ...(options.sandbox === 'stored' ? { home } : {}) });
  let sandbox = await openSandbox();
  t.after(() => sandbox.close());
  const open = (): Promise<Parley> => {
    const loaded = loadConfig({ folder, variables: options.variables ?? {} });
    const wrong = Object.keys(loaded.environment);
    const environment = Object.fromEntries(
      Object.entries(sandbox.environment).filter(([name]) => !wrong.includes(name)),
    );
    const { clock = systemClock } = options;
    return startParley(loaded, { clock, sandbox: { ...sandbox, environment }, models });
  };
  const answers = ({ platform, chat, user }: Talk): ShownMessage[] =>
    sandbox[platform].shown(chat, user).filter(({ author }) => author === 'bot');
  const house: House = {
    folder,
    home,
    sandbox,
    parley: await open(),
    beforeEnd: [],
    answers,
    async ask(talk, text, files) {
      const before = answers(talk).length;
      await sandbox[talk.platform].say({
        chat: talk.chat,
        user: talk.user,
        text,
        mention: talk.chat !== 'dm',
        files,
      });
      await found(`an answer to "${text}"`, () => {
        const settled = house.parley.gateway
          .status()
          .every((status) => status.inboxBacklog + status.outboxBacklog === 0);
        return settled && answers(talk).length > before ? true : undefined;
      });
      return answers(talk)
        .slice(before)
        .map((message) => message.text)
        .join('\n');
    },
    async ready(...platforms) {
      await found('ready', () =>
        house.parley.gateway
          .status()
          .every(({ platform, state }) => !platforms.some((each) => each === platform) || state === 'ready')
          ? true
          : undefined,
      );
    },
    async restart(config) {
      await house.parley.close();
      if (options.sandbox === 'stored') {
        await sandbox.close();
        house.sandbox = sandbox = await openSandbox();
      }
      if (config !== undefined) configure(config);
      house.parley = await open();
    },
  };
  t.after(async () => {
    for (const end of house.beforeEnd) await end();
    await house.parley.close();
  });
  return house;
}

/** Channels of a config without Discord and Slack. */
export const onlyTelegram = { discord: { enabled: false }, slack: { enabled: false } };

/** A house whose only channel is Telegram, connected. */
export async function openTelegramHouse(t: TestContext, config: object = {}): Promise<House> {
  const house = await openHouse(t, { config: { channels: onlyTelegram, ...config } });
  await house.ready('telegram');
  return house;
}

/** A thread of the room, as the platform has one. */
export async function openThread({ sandbox }: House, platform: SandboxPlatform): Promise<string> {
  switch (platform) {
    case 'discord':
      return sandbox.discord.openThread({ chat: 'room', name: 'Bridges' }).id;
    case 'telegram':
      return sandbox.telegram.createTopic('Bridges');
    case 'slack':
      return (await sandbox.slack.say({ chat: 'room', user: 'guest', text: 'About bridges' })).id;
  }
}

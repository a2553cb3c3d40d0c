// The program as an operator runs it, in a separate process, and the three sandbox servers that outlive it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { type Sandbox, type SandboxFaults, startSandbox } from '#app/compose/sandbox.ts';
import { configFileName } from '#app/config/load.ts';
import { type Config, configSchema } from '#app/config/schema.ts';
import { systemClock } from '#base/clock.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Talk } from './house.ts';

export interface Program {
  /** Everything that it said on both outputs. */
  said(): string;
  /** Waits until it says that these are connected. */
  connected(...platforms: (SandboxPlatform | 'engine')[]): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Waits until it says that it is stopping. */
  stopping(): Promise<void>;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
  readonly pid: number;
  /** A route of its engine, with the token. */
  get(path: string): Promise<unknown>;
  /** As `get`, with another method; `body` is sent as JSON. */
  send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Response>;
}

export interface Stage {
  folder: string;
  home: string;
  sandbox: Sandbox;
  /** Starts `parley start`; `before` are words in front of the command line, as `prlimit` takes them. */
  start(before?: readonly string[]): Program;
  /** Starts another command that runs until it is told to stop. */
  run(...words: readonly string[]): Program;
  say(talk: Talk, text: string): Promise<string>;
  /** What the bot has said there. */
  answers(talk: Talk): string[];
  answered(talk: Talk, pattern: RegExp): Promise<void>;
}

export interface StageOptions {
  /** Where the databases are; a folder of their own when absent. */
  home?: string;
  /** The platforms that the program connects to, which takes a second each; all when absent. */
  platforms?: readonly SandboxPlatform[];
  configure?: (config: Config) => Config;
  /** What differs in the platforms. */
  faults?: SandboxFaults;
  variables?: NodeJS.ProcessEnv;
}

const bin = join(import.meta.dirname, '..', '..', 'bin', 'parley.js');
const token = 'token-of-this-test';

export async function openStage(t: TestContext, options: StageOptions = {}): Promise<Stage> {
  const folder = tempFolder(t);
  const home = options.home ?? join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const sandbox = await startSandbox(systemClock, options.faults);
  t.after(() => sandbox.close());
  const plain = sandbox.configure(
    configSchema.parse({
      home,
      engine: { port: 0 },
      gateway: { debounceMs: 0, shutdownSeconds: 1 },
      log: { level: 'error' },
    }),
  );
  const { discord, telegram, slack } = plain.channels;
  const connects = (platform: SandboxPlatform) => ({
    enabled: options.platforms?.includes(platform) ?? true,
  });
  const chosen = {
    ...plain,
    channels: {
      discord: { ...discord, ...connects('discord') },
      telegram: { ...telegram, ...connects('telegram') },
      slack: { ...slack, ...connects('slack') },
    },
  };
  const config = options.configure?.(chosen) ?? chosen;
  writeFileSync(join(folder, configFileName), JSON.stringify(config));
  const environment = { ...sandbox.environment, PARLEY_TOKEN: token, ...options.variables };
  const answers = ({ platform, chat, user }: Talk): string[] =>
    sandbox[platform]
      .shown(chat, user)
      .filter(({ author }) => author === 'bot')
      .map(({ text }) => text);
  const run = (line: readonly string[]): Program => {
    const [command = '', ...rest] = line;
    const child = spawn(command, rest, {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.after(() => child.kill('SIGKILL'));
    return programOf(child);
  };
  return {
    folder,
    home,
    sandbox,
    answers,
    start: (before = []) => run([...before, process.execPath, bin, 'start']),
    run: (...words) => run([process.execPath, bin, ...words]),
    async say(talk, text) {
      const { platform, chat, user } = talk;
      const { id } = await sandbox[platform].say({ chat, user, text, mention: chat !== 'dm' });
      return id;
    },
    async answered(talk, pattern) {
      await found(`an answer like ${pattern}`, () =>
        answers(talk).some((text) => pattern.test(text)) ? true : undefined,
      );
    },
  };
}

function programOf(child: ChildProcess): Program {
  const lines: string[] = [];
  for (const output of [child.stdout, child.stderr])
    if (output !== null) createInterface({ input: output }).on('line', (line) => lines.push(line));
  const said = (): string => lines.join('\n');
  const headers = { authorization: `Bearer ${token}` };
  const url = (): string => /http:\/\/[\w.:]+\d/.exec(said())?.[0] ?? '';
  return {
    said,
    async connected(...platforms) {
      const look = (): true | undefined =>
        platforms.every((platform) => new RegExp(`^ *${platform} +connected$`, 'm').test(said()))
          ? true
          : undefined;
      try {
        await found('the connections', look);
      } catch (error) {
        throw new Error(`${String(error)}; it said:\n${said()}`, { cause: error });
      }
    },
    signal: (name) => void child.kill(name),
    async stopping() {
      await found('the stopping', () => (/^Stopping/m.test(said()) ? true : undefined));
    },
    ended: once(child, 'close').then(() => child.exitCode ?? child.signalCode),
    pid: child.pid ?? 0,
    get: async (path) => (await fetch(`${url()}${path}`, { headers })).json(),
    send: (method, path, body) =>
      fetch(`${url()}${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
  };
}

/** The bytes of a file of the home folder. */
export const bytesOf = ({ home }: Stage, file: string): Buffer => readFileSync(join(home, file));

// A program in a separate process whose work is counted, with the three simulated platforms in this one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { openStage, type PlatformName } from '../../bench/gateway/stage.ts';
import { statement } from '../../bench/gateway/words.ts';
import { startArguments } from '../../bench/harness/start-arguments.ts';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** How often something was done since the program began, by its name; statements by their file and text. */
export interface Counts {
  statements: Map<string, number>;
  counts: Record<string, number>;
}

export interface WarmProgram {
  /** Exchanges one after another as one person, each archived before the next; how much each took on the average. */
  exchanges(platform: PlatformName, count: number): Promise<Counts>;
}

const probe = join(import.meta.dirname, 'probe.js');
const files = ['gateway', 'engine', 'memory'] as const;
const withinMs = 20_000;
/** The program does not count as still before nothing was counted for so long: what is batched for seconds belongs to the exchange. */
const stillMs = 6_000;

export async function openWarmProgram(t: TestContext): Promise<WarmProgram> {
  const stage = await openStage(1);
  t.after(() => stage.close());
  const folder = tempFolder(t);
  const home = join(folder, 'home');
  const { discord, telegram, slack } = stage.urls;
  const config = {
    home: 'home',
    engine: { port: 0 },
    gateway: { debounceMs: 0 },
    model: { provider: 'offline' },
    channels: {
      discord: { directMessages: 'open', apiUrl: discord, callsPerSecond: 1_000_000 },
      telegram: { directMessages: 'open', apiUrl: telegram, rateLimits: 'reactive' },
      slack: { directMessages: 'open', apiUrl: slack, rateLimits: 'reactive' },
    },
  };
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(config));
  const { child, count } = startCounted(t, folder, stage.tokens);
  await connected(child);
  const engine = new Database(join(home, 'engine.sqlite'), { readonly: true });
  t.after(() => engine.close());
  const archivedNow = engine
    .prepare<[], number>("SELECT count(*) FROM runs WHERE archived IN ('stored', 'duplicate')")
    .pluck();
  let asked = 0;
  const exchange = async (platform: PlatformName): Promise<void> => {
    asked += 1;
    await stage.ask({ platform, person: 0 }, { text: statement(asked), withinMs });
    await found('the exchange in memory', () => (archivedNow.get() === asked ? true : undefined));
  };
  const still = async (): Promise<Counts> => {
    for (let before = await count(); ; ) {
      await new Promise((resolve) => setTimeout(resolve, stillMs));
      const now = await count();
      if (total(now) - total(before) < 20) return now;
      before = now;
    }
  };
  return {
    async exchanges(platform, times) {
      for (let warming = 0; warming < 30; warming += 1) await exchange(platform);
      await still();
      const logs = files.map((file) => watchLog(join(home, `${file}.sqlite`)));
      const before = await count();
      for (let time = 0; time < times; time += 1) await exchange(platform);
      const after = await still();
      const each = difference(before, after, times);
      for (const [index, file] of files.entries())
        each.counts[`log of ${file}, KB`] = (logs[index]?.bytes() ?? 0) / times / 1000;
      return each;
    },
  };
}

interface CountedProgram {
  child: ChildProcess;
  count(): Promise<Counts>;
  stop(): Promise<void>;
}

/** Starts the program in the folder of its config with the probe in it; it ends with the test. */
export function startCounted(t: TestContext, folder: string, tokens: Record<string, string>): CountedProgram {
  const child = spawn(process.execPath, ['--import', probe, ...startArguments(), 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...tokens },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  t.after(stop);
  return {
    child,
    stop,
    async count() {
      const answer = once(child, 'message');
      child.send('count');
      const [{ statements, counts }] = (await answer) as [
        { statements: [string, number][]; counts: Counts['counts'] },
      ]; // the probe sends nothing else
      return { statements: new Map(statements), counts };
    },
  };
}

/**
 * How many bytes the write-ahead log of a database gets from now on. It is emptied first; then a reader stays at its place, so that SQLite
 * does not begin it again, and its size says what was written.
 */
function watchLog(path: string): { bytes(): number } {
  const reader = new Database(path);
  reader.pragma('wal_checkpoint(TRUNCATE)');
  reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  return {
    bytes() {
      const { size } = statSync(`${path}-wal`);
      reader.close();
      return size;
    },
  };
}

const total = ({ statements }: Counts): number => [...statements.values()].reduce((sum, one) => sum + one, 0);

function difference(before: Counts, after: Counts, times: number): Counts {
  const statements = new Map<string, number>();
  for (const [line, now] of after.statements) {
    const each = (now - (before.statements.get(line) ?? 0)) / times;
    if (each > 0) statements.set(line, each);
  }
  const counts = Object.fromEntries(
    Object.entries(after.counts).map(([name, now]) => [name, (now - (before.counts[name] ?? 0)) / times]),
  );
  return { statements, counts };
}

/** Resolves once all three platforms are connected. */
export async function connected(child: ChildProcess): Promise<void> {
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (piece: Buffer) => {
      said += piece.toString();
    });
  await found('the connections', () =>
    ['discord', 'telegram', 'slack'].every((name) => new RegExp(`^ *${name} +connected$`, 'm').test(said))
      ? true
      : undefined,
  );
}

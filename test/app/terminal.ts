// Commands called as the command line calls them, in this process: what they print, and how they end.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { type Parley, startParley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { main } from '#app/main.ts';
import { systemClock } from '#base/clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface Terminal {
  folder: string;
  home: string;
  /** One call: its exit code and what it wrote. */
  call(...words: string[]): Promise<{ code: number; out: string; err: string }>;
  /** What the call that is in progress has printed so far. */
  printed(): string;
  /** Starts the program with no channel on this home folder; it ends with the test. */
  start(): Promise<Parley>;
}

/** A folder of its own with a config; `main` finds it by `--config`. */
export function openTerminal(t: TestContext, config: object = {}): Terminal {
  const folder = tempFolder(t);
  const file = join(folder, 'parley.config.json');
  const base = { home: 'home', engine: { port: 0 }, log: { level: 'silent' } };
  writeFileSync(file, JSON.stringify({ ...base, ...config }));
  let printed = '';
  return {
    folder,
    printed: () => printed,
    home: join(folder, 'home'),
    call(...words) {
      printed = '';
      return callWith(file, words, (out) => {
        printed = out;
      });
    },
    async start() {
      const parley = await startParley(loadConfig({ folder, variables: {} }), { clock: systemClock });
      t.after(() => parley.close());
      return parley;
    },
  };
}

/** One call with the config of that file: its exit code and what it wrote; `onOut` is called with all output so far. */
export async function callWith(
  configFile: string,
  words: readonly string[],
  onOut: (out: string) => void = () => {},
): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const code = await main(
    [...words, '--config', configFile],
    {},
    {
      out(line) {
        said.out += `${line}\n`;
        onOut(said.out);
      },
      err(line) {
        said.err += `${line}\n`;
      },
    },
  );
  return { code, ...said };
}

/** A command's input in that folder, and what it prints. */
export function inputOf({ folder }: Terminal, json = false): CommandInput & { printed: string[] } {
  const printed: string[] = [];
  return {
    folder,
    configFile: undefined,
    variables: {},
    print: (line) => void printed.push(line),
    rest: [],
    dryRun: false,
    json,
    values: {},
    printed,
  };
}

// A config, a `.env` and the sandbox's platforms with something wrong, for the doctor to look at. Not a test.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Sandbox, type SandboxFaults, startSandbox } from '#app/compose/sandbox.ts';
import { loadConfig } from '#app/config/load.ts';
import { type Config, configSchema } from '#app/config/schema.ts';
import type { Diagnostic } from '#app/doctor/diagnostic.ts';
import { runDiagnostics } from '#app/doctor/doctor.ts';
import type { Clock } from '#base/clock.ts';
import { systemClock } from '#base/clock.ts';
import { openTerminal, type Terminal } from '../terminal.ts';

export type Findings = (Diagnostic & { about: string })[];

export interface Clinic extends Terminal {
  sandbox: Sandbox;
  envFile: string;
  configFile: string;
  /** Writes the config again; the platforms are the sandbox's. */
  configure(change: (config: Config) => object): void;
  /** Writes `.env` again: the sandbox's tokens, and what is given. */
  tokens(other?: Record<string, string>): void;
  /** `parley doctor --json` with these words. */
  doctor(...words: string[]): Promise<{ code: number; findings: Findings }>;
  /** The same in this process, with another clock. */
  examine(how: { clock?: Clock }): Promise<Findings>;
}

export async function openClinic(t: TestContext, faults: SandboxFaults = {}): Promise<Clinic> {
  const sandbox = await startSandbox(systemClock, faults);
  t.after(() => sandbox.close());
  const terminal = openTerminal(t);
  const envFile = join(terminal.folder, '.env');
  const configFile = join(terminal.folder, 'parley.config.json');
  const plain = sandbox.configure(
    configSchema.parse({ home: 'home', engine: { port: 0 }, log: { level: 'silent' } }),
  );
  const clinic: Clinic = {
    ...terminal,
    sandbox,
    envFile,
    configFile,
    configure: (change) => writeFileSync(configFile, JSON.stringify(change(plain))),
    tokens(other = {}) {
      const all = { ...sandbox.environment, ...other };
      const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(envFile, lines.join(''));
      chmodSync(envFile, 0o600);
    },
    async doctor(...words) {
      const { code, out } = await terminal.call('doctor', '--json', ...words);
      return { code, findings: (JSON.parse(out) as { findings: Findings }).findings }; // as the command writes it
    },
    async examine({ clock = systemClock }) {
      const loaded = loadConfig({ folder: terminal.folder, variables: {} });
      const { folder } = terminal;
      const chapters = await runDiagnostics({ loaded, folder, clock, probeSeconds: 0 });
      return chapters.flatMap(({ about, remarks }) => remarks.map((remark) => ({ about, ...remark })));
    },
  };
  clinic.configure((config) => config);
  clinic.tokens();
  return clinic;
}

/** What is wrong in a chapter, as `level: words -> hint`. */
export function problemsIn(findings: Findings, about: string): string {
  return findings
    .filter((each) => each.about === about && each.level !== 'ok')
    .map(({ level, what, hint }) => `${level}: ${what} -> ${hint}`)
    .join('\n');
}

// The options of each command, as `parseArgs` takes them. What they mean is documented next to each command.
import type { ParseArgsOptionsConfig } from 'node:util';
import { memoryOptions } from './memory/memory-options.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const own: Readonly<Record<string, ParseArgsOptionsConfig>> = {
  memory: memoryOptions,
  sessions: { limit: text, title: text, archived: flag, apply: flag },
  runs: { limit: text, session: text, status: text, 'until-event': text },
  people: { name: text, role: text, 'same-person': flag, account: text },
  token: { person: text, agent: text, 'read-only': flag, expires: text },
  hook: { chat: text, template: text, kind: text, 'per-minute': text },
  mcp: { 'token-file': text },
  events: { session: text, run: text, limit: text },
  init: { provider: text, model: text, yes: flag, unchecked: flag },
  slack: { name: text, agent: flag, org: flag, link: flag },
  console: { viewer: flag, name: text },
  start: { port: text },
  engine: { port: text },
  status: { watch: flag },
  doctor: { fix: flag },
  restore: { replace: flag },
  channels: { port: text, engine: text, 'token-file': text },
};

/** Options of the version before and their new names, by command; they work for one version more. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  people: { as: 'name' },
  runs: { upto: 'until-event' },
  memory: { words: 'contains' },
};

/** The arguments with new names in place of old ones, and a warning for each that was replaced. */
export function withNewOptions(argv: readonly string[]): { argv: string[]; warnings: string[] } {
  const names = renamed[argv[0] ?? ''] ?? {};
  const warnings: string[] = [];
  const now = argv.map((argument) => {
    const [, old = '', rest = ''] = /^--([a-z-]+)(=.*)?$/s.exec(argument) ?? [];
    const name = Object.hasOwn(names, old) ? names[old] : undefined;
    if (name === undefined) return argument;
    warnings.push(`--${old} has a new name: --${name}.`);
    return `--${name}${rest}`;
  });
  return { argv: now, warnings };
}

/** The options of the command beyond those of every command. */
export function ownOptions(command: string | undefined): ParseArgsOptionsConfig {
  return command !== undefined && Object.hasOwn(own, command) ? (own[command] ?? {}) : {};
}

// The options of each command, as `parseArgs` takes them. What they mean is documented next to each command.
import type { ParseArgsOptionsConfig } from 'node:util';
import { memoryOptions } from './memory/memory-options.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const own: Readonly<Record<string, ParseArgsOptionsConfig>> = {
  memory: memoryOptions,
  sessions: { limit: text, title: text, chat: text, room: text, archived: flag, apply: flag },
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

/** The options of the command beyond those of every command. */
export function ownOptions(command: string | undefined): ParseArgsOptionsConfig {
  return command !== undefined && Object.hasOwn(own, command) ? (own[command] ?? {}) : {};
}

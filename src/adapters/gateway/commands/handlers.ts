// The handler of each command. A command without one does not compile.

import { activeMemory } from '#adapters/gateway/commands/memory/active-memory.ts';
import { forget } from '#adapters/gateway/commands/memory/forget.ts';
import { decisions, done, open, park, recap } from '#adapters/gateway/commands/memory/journal.ts';
import { memory } from '#adapters/gateway/commands/memory/memory.ts';
import { agent, help, model, status, tools, usage, who } from '#adapters/gateway/commands/people/about.ts';
import { link, pair } from '#adapters/gateway/commands/people/people.ts';
import { answer, approve, deny } from '#adapters/gateway/commands/people/requests.ts';
import { exportSaid } from '#adapters/gateway/commands/sessions/export.ts';
import { handoff } from '#adapters/gateway/commands/sessions/handoff.ts';
import { mission } from '#adapters/gateway/commands/sessions/mission.ts';
import { remind, schedule, schedules, unschedule } from '#adapters/gateway/commands/sessions/schedules.ts';
import { list, rename, resume, retry, startNew } from '#adapters/gateway/commands/sessions/sessions.ts';
import { stop } from '#adapters/gateway/commands/sessions/stop.ts';
import { voice } from '#adapters/gateway/commands/sessions/voice.ts';
import type { CommandHandler } from './command-context.ts';
import type { CommandName } from './table.ts';
import { quiet, zone } from './times.ts';

export const handlers: Readonly<Record<CommandName, CommandHandler>> = {
  help,
  new: startNew,
  sessions: list,
  resume,
  rename,
  status,
  stop,
  mission,
  retry,
  model,
  agent,
  tools,
  voice,
  memory,
  'active-memory': activeMemory,
  recap,
  decisions,
  open,
  done,
  park,
  handoff,
  forget,
  whoami: who,
  link,
  pairings: pair,
  approve,
  deny,
  answer,
  remind,
  schedule,
  schedules,
  unschedule,
  zone,
  quiet,
  usage,
  export: exportSaid,
};

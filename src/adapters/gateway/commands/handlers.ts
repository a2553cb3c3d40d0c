// The handler of each command. A command without one does not compile.
import { agent, help, model, status, tools, usage, who } from './about.ts';
import { activeMemory } from './active-memory.ts';
import type { CommandHandler } from './command-context.ts';
import { exportSaid } from './export.ts';
import { forget } from './forget.ts';
import { handoff } from './handoff.ts';
import { decisions, done, open, park, recap } from './journal.ts';
import { memory } from './memory.ts';
import { mission } from './mission.ts';
import { link, pair } from './people.ts';
import { answer, approve, deny } from './requests.ts';
import { remind, schedule, schedules, unschedule } from './schedules.ts';
import { list, rename, resume, retry, startNew } from './sessions.ts';
import { stop } from './stop.ts';
import type { CommandName } from './table.ts';
import { quiet, zone } from './times.ts';
import { voice } from './voice.ts';

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

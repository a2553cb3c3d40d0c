// The handler of each command. A command without one does not compile.
import { agent, help, model, status, tools, usage, who } from './about.ts';
import type { Handler } from './call.ts';
import { exportSaid } from './export.ts';
import { forget } from './forget.ts';
import { answer, approve, deny } from './leave.ts';
import { memory } from './memory.ts';
import { link, pair } from './people.ts';
import { list, rename, resume, retry, startNew } from './sessions.ts';
import { stop } from './stop.ts';
import type { CommandName } from './table.ts';

export const handlers: Readonly<Record<CommandName, Handler>> = {
  help,
  new: startNew,
  sessions: list,
  resume,
  rename,
  status,
  stop,
  retry,
  model,
  agent,
  tools,
  memory,
  forget,
  who,
  link,
  pair,
  approve,
  deny,
  answer,
  usage,
  export: exportSaid,
};

// The handler of each command. A command without one does not compile.

import { activeMemoryCommand } from '#adapters/gateway/commands/memory/active-memory.ts';
import { forgetCommand } from '#adapters/gateway/commands/memory/forget.ts';
import {
  decisionsCommand,
  doneCommand,
  lessonsCommand,
  openCommand,
  parkCommand,
  recapCommand,
} from '#adapters/gateway/commands/memory/journal.ts';
import { memoryCommand } from '#adapters/gateway/commands/memory/memory.ts';
import {
  helpCommand,
  modelCommand,
  statusCommand,
  toolsCommand,
  usageCommand,
  whoCommand,
} from '#adapters/gateway/commands/people/about.ts';
import { assistantCommand } from '#adapters/gateway/commands/people/assistant.ts';
import { linkCommand, pairCommand } from '#adapters/gateway/commands/people/people.ts';
import { answerCommand, approveCommand, denyCommand } from '#adapters/gateway/commands/people/requests.ts';
import { compactCommand, contextCommand } from '#adapters/gateway/commands/sessions/compact.ts';
import { deleteCommand } from '#adapters/gateway/commands/sessions/delete-answer.ts';
import { exportCommand } from '#adapters/gateway/commands/sessions/export.ts';
import { handoffCommand } from '#adapters/gateway/commands/sessions/handoff.ts';
import { missionCommand } from '#adapters/gateway/commands/sessions/mission.ts';
import {
  remindCommand,
  scheduleCommand,
  schedulesCommand,
  unscheduleCommand,
} from '#adapters/gateway/commands/sessions/schedules.ts';
import {
  listCommand,
  renameCommand,
  resumeCommand,
  retryCommand,
  startNewCommand,
} from '#adapters/gateway/commands/sessions/sessions.ts';
import { stopCommand } from '#adapters/gateway/commands/sessions/stop.ts';
import { voiceCommand } from '#adapters/gateway/commands/sessions/voice.ts';
import type { CommandName } from '#adapters/gateway/terms/command-table.ts';
import type { CommandHandler } from './command-context.ts';
import { quietCommand, zoneCommand } from './times.ts';

export const handlers: Readonly<Record<CommandName, CommandHandler>> = {
  help: helpCommand,
  new: startNewCommand,
  sessions: listCommand,
  resume: resumeCommand,
  rename: renameCommand,
  status: statusCommand,
  stop: stopCommand,
  mission: missionCommand,
  retry: retryCommand,
  compact: compactCommand,
  context: contextCommand,
  delete: deleteCommand,
  model: modelCommand,
  assistant: assistantCommand,
  tools: toolsCommand,
  voice: voiceCommand,
  memory: memoryCommand,
  'active-memory': activeMemoryCommand,
  recap: recapCommand,
  decisions: decisionsCommand,
  lessons: lessonsCommand,
  open: openCommand,
  done: doneCommand,
  park: parkCommand,
  handoff: handoffCommand,
  forget: forgetCommand,
  whoami: whoCommand,
  link: linkCommand,
  pairings: pairCommand,
  approve: approveCommand,
  deny: denyCommand,
  answer: answerCommand,
  remind: remindCommand,
  schedule: scheduleCommand,
  schedules: schedulesCommand,
  unschedule: unscheduleCommand,
  zone: zoneCommand,
  quiet: quietCommand,
  usage: usageCommand,
  export: exportCommand,
};

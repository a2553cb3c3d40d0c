// Who sees the answer to a command that is given in a room. Pure.

import { isAboutOneself } from '#adapters/gateway/commands/enabled-commands.ts';
import { codeIn } from '#adapters/gateway/terms/code.ts';
import type { ParsedCommand } from '#adapters/gateway/terms/parse-command.ts';

/**
 * `room`: what it changes concerns everyone there. `asker`: the person who gave it, where the platform can show it only to one person, else
 * the room, which reads nothing that is not the room's. `private`: it is about the person, who gets it in private where it cannot
 * be shown only to them.
 */
export type SeenBy = 'room' | 'asker' | 'private';

/** Who sees the reply to a command. Only the person who gave it sees a refusal. */
export function seenBy({ name, args }: ParsedCommand): SeenBy {
  const isNamed = args !== '' && !/^\d+$/.test(args);
  switch (name) {
    case 'new':
    case 'resume':
    case 'rename':
    case 'stop':
    case 'retry':
    case 'compact':
    case 'delete':
    case 'answer':
    case 'done':
    case 'park':
    case 'handoff':
    case 'remind':
    case 'schedule':
    case 'unschedule':
      return 'room';
    case 'approve':
    case 'deny':
      // a code admits someone: which accounts and names there are is none of this room's business
      return codeIn(args.split(/\s+/)[0] ?? '') === undefined ? 'room' : 'private';
    case 'model':
    case 'assistant':
    case 'voice':
      return isNamed ? 'room' : 'asker';
    case 'memory':
      return /^(?:save|forget)(?:\s|$)/i.test(args) ? 'room' : 'asker';
    case 'active-memory':
      return /^(?:on|off)$/i.test(args) ? 'room' : 'asker';
    case 'mission':
      return isNamed ? 'room' : 'asker';
    case 'export':
      return isAboutOneself({ name, args }) ? 'asker' : 'room';
    case 'whoami':
    case 'usage':
    case 'pairings':
      return 'private';
    case 'help':
    case 'sessions':
    case 'status':
    case 'tools':
    case 'context':
    case 'recap':
    case 'decisions':
    case 'lessons':
    case 'open':
    case 'forget':
    case 'link':
    case 'schedules':
    case 'zone':
    case 'quiet':
      return 'asker';
  }
}

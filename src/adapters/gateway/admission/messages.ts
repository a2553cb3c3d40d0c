// What people who may not talk to the bot read, and those who now may. Pure.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { anywhereNamer, type CommandPlace, commandNamer } from '#adapters/gateway/terms/command-names.ts';
import { aside, escapeMarkdown } from '#adapters/gateway/terms/command-reply.ts';
import type { Role } from '#adapters/gateway/terms/role.ts';
import type { RefusalReason } from './admission-rules.ts';
import type { UsedUp } from './limits.ts';

/** For a stranger who may ask to be admitted: the code and what to do with it. */
export function codeMessage(code: string, phrases: Phrases): string {
  return phrases.access.pairingCode({ code, anywhere: anywhereNamer(phrases) });
}

/** For a person who is refused and gets no code: why, and what to do. */
export function refusalMessage(why: Exclude<RefusalReason, 'code'>, { access }: Phrases): string {
  switch (why) {
    case 'not listed':
      return access.notListed;
    case 'off':
      return access.directMessagesOff;
    case 'not known here':
      return aside(access.notKnownHere);
    case 'not here':
      return aside(access.notHere);
    case 'not an owner':
      return aside(access.notAnOwner);
    case 'retry of others':
      return aside(access.retryOfOthers);
    case 'delete of others':
      return aside(access.deleteOfOthers);
    case 'stop of others':
      return aside(access.stopOfOthers);
  }
}

/** For a person who has reached a limit: which one, and when it ends. */
export function usedUpMessage({ by, name = '', unit, limit }: UsedUp, { access }: Phrases): string {
  const amount = unit === 'dollars' ? access.dollars({ amount: limit }) : access[unit]({ n: limit });
  const words = {
    person: access.usedUpByPerson,
    room: access.usedUpInRoom,
    assistant: access.usedUpByAssistant,
  };
  return aside(words[by]({ limit: amount, name: escapeMarkdown(name) }));
}

/** For a person who was just admitted: the name and role, and to send the message again. */
export function welcomeMessage(
  { name, role }: { name?: string | undefined; role?: Role | undefined },
  place: CommandPlace,
  phrases: Phrases,
): string {
  const as = role === undefined ? undefined : phrases.access.role({ role });
  return phrases.access.welcome({ name, role: as, command: commandNamer(place, phrases) });
}

// What people at the door are reported, and what operators are notified of them. Pure.
import { type CommandPlace, named, namedAnywhere } from '#adapters/gateway/commands/naming.ts';
import type { Role } from './access-types.ts';
import type { RefusalReason } from './admission-rules.ts';

/** What a stranger who may ask to be admitted is reported. */
export function codeMessage(code: string): string {
  return [
    `I only talk with people who were admitted. Your code is \`${code}\`, and it is valid for one hour.`,
    `Anyone who runs me admits you with \`parley people approve ${code} --name NAME\`; an owner can write ${namedAnywhere(`approve ${code} NAME`)} to me. I did not retain what you said.`,
  ].join('\n\n');
}

/** What a stranger is notified while too many others wait. */
export const fullMessage =
  'I only talk with people who were admitted, and so many wait for that now that I can give you no code. Try again in an hour, or ask anyone who runs me.';

/** What a person is shown who is refused permanently. */
export function refusalMessage(why: Exclude<RefusalReason, 'code' | 'used up'>): string {
  switch (why) {
    case 'not listed':
      return 'I only talk in private with people on my list, and you are not on it. Ask anyone who runs me. I did not retain what you said.';
    case 'off':
      return 'I do not talk in private here: mention me in a room. I did not retain what you said.';
    case 'not known here':
      return '_(In this room I answer only people who I was notified about. Ask anyone who runs me.)_';
    case 'not here':
      return '_(I do not answer in this room. Ask anyone who runs me.)_';
    case 'not an owner':
      return '_(In this room I answer only my owners.)_';
  }
}

/** What someone is shown who has used up what they may. */
export function usedUpMessage(what: string): string {
  return `_(I do not answer that: ${what}. Within 24 hours I do again; I did not retain what you said.)_`;
}

/** What someone is shown who was admitted. */
export function welcomeMessage(
  { name, role }: { name?: string | undefined; role?: Role | undefined },
  place: CommandPlace,
): string {
  const as = [name === undefined ? [] : `as ${name}`, role === undefined ? [] : withArticle(role)]
    .flat()
    .join(', ');
  return `You are admitted${as === '' ? '' : name === undefined ? ` as ${as}` : ` ${as}`}. Say again what you said: I did not retain it. ${named(place, 'help')} reports what I can do.`;
}

/** `a member`, `an owner`. */
export function withArticle(role: Role): string {
  return role === 'owner' ? 'an owner' : `a ${role}`;
}

// What people at the door are told, and what operators are told of them. Pure.
import { type CommandPlace, named, namedAnywhere } from '#adapters/gateway/commands/naming.ts';
import type { Refusal } from './decide.ts';
import type { Role } from './terms.ts';

/** What a stranger who may ask to be let in is told. */
export function codeWords(code: string): string {
  return [
    `I only talk with people who were let in. Your code is \`${code}\`, and it is good for one hour.`,
    `Whoever runs me lets you in with \`parley people approve ${code} --as NAME\`; an owner can write ${namedAnywhere(`approve ${code} NAME`)} to me. I did not keep what you said.`,
  ].join('\n\n');
}

/** What a stranger is told while too many others wait. */
export const fullWords =
  'I only talk with people who were let in, and so many wait for that now that I can give you no code. Try again in an hour, or ask whoever runs me.';

/** What a person is told who is refused for good. */
export function refusalWords(why: Exclude<Refusal, 'code' | 'used up'>): string {
  switch (why) {
    case 'not listed':
      return 'I only talk in private with people on my list, and you are not on it. Ask whoever runs me. I did not keep what you said.';
    case 'off':
      return 'I do not talk in private here: mention me in a room. I did not keep what you said.';
    case 'not known here':
      return '_(In this room I answer only people whom I was told about. Ask whoever runs me.)_';
    case 'not an owner':
      return '_(In this room I answer only my owners.)_';
  }
}

/** What somebody is told who has used up what they may. */
export function usedUpWords(what: string): string {
  return `_(I do not answer that: ${what}. Within 24 hours I do again; I did not keep what you said.)_`;
}

/** What somebody is told who was let in. */
export function welcomeWords(
  { name, role }: { name?: string | undefined; role?: Role | undefined },
  place: CommandPlace,
): string {
  const as = [name === undefined ? [] : `as ${name}`, role === undefined ? [] : article(role)]
    .flat()
    .join(', ');
  return `You are let in${as === '' ? '' : name === undefined ? ` as ${as}` : ` ${as}`}. Say again what you said: I did not keep it. ${named(place, 'help')} tells what I can do.`;
}

/** `a member`, `an owner`. */
export function article(role: Role): string {
  return role === 'owner' ? 'an owner' : `a ${role}`;
}

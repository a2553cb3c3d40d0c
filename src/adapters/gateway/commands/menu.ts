// The commands as platforms list them next to their composers: names, descriptions and places.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { type CommandName, commandEntry, commandNames } from './table.ts';

/** Where someone looks at the list. */
export type MenuPlace = 'direct' | 'room' | 'room administrator';

export interface MenuEntry {
  name: CommandName;
  description: string;
  /** What may follow the name. */
  takes: string | undefined;
}

/** The commands that are listed there, in order. All of them may be typed anywhere; what each role may is decided later. */
export function menuFor(place: MenuPlace, { menu }: Pick<Phrases, 'menu'>): MenuEntry[] {
  return commandNames
    .filter((name) => isListed(name, place))
    .map((name) => {
      const entry = menu[name];
      return { name, description: entry.help, takes: 'takes' in entry ? entry.takes : undefined };
    });
}

/** Whether a command is listed there. */
export function isListed(name: CommandName, place: MenuPlace): boolean {
  if (place === 'direct') return true;
  const { listed = 'everywhere' } = commandEntry(name);
  return listed === 'everywhere' || (listed === 'not to members of rooms' && place === 'room administrator');
}

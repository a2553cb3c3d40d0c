// The commands as platforms list them next to their composers: names, descriptions and places.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { type CommandName, commandEntry, commandNames } from '#adapters/gateway/terms/command-table.ts';

/** Where someone looks at the list. */
export type MenuPlace = 'direct' | 'room' | 'room administrator';

export interface MenuEntry {
  name: CommandName;
  description: string;
  /** What may follow the name. */
  takes: string | undefined;
}

/** The commands that the menu of a place lists, in order. All commands can be typed anywhere; the role is checked when one runs. */
export function menuFor(place: MenuPlace, { menu }: Pick<Phrases, 'menu'>): MenuEntry[] {
  return commandNames
    .filter((name) => isListed(name, place))
    .map((name) => {
      const entry = menu[name];
      return { name, description: entry.help, takes: 'takes' in entry ? entry.takes : undefined };
    });
}

/** Whether the menu of a place lists the command. */
export function isListed(name: CommandName, place: MenuPlace): boolean {
  if (place === 'direct') return true;
  const { listed = 'everywhere' } = commandEntry(name);
  return listed === 'everywhere' || (listed === 'not to members of rooms' && place === 'room administrator');
}

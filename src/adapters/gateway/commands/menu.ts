// The commands as platforms list them next to their composers: names, words and places, from the one table.
import { type CommandName, commandNames, entryOf } from './table.ts';

/** Where someone looks at the list. */
export type MenuPlace = 'direct' | 'room' | 'room administrator';

export interface MenuEntry {
  name: CommandName;
  description: string;
  /** What may follow the name. */
  takes: string | undefined;
}

/** The commands that are listed there, in order. All of them may be typed anywhere; what each role may is decided later. */
export function menuFor(place: MenuPlace): MenuEntry[] {
  return commandNames.filter((name) => isListed(name, place)).map(menuEntry);
}

/** A command as it is listed, wherever it is. */
export function menuEntry(name: CommandName): MenuEntry {
  const { help: description, takes } = entryOf(name);
  return { name, description, takes };
}

/** Whether a command is listed there. */
export function isListed(name: CommandName, place: MenuPlace): boolean {
  if (place === 'direct') return true;
  const { listed = 'everywhere' } = entryOf(name);
  return listed === 'everywhere' || (listed === 'not to members of rooms' && place === 'room administrator');
}

// English: every sentence that people read in a chat. Its type is what each language has to say.
import { access } from './en/access.ts';
import { commands } from './en/commands.ts';
import { menu } from './en/menu.ts';
import { schedules } from './en/schedules.ts';

export const en = { access, commands, menu, schedules };

/** The sentences of one language, by subject. */
export type Phrases = typeof en;

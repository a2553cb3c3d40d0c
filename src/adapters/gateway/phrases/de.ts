// Deutsch: jeder Satz, den Leute in einem Chat lesen.
import { access } from './de/access.ts';
import { commands } from './de/commands.ts';
import { menu } from './de/menu.ts';
import { schedules } from './de/schedules.ts';
import type { Phrases } from './en.ts';

export const de: Phrases = { access, commands, menu, schedules };

// Deutsch: jeder Satz, den Leute in einem Chat lesen.
import { about } from './de/about.ts';
import { access } from './de/access.ts';
import { activeMemory } from './de/active-memory.ts';
import { answers } from './de/answers.ts';
import { commands } from './de/commands.ts';
import { compaction } from './de/compaction.ts';
import { journal } from './de/journal.ts';
import { memory } from './de/memory.ts';
import { menu } from './de/menu.ts';
import { missions } from './de/missions.ts';
import { people } from './de/people.ts';
import { requests } from './de/requests.ts';
import { schedules } from './de/schedules.ts';
import { sessions } from './de/sessions.ts';
import { toolProgress } from './de/tool-progress.ts';
import { voice } from './de/voice.ts';
import type { Phrases } from './en.ts';

export const de: Phrases = {
  about,
  access,
  activeMemory,
  answers,
  commands,
  compaction,
  journal,
  memory,
  menu,
  missions,
  people,
  requests,
  schedules,
  sessions,
  toolProgress,
  voice,
};

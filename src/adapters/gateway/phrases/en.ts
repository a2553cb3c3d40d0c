// English: every sentence that people read in a chat. Its type is what each language has to say.
import { about } from './en/about.ts';
import { access } from './en/access.ts';
import { activeMemory } from './en/active-memory.ts';
import { answers } from './en/answers.ts';
import { commands } from './en/commands.ts';
import { compaction } from './en/compaction.ts';
import { journal } from './en/journal.ts';
import { memory } from './en/memory.ts';
import { menu } from './en/menu.ts';
import { missions } from './en/missions.ts';
import { people } from './en/people.ts';
import { requests } from './en/requests.ts';
import { schedules } from './en/schedules.ts';
import { sessions } from './en/sessions.ts';
import { toolProgress } from './en/tool-progress.ts';
import { voice } from './en/voice.ts';

export const en = {
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

/** The sentences of one language, by subject. */
export type Phrases = typeof en;

// What people of the simulated fortnight say and ask: facts that come back, noise that does not, and facts that change.
import type { Audience } from '#memory/types/scope.ts';

export interface Fact {
  audience: Audience;
  /** As a person says it. */
  said: string;
  /** Two ways to ask for it, with other words. */
  questions: readonly [string, string];
  /** What an assistant that was given it answers. */
  answer: string;
  /** Words that only this fact has. */
  mark: string;
}

const names = [
  'Aukje',
  'Bauke',
  'Ciska',
  'Douwe',
  'Eelke',
  'Froukje',
  'Gerrit',
  'Hidde',
  'Ineke',
  'Jelle',
  'Klaske',
  'Lolke',
];
const families = [
  'Visser',
  'Bakker',
  'Smit',
  'Mulder',
  'Kuiper',
  'Postma',
  'Hoekstra',
  'Dijkstra',
  'Veenstra',
  'Wiersma',
  'Zijlstra',
];
const places = [
  'Harlingen',
  'Makkum',
  'Stavoren',
  'Workum',
  'Lemmer',
  'Sneek',
  'Grou',
  'Franeker',
  'Dokkum',
  'Hindeloopen',
];
const things = [
  'boat',
  'shed',
  'cottage',
  'bicycle',
  'caravan',
  'piano',
  'telescope',
  'allotment',
  'trailer',
  'kayak',
];
const talk = [
  'wind',
  'soup',
  'train',
  'movie',
  'queue',
  'concert',
  'puzzle',
  'market',
  'sunset',
  'sandwich',
  'meeting',
  'lecture',
];
const moods = ['long', 'funny', 'loud', 'quiet', 'boring', 'lovely', 'strange', 'short', 'crowded', 'cold'];

function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('expected a list with something in it');
  return item;
}

/** A fact with a number that no other one has. */
export function factOf(audience: Audience, index: number, number: number): Fact {
  const name = `${at(names, index * 5 + number)} ${at(families, number)}`;
  const [place, thing] = [at(places, index * 3 + number), at(things, index)];
  const code = 1_000 + number * 37;
  switch (index % 4) {
    case 0:
      return {
        ...{ audience, mark: `${code}` },
        said: `The ${thing} of ${name} lies in ${place} at berth ${code}.`,
        questions: [
          `Where do I find the ${thing} of ${name}?`,
          `I want to visit ${name}'s ${thing}, where must I go?`,
        ],
        answer: `It lies in ${place}, at berth ${code}.`,
      };
    case 1:
      return {
        ...{ audience, mark: `${code}` },
        said: `My ${thing} is insured with the Noordpolis company under number ${code}.`,
        questions: [
          `Which insurance does my ${thing} have?`,
          `I had an accident with my ${thing}, is it insured?`,
        ],
        answer: `Your ${thing} is insured with Noordpolis, number ${code}.`,
      };
    case 2:
      return {
        ...{ audience, mark: `${code}` },
        said: `${name} from ${place} repairs every ${thing} in workshop ${code}.`,
        questions: [`Who can repair a ${thing}?`, `The ${thing} is broken, who repairs it near ${place}?`],
        answer: `${name} from ${place} repairs it, in workshop ${code}.`,
      };
    default:
      return {
        ...{ audience, mark: `${code}` },
        said: `The club of ${place} meets in hall ${code} and ${name} leads it, for everyone with a ${thing}.`,
        questions: [
          `Where does the ${thing} club meet?`,
          `Is there a club for people with a ${thing}, and who leads it?`,
        ],
        answer: `The club of ${place} meets in hall ${code}; ${name} leads it.`,
      };
  }
}

/** The same with another number: what held before no longer does. */
export function changed(fact: Fact, number: number): Fact {
  const code = `${number}`;
  const into = (text: string): string => text.replaceAll(fact.mark, code);
  return { ...fact, said: into(fact.said), answer: into(fact.answer), mark: code };
}

/** A message that matters for a day. */
export function noiseOf(audience: Audience, index: number): Fact {
  const [topic, mood, name] = [at(talk, index), at(moods, index * 7), at(names, index * 11)];
  const mark = `N${index}${audience.length}x${index * 13}`;
  return {
    ...{ audience, mark },
    said: `The ${topic} with ${name} was ${mood} this time, ticket ${mark}.`,
    questions: [`How was the ${topic} with ${name}?`, `Was the ${topic} ${mood}?`],
    answer: `The ${topic} with ${name} was ${mood}, ticket ${mark}.`,
  };
}

/** What nobody should ever read again in a lasting file. */
export const junk = [
  'npm install --save croner@11',
  'can you look that up for me',
  '## Shopping',
  'score=0.81 recalls=3 queries=2 source=memory/2030-01-01.md',
  'and then we went to',
  'git push origin main --force',
  '/new holiday',
] as const;

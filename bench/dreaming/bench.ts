// `npm run bench:dreaming`: a fortnight of simulated conversations, with a sweep each night. The last line is JSON; the exit code says whether the aims hold.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, momentOf } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { usualDreaming } from '#memory/types/usual-dreaming.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { atLeast, atMost, conclude } from '../harness/conclude.ts';
import { createRandom } from '../harness/random.ts';
import { changed, type Fact, factOf, junk, noiseOf } from './facts.ts';

const { values } = argumentsOf({
  name: 'bench:dreaming',
  about:
    'Simulates a fortnight of conversations with a sweep each night. The last line is JSON; the exit code says whether the aims hold.',
  options: { seeds: { standard: 3, least: 1, most: 1_000, about: 'fortnights, each with another seed' } },
});
const dayMs = 24 * 60 * 60 * 1000;
const days = 14;
const audiences: readonly Audience[] = [
  'person:per_1',
  'person:per_2',
  'room:telegram:group:1:-',
  'room:slack:T1:C1',
];
/** Of each audience. */
const counts = { planted: 10, changing: 4, noise: 60 };
/** How often a program looks for what is due, in a day. */
const looks = 8;
const aims = { planted: 0.9, noise: 0.02 };

interface Figures {
  planted: number;
  promoted: number;
  noise: number;
  noisePromoted: number;
  outdated: number;
  outdatedPromoted: number;
  across: number;
  sweeps: number;
  nights: number;
  largest: number;
  recalls: number;
  missed: string[];
}

/** The messages and the questions of each day. */
interface Plan {
  say: { day: number; text: string; audience: Audience }[];
  ask: { day: number; fact: Fact; question: string }[];
  planted: Fact[];
  outdated: Fact[];
  noise: Fact[];
}

function planOf(seed: number): Plan {
  const random = createRandom(seed);
  const below = (most: number): number => random.int(0, most - 1);
  const plan: Plan = { say: [], ask: [], planted: [], outdated: [], noise: [] };
  let number = seed * 1_000;
  for (const audience of audiences) {
    for (let index = 0; index < counts.planted; index += 1) {
      number += 1;
      const fact = factOf(audience, index, number);
      plan.planted.push(fact);
      plan.say.push({ day: below(3), text: fact.said, audience });
      const from = 3 + below(3);
      for (const [turn, day] of [from, from + 2, from + 4, from + 6 + below(2)].entries())
        plan.ask.push({ day, fact, question: fact.questions[turn % 2] ?? '' });
    }
    for (let index = 0; index < counts.changing; index += 1) {
      number += 1;
      const before = factOf(audience, index * 4 + 40, number);
      const after = changed(before, 90_000 + number);
      plan.outdated.push(before);
      plan.planted.push(after);
      plan.say.push({ day: 0, text: before.said, audience }, { day: 5, text: after.said, audience });
      for (const [turn, day] of [1, 3].entries())
        plan.ask.push({ day, fact: before, question: before.questions[turn % 2] ?? '' });
      for (const [turn, day] of [6, 8, 10].entries())
        plan.ask.push({ day, fact: after, question: after.questions[turn % 2] ?? '' });
    }
    for (let index = 0; index < counts.noise; index += 1) {
      const fact = noiseOf(audience, index);
      const day = below(days - 2);
      plan.noise.push(fact);
      plan.say.push({ day, text: fact.said, audience });
      // people ask for a third of it once, and for some of it twice by the same question
      const times = index % 3 === 0 ? 1 : index % 7 === 0 ? 2 : 0;
      for (let turn = 0; turn < times; turn += 1)
        plan.ask.push({ day: day + 1 + turn, fact, question: fact.questions[0] });
    }
    for (const [index, text] of junk.entries()) plan.say.push({ day: index % 4, text, audience });
  }
  return plan;
}

async function play(seed: number): Promise<Figures> {
  const plan = planOf(seed);
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-dreaming-'));
  const first = Date.UTC(2030, 0, 1);
  let now = first;
  const clock: Clock = { now: () => now, monotonic: () => momentOf(now), sleep: async () => {} };
  const memory = createMemory({
    ...{ path: join(home, 'memory.sqlite'), clock, newId: createIds(clock) },
    ...{ files: { root: join(home, 'memory') }, dreaming: { isOn: true } },
  });
  let [runs, sweeps, nights, recalls] = [0, 0, 0, 0];
  const perNight = new Map<string, number>();
  const exchanged = (
    audience: Audience,
    said: { text: string; answer: string; recalled: readonly string[]; day: number },
  ) => {
    runs += 1;
    const runID = `run_${runs}`;
    const where = { audience, restricted: audience.startsWith('person:') };
    const speaker = { person: audience, name: 'Ann' };
    return memory
      .archive({
        ...{
          key: runID,
          userText: said.text,
          assistantText: said.answer,
          recalled: said.recalled,
          at: now,
          speaker,
          where,
        },
        ...{ platform: 'telegram', chat: 'chat', sessionID: `ses_${said.day}`, runID, messageIDs: [] },
      })
      .then(() => runID);
  };
  try {
    for (let day = 0; day < days; day += 1) {
      for (let look = 0; look < looks; look += 1) {
        now = first + day * dayMs + (look * dayMs) / looks + 60_000;
        for (const { audience, slot } of (await memory.dueSweeps()).due) {
          const { status } = await memory.sweep({ audience, slot });
          if (status !== 'done') continue;
          sweeps += 1;
          const key = `${audience} ${day}`;
          perNight.set(key, (perNight.get(key) ?? 0) + 1);
        }
      }
      now = first + day * dayMs + 22 * 3_600_000;
      for (const { text, audience } of plan.say.filter((each) => each.day === day))
        await exchanged(audience, { text, answer: 'Noted.', recalled: [], day });
      for (const { fact, question } of plan.ask.filter((each) => each.day === day)) {
        now += 1_000;
        const scope: Scope = { audiences: [fact.audience], spaces: [], everyone: false };
        const files = await memory.filePrompt({ audience: fact.audience, scope });
        const { hits } = await memory.recall({ text: question, scope, inPrompt: files.shown });
        const isGiven = hits.some(({ text }) => text.includes(fact.mark));
        const answer = isGiven || files.block.includes(fact.mark) ? fact.answer : 'I do not know that.';
        const recalled = hits.map(({ text }) => text);
        const runID = await exchanged(fact.audience, {
          text: question,
          answer,
          recalled: [...files.texts, ...recalled],
          day,
        });
        recalls += await memory.recordUse({
          ...{
            runID,
            sessionID: `ses_${day}`,
            person: fact.audience,
            audience: fact.audience,
            at: now,
            question,
            answer,
          },
          passages: hits.map(({ id, score }) => ({ id, score })),
          ...{ injected: files.texts, inView: [] },
        });
      }
    }
    nights = perNight.size;
    const texts = new Map(
      audiences.map((audience) => {
        const path = join(home, 'memory', folderNameOf(audience), 'MEMORY.md');
        return [audience, existsSync(path) ? readFileSync(path, 'utf8') : ''] as const;
      }),
    );
    const own = (fact: Fact): boolean => (texts.get(fact.audience) ?? '').includes(fact.mark);
    const isElsewhere = (fact: Fact): boolean =>
      audiences.some(
        (audience) => audience !== fact.audience && (texts.get(audience) ?? '').includes(fact.mark),
      );
    const candidates = (await memory.promoteRecalled({ mode: 'dry run' })).flatMap(
      (report) => report.candidates,
    );
    const why = ({ said, mark }: Fact): string => {
      const verdict = candidates.find(({ text }) => text?.includes(mark) === true)?.verdict;
      return `${said} ${verdict === undefined ? 'never recalled' : 'words' in verdict ? verdict.words : verdict.status}`;
    };
    const lines = [...texts.values()].flatMap((text) => text.split('\n'));
    const junkLines = junk.filter((text) => lines.some((line) => line.includes(text))).length;
    return {
      planted: plan.planted.length,
      promoted: plan.planted.filter(own).length,
      noise: plan.noise.length + junk.length * audiences.length,
      noisePromoted: plan.noise.filter(own).length + junkLines,
      outdated: plan.outdated.length,
      outdatedPromoted: plan.outdated.filter(own).length,
      across: [...plan.planted, ...plan.noise, ...plan.outdated].filter(isElsewhere).length,
      ...{ sweeps, nights, recalls },
      largest: Math.max(...[...texts.values()].map((text) => text.length)),
      missed: plan.planted.filter((fact) => !own(fact)).map(why),
    };
  } finally {
    await memory.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const all: Figures[] = [];
for (let seed = 1; seed <= values.seeds; seed += 1) {
  const figures = await play(seed);
  all.push(figures);
  const { planted, promoted, noise, noisePromoted, outdated, outdatedPromoted, across, sweeps, nights } =
    figures;
  console.log(
    `seed ${seed}: planted ${promoted} of ${planted}, noise ${noisePromoted} of ${noise}, outdated ${outdatedPromoted} of ${outdated}, ` +
      `across ${across}, ${sweeps} sweeps in ${nights} nights, largest MEMORY.md ${figures.largest}, ${figures.recalls} recalls`,
  );
  for (const said of figures.missed.slice(0, 10)) console.log(`  not promoted: ${said}`);
}
const sum = (of: (figures: Figures) => number): number =>
  all.reduce((total, figures) => total + of(figures), 0);
const result = {
  planted: sum(({ promoted }) => promoted) / sum(({ planted }) => planted),
  noise: sum(({ noisePromoted }) => noisePromoted) / sum(({ noise }) => noise),
  outdated: sum(({ outdatedPromoted }) => outdatedPromoted) / sum(({ outdated }) => outdated),
  across: sum(({ across }) => across),
  sweepsPerNight: sum(({ sweeps }) => sweeps) / sum(({ nights }) => nights),
  largest: Math.max(...all.map(({ largest }) => largest)),
};
conclude({ ...result, aims: { ...aims, characters: usualDreaming.characters } }, [
  ...atLeast('planted facts that are promoted', result.planted, aims.planted),
  ...atMost('noise that is promoted', result.noise, aims.noise),
  ...atMost('facts in the file of another audience', result.across, 0),
  ...atLeast('sweeps a night', result.sweepsPerNight, 1),
  ...atMost('sweeps a night', result.sweepsPerNight, 1),
  ...atMost('characters of the largest MEMORY.md', result.largest, usualDreaming.characters),
]);

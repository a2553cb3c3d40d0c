// npm run bench:text: how fast answers are parsed, laid out, rendered and split for each platform, on one core. Not sending.
// Its last line is JSON; it ends with 0 only if plain answers reach the goal on every platform, and no nasty one takes too many times as long.
import { renderDiscord } from '#adapters/text/discord.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { renderSlack } from '#adapters/text/slack.ts';
import { renderTelegram } from '#adapters/text/telegram.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { atLeast, atMost, conclude } from '../harness/conclude.ts';
import { measureNasty } from './nasty-bench.ts';
import { sampleAnswers } from './samples.ts';

argumentsOf({
  name: 'bench:text',
  about:
    'Measures how fast answers are parsed, laid out, rendered and split for each platform, on one core. The last line is JSON; it exits with 1 where a goal is missed.',
  options: {},
});

/** Characters of plain answers a second; a character takes at least one byte, so this is at least 5 MB/s. */
const goal = 5_000_000;
/** No input takes more than so many times the time of plain text of its size. */
const maxTimes = 20;
const nastySize = 100_000;
const size = 10_000;
const count = 100;
const warmUpMs = 500;
const rounds = 5;
const roundMs = 400;

const renderers = { discord: renderDiscord, telegram: renderTelegram, slack: renderSlack } as const;
const kinds = ['plain', 'rich'] as const;

/** Characters a second: the best of some rounds, since on a shared machine others only ever take time away. */
function speedOf(render: (source: string) => MessagePart[], answers: readonly string[]): number {
  run(render, answers, warmUpMs);
  return Math.max(...Array.from({ length: rounds }, () => run(render, answers, roundMs)));
}

function run(render: (source: string) => MessagePart[], answers: readonly string[], forMs: number): number {
  const started = performance.now();
  let characters = 0;
  let took = 0;
  for (let i = 0; took < forMs; i++) {
    const answer = answers[i % answers.length] ?? '';
    if (render(answer).length === 0) throw new Error('Expected parts of an answer, got none.');
    characters += answer.length;
    took = performance.now() - started;
  }
  return (characters / took) * 1000;
}

console.log(`answers of ${size} characters, ${count} of each kind, one core`);
console.log('platform   answers     characters/s   time per 10 kB');
const figures: Record<string, number> = {};
for (const kind of kinds) {
  const answers = sampleAnswers(kind, { count, size });
  for (const [platform, render] of Object.entries(renderers)) {
    const speed = speedOf(render, answers);
    figures[`${platform} ${kind}`] = Math.round(speed);
    const time = `${((size / speed) * 1000).toFixed(2)} ms`;
    console.log(
      `${platform.padEnd(11)}${kind.padEnd(8)}${Math.round(speed).toLocaleString('en').padStart(16)}${time.padStart(17)}`,
    );
  }
}
const { plain, shapes } = measureNasty({ size: nastySize, bound: maxTimes });
const columns = Object.keys(plain);
const row = (name: string, times: string, ms: Record<string, number>): string =>
  name.padEnd(46) +
  times.padStart(7) +
  columns.map((column) => (ms[column] ?? 0).toFixed(1).padStart(10)).join('');
console.log(
  `\nnasty Markdown of ${nastySize} characters: times of plain text at the worst, and milliseconds`,
);
console.log(
  `${'shape'.padEnd(46)}${'times'.padStart(7)}${columns.map((column) => column.padStart(10)).join('')}`,
);
console.log(row('plain text', '1.0', plain));
for (const { name, times, ms } of shapes) console.log(row(name, times.toFixed(1), ms));
const worst = Number((shapes[0]?.times ?? 0).toFixed(1));
conclude(
  { bench: 'text', goal, charactersPerSecond: figures, nasty: { shapes: shapes.length, maxTimes, worst } },
  [
    ...Object.keys(renderers).flatMap((platform) =>
      atLeast(`plain characters a second for ${platform}`, figures[`${platform} plain`] ?? 0, goal),
    ),
    ...shapes.flatMap(({ name, times }) =>
      atMost(`times that plain text takes, for ${name}`, times, maxTimes),
    ),
  ],
);

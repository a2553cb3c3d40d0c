// Answers to measure with: plain prose as models write it, and rich Markdown. The same seed makes the same answers. Not a test.
import { createRandom, type Random } from '../harness/random.ts';

const words =
  `the a of to and in is it that for was on are as with they at be this from have or by one had not but what all were
when we there can an your which their said if do will each about how up out them then she many some so these would other
into has more her two like him see time could no make than first been its who now people my made over did down only way
find use may water long little very after words called just where most know bicycle harbour kettle naïve café résumé
Zürich O'Brien well-known twenty-one 7 42 1999 3.5 18:30 24/7 €20 50% e.g. "maybe" (perhaps) it's don't you're`.split(
    /\s+/,
  ) as [string, ...string[]];
const ends = ['.', '.', '.', '.', '?', '!', '.', ' …', '; so it goes.', ' – and then some.'] as const;
// Prose with characters of Markdown, in places where they mean nothing to it.
const indicators = [
  'R&D',
  'snake_case_name',
  '2 * 3',
  'a < b',
  'No. #3',
  'AT&T',
  '~5 km',
  'and/or',
  '👍',
  'x = y',
] as const;

function sentence(random: Random): string {
  const list = Array.from({ length: random.int(6, 18) }, () => random.pick(words));
  if (random.chance(0.05)) list[random.int(1, list.length - 1)] = random.pick(indicators);
  const text = list.map((word) => (random.chance(0.08) ? `${word},` : word)).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1) + random.pick(ends);
}

function paragraph(random: Random): string {
  return Array.from({ length: random.int(2, 6) }, () => sentence(random)).join(' ');
}

const code = `export function total(prices: number[]): number {
  // the sum of all of them
  return prices.reduce((sum, price) => sum + price, 0);
}`;

const blocks: readonly [(random: Random) => string, ...((random: Random) => string)[]] = [
  paragraph,
  (random) => `${'#'.repeat(random.int(1, 3))} ${random.pick(words)} ${random.pick(words)}`,
  (random) => `**${random.pick(words)}**: ${sentence(random)} *${random.pick(words)}* ${sentence(random)}`,
  (random) => Array.from({ length: 5 }, () => `- ${sentence(random)} \`${random.pick(words)}\``).join('\n'),
  (random) => Array.from({ length: 4 }, (_, i) => `${i + 1}. ${sentence(random)}`).join('\n'),
  (random) => `- ${sentence(random)}\n  - ${sentence(random)}\n  - [x] ${sentence(random)}`,
  () => `\`\`\`ts\n${code}\n\`\`\``,
  (random) => `> ${sentence(random)}\n> ${sentence(random)}`,
  (random) =>
    `| name | value |\n| --- | ---: |\n${Array.from({ length: 5 }, () => `| ${random.pick(words)} | ${random.int(1, 999)} |`).join('\n')}`,
  (random) =>
    `${sentence(random)} See [the page](https://example.org/${random.int(1, 99)}) or https://example.com/a_b.`,
];

/** `count` answers of about `size` characters, each a series of paragraphs; rich ones hold every kind of Markdown block. */
export function sampleAnswers(
  kind: 'plain' | 'rich',
  { count, size }: { count: number; size: number },
): string[] {
  const random = createRandom(kind === 'plain' ? 1 : 2);
  return Array.from({ length: count }, () => {
    const parts: string[] = [];
    for (let length = 0; length < size; length += (parts.at(-1)?.length ?? 0) + 2)
      parts.push((kind === 'plain' ? paragraph : random.pick(blocks))(random));
    return parts.join('\n\n');
  });
}

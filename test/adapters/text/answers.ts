// Generated answers for the property tests: nested Markdown full of what breaks renderers. Not a test.
import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character.ts';

/** A number from the environment, refused with a message unless it has the form: a wrong one would let every property pass unseen. */
function fromEnvironment(name: string, form: RegExp): number | undefined {
  const text = process.env[name];
  if (text === undefined) return undefined;
  if (!form.test(text)) throw new Error(`Expected a number of the form ${form} in ${name}, got "${text}".`);
  return Number(text);
}

const numRuns = fromEnvironment('PARLEY_PROPERTY_RUNS', /^[1-9]\d{0,8}$/) ?? 200;
const seed = fromEnvironment('PARLEY_PROPERTY_SEED', /^-?\d{1,10}$/);

/**
 * What every property is asserted with: PARLEY_PROPERTY_RUNS answers (200 unless set otherwise; 10,000 for the long run) of the seed
 * PARLEY_PROPERTY_SEED, or of a new one each time, which a failure prints.
 */
export const assertion: { numRuns: number; seed?: number } = {
  numRuns,
  ...(seed === undefined ? {} : { seed }),
};

const words = [
  'word',
  'snake_case_name',
  '__init__',
  '2 * 3',
  'a*b*c',
  '~5',
  '~~',
  '||',
  '[x]',
  '](',
  '[^1]',
  '`',
  '``',
  '\\',
  '\\*',
  '&lt;',
  '&#x202e;',
  '&#0;',
  '&nbsp;',
  '<b>',
  '</b>',
  '<br>',
  '<kbd>',
  '<!-- x -->',
  '<!channel>',
  '<!here|here>',
  '<@U012AB>',
  '<@&123>',
  '@everyone',
  '@here',
  '#',
  '-',
  '+',
  '1.',
  '=',
  '>',
  '|',
  ':-',
  '$a_1$',
  'https://example.org/a_b_c?d=*e*&amp;f=1',
  'http://localhost:3000/x',
  'www.example.com',
  'a_b@example.org',
  'xhttp://y_z_',
  '日本語',
  '「重要」です',
  'שלום',
  'مرحبا',
  '👩‍👩‍👧‍👦',
  '🇩🇪🇫🇷',
  '👍🏽',
  'e\u0301\u0301',
  'a\u030a',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u0007',
  '\ud800',
  '\u00a0',
  '。',
  'End.',
];

const word = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...words) },
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }) },
);

const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.array(word, { minLength: 1, maxLength: 8 }).map((list) => list.join(' ')),
    word,
    tie('inline').map((text) => `**${text}**`),
    tie('inline').map((text) => `*${text}*`),
    tie('inline').map((text) => `_${text}_`),
    tie('inline').map((text) => `~~${text}~~`),
    tie('inline').map((text) => `\`${text}\``),
    tie('inline').map((text) => `[${text}](https://example.org/p_q(r))`),
    tie('inline').map((text) => `![${text}](data:image/png;base64,AAAA)`),
    fc
      .tuple(tie('inline'), fc.constantFrom('', ' ', '\n', '\\\n'), tie('inline'))
      .map((list) => list.join('')),
  ),
}));

const indent = (text: string, by: string): string => text.split('\n').join(`\n${by}`);

const { blocks } = fc.letrec<{ block: string; blocks: string }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 5 }).map((list) => list.join('\n\n')),
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    inline,
    fc.tuple(fc.integer({ min: 1, max: 6 }), inline).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
    fc
      .tuple(
        fc.constantFrom('```', '~~~', '````'),
        fc.constantFrom('', 'js', 'c++', 'a b', 'x'.repeat(500)),
        inline,
      )
      .map(([fence, info, text]) => `${fence}${info}\n${text}\n${fence}`),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map((items) => items.map((item) => `- ${indent(item, '  ')}`).join('\n')),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map((items) => items.map((item, i) => `${i + 1}. ${indent(item, '   ')}`).join('\n')),
    inline.map((text) => `- [x] ${text}\n- [ ] open`),
    tie('blocks').map((text) => `> ${indent(text, '> ')}`),
    fc.array(inline, { minLength: 2, maxLength: 6 }).map((cells) => {
      const row = (list: string[]): string =>
        `| ${list.map((cell) => cell.replace(/[|\n]/g, ' ')).join(' | ')} |`;
      const half = cells.length >> 1;
      return [
        row(cells.slice(0, half)),
        row(Array.from({ length: half }, () => '--')),
        row(cells.slice(half, 2 * half)),
      ].join('\n');
    }),
    fc.constantFrom('---', '<div>\nhi\n</div>', '[^1]: A note', '[ref]: https://example.org', '    code'),
  ),
}));

const hugeWord = fc
  .tuple(fc.integer({ min: 100, max: 2000 }), fc.constantFrom('x', '**', '漢', 'x👍🏽', 'e\u0301\u0302'))
  .map(([size, of]) => of.repeat(size));

/** Answers as a model might write them on its worst day. */
export const answers: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(blocks, hugeWord, blocks).map(([a, b, c]) => `${a} ${b} ${c}`) },
  { weight: 8, arbitrary: blocks },
  {
    weight: 1,
    arbitrary: fc.array(blocks, { minLength: 3, maxLength: 12 }).map((list) => list.join('\n\n')),
  },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 300 }) },
);

// Paragraphs that never see the parser come out as if they had.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { cleanText } from '#adapters/text/parse/clean.ts';
import { parseAround } from '#adapters/text/parse/maths.ts';
import { parseMarkdown } from '#adapters/text/parse/parse.ts';
import { parseCost } from '#adapters/text/parse/parse-cost.ts';
import { piecesOf } from '#adapters/text/parse/pieces.ts';
import { proseOf } from '#adapters/text/parse/prose.ts';
import { nastyShapes } from '../../../bench/text/nasty.ts';
import { answers, assertion } from './answers.ts';

/** The tree without positions, blank edges of lines, and the difference between a break and a newline. */
function meaning(node: Nodes): unknown {
  const { position, data, ...own } = node;
  if (!('children' in own)) return own;
  const children: unknown[] = [];
  let words = '';
  const close = (): void => {
    const value = node.type === 'paragraph' ? words.replace(/\s*\n\s*/g, '\n') : words;
    if (words !== '') children.push({ type: 'text', value });
    words = '';
  };
  for (const child of own.children) {
    if (child.type === 'text') words += child.value;
    else if (child.type === 'break') words += '\n';
    else {
      close();
      children.push(meaning(child));
    }
  }
  close();
  const [only] = children;
  // blank edges of a paragraph of words are trimmed in every rendering
  if (node.type === 'paragraph' && children.length === 1 && isText(only))
    return { ...own, children: [{ type: 'text', value: only.value.trim() }] };
  return { ...own, children };
}

function isText(node: unknown): node is { type: 'text'; value: string } {
  return (
    typeof node === 'object' && node !== null && 'value' in node && 'type' in node && node.type === 'text'
  );
}

const shown = (root: Root): unknown => meaning(root);
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('word', 'two.', 'R&D', 'a_b', '1.5', 'naïve', '日本', '…') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        '3.',
        '4)',
        '-',
        '+',
        '*',
        '_',
        '#',
        '##',
        '=',
        '|',
        '~',
        '>',
        '<',
        '&',
        ':',
        '_a',
        'b_',
        '!',
        ':-',
      ],
      ...[
        'a&b;',
        '&lt;',
        '<b',
        '< b',
        '~~',
        '~5',
        ']',
        ')',
        '--',
        '===',
        '\u00a0',
        'x@y.org',
        'www.',
        'http:',
      ],
      ...['://', '99999999999.', '#3', '+1', '*a', 'a*', '\\', '`', '[', '\u200b', '2 * 3', 'a_b_'],
    ),
  },
);
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '', '', ' ', '   ', '    ', '\t'),
    fc.array(word, { minLength: 1, maxLength: 4 }),
  )
  .map(([indent, words]) => indent + words.join(' '));
const block = fc.constantFrom(
  ...[
    '```',
    '- item',
    '> quote',
    '<div>',
    '<!--',
    '-->',
    '1. one',
    '[^1]: note',
    '    code',
    '',
    ' ',
    '| a |\n| - |',
  ],
);
/** Lines of words and characters of markup, now and then between blocks of another kind or inside them. */
const bareText = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 4, arbitrary: line }, { weight: 1, arbitrary: block }),
      fc.constantFrom('\n\n', '\n\n', '\n', '\n\n\n', '\n \n', '  \n'),
    ),
    { maxLength: 8 },
  )
  .map((lines) => lines.flat().join(''));

/** Of texts that cost less, all is given to the parser: half of what it may take for an answer, since pieces cost more than the whole. */
const maxWholeCost = 14_000;

/** Holds the tree of the pieces against the one of the whole, unless the whole is beyond what the parser is given. */
function sameAsWhole(source: string): void {
  const text = cleanText(source);
  if (parseCost(text, maxWholeCost) > maxWholeCost) return;
  const whole = parseAround(text, (hidden) =>
    fromMarkdown(hidden, {
      extensions: [gfm({ singleTilde: false })],
      mdastExtensions: [gfmFromMarkdown()],
    }),
  );
  assert.deepEqual(shown(parseMarkdown(source).root), shown(whole), source);
}

test('prose that is set aside gives the tree that the parser alone gives', () => {
  let aside = 0;
  const same = (source: string): void => {
    aside += piecesOf(cleanText(source)).filter(({ text }) => proseOf(text) !== undefined).length;
    sameAsWhole(source);
  };
  const examples = [
    // what looks like a formula names the language of code that nothing ends
    '~~~~$a_1$ ~~~~',
    // to Markdown a no-break space is a letter
    '~~~~ \u00a0 word',
    '```\ncode\n\u00a0```\nmore\n```',
    // only an item with number 1 ends a paragraph
    'word\n2. ```\n   ```\n3. word\n\n# word',
    '- word\n2. ```\n   ```\n3. word\n\n# word',
    '1. word\n2) ```\n   ```\n3. word\n\n# word',
    'word\n5. word\n2. ```\n   ```\n\n# word',
    '1. ```\n   word\n   ```\n2. ```\n   word\n   ```\n\n# word',
    // four spaces before it are too many for the end of a fence, and an item inside one is code
    'word\n  ```\n- a\n     ```\n\n# word',
    'word\n  ```\n- ```\n\n# word',
  ].map((text): [string] => [text.replace(/^(\S* ?)word/, `$1${'*a* [b](c) '.repeat(60)}word`)]); // what costs little is parsed together
  fc.assert(fc.property(bareText, same), { ...assertion, examples });
  fc.assert(fc.property(answers, same), assertion);
  assert.ok(aside > assertion.numRuns / 4, `only ${aside} paragraphs were set aside`);
});

test('nasty Markdown that the parser may take is parsed piece by piece as it is as a whole', () => {
  for (const { make } of nastyShapes()) for (const size of [40, 200]) sameAsWhole(make(size));
});

test('characters of markup that mean nothing in prose do not send it to the parser', () => {
  const plain = 'At R&D, snake_case_name is < 5 (~5 km), 2 * 3 = 6; see #3 | and/or [no.\nThe next line.';
  assert.equal(proseOf(plain.replace('[', ''))?.length, 1);
  assert.equal(proseOf(plain), undefined);
});

test('what looks like prose inside a fence, an item or HTML stays there', () => {
  for (const source of [
    '```\na\n\nword\n\nb\n```',
    '<!-- a\n\nword\n\n-->',
    '- a\n\n  word\n\nend',
    '<pre>\n\nword',
  ])
    sameAsWhole(source);
});

test('of more than 16 invisible characters in a row sixteen stay, whichever they are', () => {
  for (const code of [
    0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180b, 0x200b, 0x2060, 0x2800, 0x3164, 0xfe0f, 0xffa0, 0xfff0,
    0x1d173, 0xe0020, 0xe0fff,
  ]) {
    const one = String.fromCodePoint(code);
    assert.equal(cleanText(`a${one.repeat(40)}b`), `a${one.repeat(16)}b`, code.toString(16));
  }
});

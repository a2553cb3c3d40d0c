// What a chat client draws for Markdown, and that it draws something for every text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ShownBlock } from '#sandbox/contract.ts';
import { plainOf, rememberBlocks, shownBlocks, withMentions } from '#sandbox/shown.ts';
import { anyCharacter } from '../support/any-character.ts';

const plain = (text: string): ShownBlock[] => [{ kind: 'paragraph', runs: [{ text, styles: [] }] }];
const drawn = (markdown: string): unknown[] =>
  shownBlocks(markdown).map((block) =>
    block.kind === 'code'
      ? [block.kind, block.language, block.text]
      : [
          block.kind,
          ...block.runs.map(({ text, styles, url }) => [
            text,
            ...styles,
            ...(url === undefined ? [] : [url]),
          ]),
        ],
  );

test('inline styles nest, and links keep their address', () => {
  assert.deepEqual(drawn('a **b *c*** ~~d~~ `e` [f **g**](https://example.com/)'), [
    [
      'paragraph',
      ['a '],
      ['b ', 'bold'],
      ['c', 'bold', 'italic'],
      [' '],
      ['d', 'strike'],
      [' '],
      ['e', 'code'],
      [' '],
      ['f ', 'https://example.com/'],
      ['g', 'bold', 'https://example.com/'],
    ],
  ]);
  assert.deepEqual(drawn('see https://example.com/x, and ![a cat](https://example.com/cat.png)'), [
    [
      'paragraph',
      ['see '],
      ['https://example.com/x', 'https://example.com/x'],
      [', and '],
      ['a cat', 'https://example.com/cat.png'],
    ],
  ]);
});

test('blocks: headings, quotes, code with its language, lists with their depth and marks', () => {
  assert.deepEqual(drawn('# One\n### Three\n> quoted\n> # loud\n```ts\nlet x\n```'), [
    ['heading', ['One']],
    ['heading', ['Three']],
    ['quote', ['quoted']],
    ['quote', ['loud']],
    ['code', 'ts', 'let x'],
  ]);
  assert.deepEqual(
    shownBlocks('3. a\n4. b\n   - c\n     - [x] d\n     - [ ] e\n\n   still b').flatMap((block) =>
      block.kind === 'item' ? [[block.depth, block.marker, block.runs[0]?.text]] : [],
    ),
    [
      [0, '3.', 'a'],
      [0, '4.', 'b'],
      [1, '•', 'c'],
      [2, '☑', 'd'],
      [2, '☐', 'e'],
      [0, '', 'still b'],
    ],
  );
});

test('a table is aligned text, measured in what a person sees', () => {
  assert.deepEqual(drawn('| a | n |\n|---|--:|\n| 👩‍👩‍👧 | 1 |\n| long | 22 |'), [
    ['code', '', ['a    │  n', '─────┼───', '👩‍👩‍👧    │  1', 'long │ 22'].join('\n')],
  ]);
});

test('as in chat clients, one newline is a line break, and HTML, footnotes and definitions are text', () => {
  assert.equal(plainOf(shownBlocks('one\ntwo')), 'one\ntwo');
  for (const text of ['<b>bold</b>', '<script>alert(1)</script>', '[^1]', '[x]: here', 'a\n---'])
    assert.deepEqual(shownBlocks(text), plain(text), text);
});

test('a text that nests more than anyone means is shown as it was typed', () => {
  for (const deep of ['> '.repeat(5000), '- '.repeat(5000), '1. '.repeat(5000)])
    assert.deepEqual(shownBlocks(`${deep}x`), plain(`${deep}x`));
  assert.equal(shownBlocks(`${'> '.repeat(32)}x`)[0]?.kind, 'quote');
});

test('plain text of blocks: one after the other, lists indented with their marks, code verbatim', () => {
  assert.equal(
    plainOf(shownBlocks('# H\n\n**b** and\n\n- x\n  - y\n\n```\n  z\n```')),
    'H\nb and\n• x\n  • y\n  z',
  );
});

test('mentions are marked outside of code, under their names; what names nobody stays', () => {
  const blocks = withMentions(shownBlocks('**hi <1>**, <2> and `<1>`\n\n```\n<1>\n```'), /<\d>/g, (found) =>
    found === '<1>' ? '@Ann' : undefined,
  );
  assert.deepEqual(blocks, [
    {
      kind: 'paragraph',
      runs: [
        { text: 'hi ', styles: ['bold'] },
        { text: '@Ann', styles: ['bold', 'mention'] },
        { text: ', <2> and ', styles: [] },
        { text: '<1>', styles: ['code'] },
      ],
    },
    { kind: 'code', language: '', text: '<1>' },
  ]);
});

test('every text is drawn without an error, and its words are not lost', () => {
  const piece = fc.constantFrom(
    '**',
    '*',
    '_',
    '`',
    '```',
    '> ',
    '- ',
    '1. ',
    '| ',
    '[',
    '](',
    ')',
    '<',
    '>',
    '\n',
    '\n\n',
    '# ',
    '~~',
    '\\',
    'word',
    'لغة',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const shown = plainOf(shownBlocks(text));
      // Words in link targets and code languages are not drawn; nothing else may be lost.
      const hidden = /\]\(|```|~~~/.test(text);
      const count = (where: string): number => where.split('word').length;
      if (!hidden) assert.equal(count(shown), count(text), text);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
      plainOf(shownBlocks(text));
    }),
  );
});

test('a text that was drawn is not read again, until a thousand others were drawn', () => {
  const blocksOf = rememberBlocks();
  const first = blocksOf('**one**');
  assert.deepEqual(first, shownBlocks('**one**'));
  for (let n = 1; n < 1000; n += 1) blocksOf(`other ${n}`);
  assert.equal(blocksOf('**one**'), first);
  for (let n = 1; n <= 1000; n += 1) blocksOf(`another ${n}`);
  assert.notEqual(blocksOf('**one**'), first);
});

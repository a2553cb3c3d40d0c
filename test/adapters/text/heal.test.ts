// Markdown cut off while it is written: what a preview makes of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderDiscord } from '#adapters/text/discord.ts';
import { healUnfinished } from '#adapters/text/heal.ts';
import { discordContent } from './bodies.ts';

test('finished Markdown comes back as it is', () => {
  for (const text of [
    '',
    'a **b** `c` [d](e).',
    '- x\n- y',
    '```js\na\n```',
    '| a |\n|---|\n| b |',
    '2 * 3',
    '# T\n\n---',
    'snake_case',
  ]) {
    assert.equal(healUnfinished(text), text);
  }
});

test('open emphasis, code and links are closed or left out', () => {
  const cases: [string, string][] = [
    ['a **bold', 'a **bold**'],
    ['a **bold ', 'a **bold**'],
    ['a **', 'a '],
    ['a **b *c', 'a **b *c***'],
    ['a `code', 'a `code`'],
    ['a `', 'a '],
    ['a ~~gone', 'a ~~gone~~'],
    ['see [label](https://exa', 'see label'],
    ['see [lab', 'see lab'],
    ['see ![alt](x', 'see alt'],
    ['a <kb', 'a '],
  ];
  for (const [open, closed] of cases) assert.equal(healUnfinished(open), closed, open);
});

test('a marker that waits for its text waits', () => {
  for (const [text, healed] of [
    ['- a\n-', '- a'],
    ['a\n#', 'a'],
    ['a\n``', 'a'],
    ['a\n- [ ', 'a'],
    ['Title\n-', 'Title'],
  ] as const)
    assert.equal(healUnfinished(text), healed);
});

test('an unclosed fence is code, and half its end is not (E2)', () => {
  assert.equal(renderDiscord(healUnfinished('```js\nlet a = `x'))[0]?.text, 'let a = `x');
  assert.equal(
    discordContent(renderDiscord(healUnfinished('```js\nlet a\n``'))[0] ?? { text: '', body: null }),
    '```js\nlet a\n```',
  );
});

test('the first row of a table is already a table', () => {
  assert.equal(renderDiscord(healUnfinished('| a | b'))[0]?.text, 'a │ b\n──┼──');
  assert.equal(renderDiscord(healUnfinished('| a | b |\n|--'))[0]?.text, 'a │ b\n──┼──');
});

test('marks without end are healed as well', () => {
  for (const shape of ['*', '[', '`', '**a ', '[a](', '<a', '| ', '_'])
    assert.equal(typeof healUnfinished(shape.repeat(50_000)), 'string');
});

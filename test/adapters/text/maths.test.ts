// Formulas pass through Markdown as they were written, on every platform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderDiscord } from '#adapters/text/discord.ts';
import { renderSlack } from '#adapters/text/slack.ts';
import { renderTelegram } from '#adapters/text/telegram.ts';
import { telegramBody } from './bodies.ts';

const renderers = { discord: renderDiscord, telegram: renderTelegram, slack: renderSlack };

/** What people see: Telegram's text, and the words of the other platforms' parts. */
const seen = (name: keyof typeof renderers, source: string): string =>
  renderers[name](source)
    .map((part) => (name === 'telegram' ? telegramBody(part as never).text : part.text))
    .join('\n');

const formulas = [
  '\\[ \\frac{a}{b} = \\{1,2\\} \\]',
  '\\(x_1 * y_2 * z\\)',
  '$\\alpha_1 + \\beta_1$',
  '$a*b*c$',
  '$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$$',
  '\\[\nA = \\begin{bmatrix}\n1 & 2 \\\\\n3 & 4\n\\end{bmatrix}\n= B\n\\]',
  '\\(a_1 \\,\n+ \\{b_1\\}\\)',
  '$\\{a_1\n+ b_1\\}$',
  '\\begin{align}\na &= b \\\\\n&= \\{c_1, c_2\\}\n\\end{align}',
  '\\begin{cases} x \\% & *a* \\\\ y & _b_ \\end{cases}',
];
/** Those that begin a line may have empty lines in them. */
const displayed = [
  '\\[\na_1 = \\{1,\n\n2\\} \\\\\n\\]',
  '$$\na_1 \\\\\n\nb_1 \\,\n$$',
  '\\begin{align*}\na &= b \\\\\n\n&= \\{c\\}\n\\end{align*}',
];

for (const name of ['discord', 'telegram', 'slack'] as const)
  test(`formulas are shown unchanged on ${name}, with every backslash (R20)`, () => {
    for (const formula of formulas) {
      const shown = seen(name, `It is ${formula}, **surely**.`);
      assert.ok(shown.includes(formula), `${formula} became ${shown}`);
      assert.doesNotMatch(shown, /\*\*surely/, 'the rest is Markdown still');
    }
    for (const formula of [...displayed, ...formulas]) {
      const shown = seen(name, `It is:\n\n${formula}\n\n**surely**`);
      // Telegram's text has no empty line in a paragraph
      const lines = (text: string): string => text.replace(/\n+/g, '\n');
      assert.ok(lines(shown).includes(lines(formula)), `${formula} became ${shown}`);
      assert.doesNotMatch(shown, /\*\*surely/, 'the rest is Markdown still');
    }
  });

test('prices, and formulas in code, are what they were (R20)', () => {
  assert.equal(
    seen('telegram', 'It costs $5 **or** $6, not 7$ at all.'),
    'It costs $5 or $6, not 7$ at all.',
  );
  assert.equal(seen('telegram', 'As \\[1\\] says, \\*no\\*.'), 'As [1] says, *no*.');
  assert.equal(seen('telegram', 'It costs $5 and **not** 6$.'), 'It costs $5 and not 6$.');
  assert.equal(seen('telegram', 'Write `\\(x\\)` or `$a_b$`.'), 'Write \\(x\\) or $a_b$.');
  assert.equal(seen('telegram', '```tex\n\\[ x \\]\n```\n**b**').trim(), '\\[ x \\]\nb');
});

test('marks of formulas that never close, and signs of quotations in one, stay what they are', () => {
  assert.equal(
    seen('telegram', '\\[ open\n\n**b**\n\n\\begin{a}\n\n**c**'),
    '[ open\n\nb\n\n\\begin{a}\n\nc',
  );
  assert.equal(seen('telegram', 'a $$ b\n\n**c**\n\nd $$ e').replaceAll('\n\n', '\n'), 'a $$ b\nc\nd $$ e');
  assert.match(seen('telegram', '> \\[\n> a \\\\\n> \\]'), /^\\\[\na \\\\\n\\\]$/);
});

test('many marks of formulas that never close take no more time than as many other marks', () => {
  for (const mark of ['\\[', '\\(', '$x', '$$', '`$', '\\begin{a}', '\n\\begin{a}', '\n\\[', '\n$$\n'])
    assert.ok(seen('telegram', `${mark} `.repeat(20_000)).length > 1_000, mark);
});

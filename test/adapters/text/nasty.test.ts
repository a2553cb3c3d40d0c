// Markdown that is made to be slow: it takes a bounded number of times the time of plain text, and arrives whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discordSurface, renderDiscord } from '#adapters/text/discord.ts';
import { parseMarkdown } from '#adapters/text/parse/parse.ts';
import { renderSlack, slackSurface } from '#adapters/text/slack.ts';
import { renderTelegram, telegramSurface } from '#adapters/text/telegram.ts';
import { nastyShapes } from '../../../bench/text/nasty.ts';
import { measureNasty } from '../../../bench/text/nasty-bench.ts';
import { inkOf } from './ink.ts';
import { visibleText } from './visible.ts';

/** `bench:text` holds 20; here other tests run alongside, and a case that is not bounded takes hundreds. */
const bound = 80;

test('no nasty Markdown takes more than a bounded number of times the time of plain text', () => {
  const { shapes } = measureNasty({ size: 50_000, bound, only: ['discord'] });
  assert.ok(shapes.length > 150);
  const slow = shapes
    .filter(({ times }) => times > bound)
    .map(({ name, times }) => `${name}: ${times.toFixed(0)}`);
  assert.deepEqual(slow, []);
});

const platforms = [
  { render: renderDiscord, surface: discordSurface },
  { render: renderTelegram, surface: telegramSurface },
  { render: renderSlack, surface: slackSurface },
];

test('nasty Markdown arrives whole on every platform', () => {
  for (const { name, make } of nastyShapes()) {
    const source = make(12_000);
    for (const { render, surface } of platforms) {
      const whole = inkOf(visibleText(source, surface));
      let at = 0;
      // the head of a table may stand at the top of several parts
      for (const part of render(source))
        for (const line of part.text.split('\n')) {
          const ink = inkOf(line);
          if (whole.startsWith(ink, at)) at += ink.length;
        }
      assert.equal(at, whole.length, name);
    }
  }
});

test('what is beyond the bound of the parser is shown with its markup, and what comes before it is parsed', () => {
  const lazy = `> x\n${'x\n'.repeat(20_000)}`;
  const [first, ...more] = renderDiscord(`**Bold** words.\n\n${lazy}`);
  assert.ok(first?.text.startsWith('Bold words.'));
  const shown = inkOf([first, ...more].map((part) => part?.text).join(''));
  assert.equal(shown, inkOf(`Bold words.${lazy}`));
});

test('a long block of code stays one, whatever stands around it', () => {
  const code = `\`\`\`ts\n${'const a = [1, 2]; // **x**\n'.repeat(4_000)}\`\`\``;
  for (const part of renderDiscord(`See:\n${code}\nThat is all.`).slice(1, -1)) {
    const { content } = part.body as { content: string };
    assert.match(content, /^```ts\n[^`]*\n```$/);
  }
});

test('a reference to a definition or a footnote of another piece is one', () => {
  const filler = 'Some *more* words.\n\n'.repeat(200);
  const { root } = parseMarkdown(
    `See [the page][p] and this[^1].\n\n${filler}[p]: https://example.org/a\n\n[^1]: A note.`,
  );
  const [first] = root.children;
  assert.deepEqual(first?.type === 'paragraph' && first.children.map(({ type }) => type), [
    'text',
    'linkReference',
    'text',
    'footnoteReference',
    'text',
  ]);
});

test('neither the head of a table nor a long address is repeated without end', () => {
  const head = `|${'a'.repeat(10_000)}|\n|-|\n${'|b|\n'.repeat(300)}`;
  const address = `[a]: b:${'c'.repeat(10_000)}\n\n${'[d][a]\n\n'.repeat(60)}`;
  for (const source of [head, address]) {
    const length = renderTelegram(source).reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(length < 4 * source.length, `${length} of ${source.length}`);
  }
});

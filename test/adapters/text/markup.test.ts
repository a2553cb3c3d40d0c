// Words next to links, code and marks of style: written so that Markdown reads each as what it is. Not whole answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderDiscord } from '#adapters/text/discord.ts';
import { renderSlack } from '#adapters/text/slack.ts';
import { assertion } from './answers.ts';
import { discordContent, slackMarkdown } from './bodies.ts';
import { readsAsItsText } from './reader.ts';

/** The one text that both platforms are sent. */
function written(source: string): string {
  const [discord] = renderDiscord(source);
  const [slack] = renderSlack(source);
  assert.ok(discord !== undefined && slack !== undefined);
  assert.equal(discordContent(discord), slackMarkdown(slack).markdown);
  return discordContent(discord);
}

test('an exclamation mark before a link does not make an image of it, and nothing is lost (E2, E5)', () => {
  assert.equal(written('Look\\![x](https://example.org)'), 'Look\\![x](<https://example.org>)');
  assert.equal(written('Look!**[x](https://example.org)**'), 'Look\\![**x**](<https://example.org>)');
  assert.equal(written('> ~~**!**~~[0](https://example.org)'), '> ~~**!**~~[0](<https://example.org>)');
  assert.equal(written('Look! [x](https://example.org) Go!'), 'Look! [x](<https://example.org>) Go!');
  assert.equal(written('Look\\!<https://example.org/>'), 'Look!<https://example.org/>');
});

test('a star before a link or code that begins with a space is escaped, since no space follows it (E2, E5)', () => {
  assert.equal(
    written('a \\*[ !](https://example.org)\\*b \\[*\\[c\\]*'),
    'a \\*[ !](<https://example.org>)\\*b \\[*\\[c\\]*',
  );
  assert.equal(written('a \\*` b` \\[*\\[c\\]*'), 'a \\*` b` \\[*\\[c\\]*');
});

test('style that ends in punctuation stays before a link and before code (E2, E5)', () => {
  assert.equal(written('**a!**[b](https://example.org)'), '**a!**[b](<https://example.org>)');
  assert.equal(written('**a!**`b`'), '**a!**`b`');
});

test('the name of a note is text like any other: it calls nobody and loses no sign (J1, E2)', () => {
  const source =
    'a[^<!channel>] b[^c*d*] e[^1]\n\n[^<!channel>]: One\n\n[^c*d*]: *Two*\n\n[^1]: ```\n    3\n    ```';
  const [part] = renderSlack(source);
  assert.equal(
    part && slackMarkdown(part).markdown,
    'a\\[&lt;!channel>\\] b\\[c\\*d\\*\\] e\\[1\\]\n\n\\[&lt;!channel>\\] One\n\n\\[c\\*d\\*\\] *Two*\n\n\\[1\\]\n```\n3\n```',
  );
});

test('what only looks like an address is text to its last sign (E2, E5)', () => {
  assert.equal(written('\\_ww<wbr>w.`a`'), '\\_www\\.`a`');
  assert.equal(written('_x_ 5 < 6'), '*x* 5 < 6');
  assert.equal(renderDiscord('\\<1.x@example.org>').map(discordContent).join(), '\\<1.x@example.org>');
  assert.equal(
    renderSlack('\\<1.x@example.org>')
      .map((part) => slackMarkdown(part).markdown)
      .join(),
    '&lt;1.x@example.org>',
  );
});

test('an item behind the rest of one whose number is in an earlier part is an item, and code in it is code (E2, E5)', () => {
  const source = `1. ${'word '.repeat(22)}\n2. 1. <div>\n      hi\n      </div>`;
  const parts = renderSlack(source, { units: 100 });
  assert.equal(parts.length, 2);
  assert.match(
    parts.map((part) => slackMarkdown(part).markdown)[1] ?? '',
    /^(?:word ?)+\n\n2\. 1\.\n {6}```html\n {6}<div>/,
  );
  for (const part of parts) readsAsItsText('slack', part);
});

test('code in a list of a quote inside a quote is at the left edge, since what is drawn there is no list (E2, E5)', () => {
  const [part] = renderSlack('> 1. > 1. ```\n>    >    code\n>    >    ```\n>    > word\n>\n> word');
  assert.ok(part !== undefined);
  assert.equal(slackMarkdown(part).markdown, '> │ 1. 1.\n> ```\n> code\n> ```\n> │    word\n> \n> word');
  readsAsItsText('slack', part);
});

const sign = fc.constantFrom(
  ...[
    'a',
    'b1',
    ' ',
    '!',
    '*',
    '**',
    '_',
    '~~',
    '`',
    '[',
    ']',
    '(',
    ')',
    '\\',
    '<',
    '>',
    '&',
    'amp;',
    '|',
    '「',
  ],
  ...[
    '。',
    '.',
    '-',
    '#',
    '1.',
    '=',
    ':',
    'www.',
    '://x.y',
    '@',
    'x@y.zz',
    '👍',
    '\u00a0',
    '\u0301',
    '\u200b',
  ],
);
const indicators = fc.array(sign, { minLength: 1, maxLength: 4 }).map((list) => list.join(''));
/** As Markdown in which each character is escaped, or not escaped and with whatever meaning it has. */
const words = fc.oneof(
  { weight: 3, arbitrary: indicators.map((text) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')) },
  indicators,
);
const stretch = fc.oneof(
  words,
  words.map((text) => `**${text}**`),
  words.map((text) => `*${text}*`),
  words.map((text) => `~~${text}~~`),
  words.map((text) => `[${text}](https://example.org)`),
  indicators.map((text) => `\`\`\`${text}\`\`\``),
  fc.constant('<https://example.org/>'),
  indicators.map((text) => `[^${text}]`),
);
const line = fc.array(stretch, { minLength: 1, maxLength: 6 }).map((list) => list.join(''));

test('characters of markup next to each other, in every style and in names of notes, read as the text that they stand for (E2, E5)', () => {
  fc.assert(
    fc.property(line, indicators, (text, name) => {
      const source = `${text}\n\n[^${name}]: ${text}`;
      for (const part of renderDiscord(source)) readsAsItsText('discord', part);
      for (const part of renderSlack(source)) readsAsItsText('slack', part);
    }),
    assertion,
  );
});

test('where pages are to be shown, a link stands without brackets as far as it is read to its end there', () => {
  const shown = (source: string): string =>
    renderDiscord(source, { linkPreviews: true })
      .map((part) => discordContent(part))
      .join('');
  assert.equal(shown('See https://example.org/a_b.'), 'See https://example.org/a_b.');
  assert.equal(shown('(https://example.org/a)'), '(https://example.org/a)');
  assert.equal(shown('**[x](https://example.org)**'), '[**x**](https://example.org)');
  assert.equal(shown('a<https://example.org/>b'), 'a<https://example.org/>b');
});

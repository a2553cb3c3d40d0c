// What people see on each platform, case by case: misuse first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderDiscord } from '#adapters/text/discord.ts';
import { renderSlack } from '#adapters/text/slack.ts';
import { renderTelegram } from '#adapters/text/telegram.ts';
import { discordContent, slackMarkdown, telegramBody } from './bodies.ts';
import { inkOf } from './ink.ts';
import { showsTheSame } from './visible.ts';

const renderers = { discord: renderDiscord, telegram: renderTelegram, slack: renderSlack };
const discord = (source: string): string => renderDiscord(source).map(discordContent).join('\n=\n');
const slack = (source: string): string =>
  renderSlack(source)
    .map((part) => slackMarkdown(part).markdown)
    .join('\n=\n');
const telegram = (source: string): string =>
  renderTelegram(source)
    .map((part) => telegramBody(part).text)
    .join('\n=\n');
const marks = (source: string): string[] =>
  renderTelegram(source).flatMap((part) => {
    const { text, entities } = telegramBody(part);
    return entities.map(({ type, offset, length }) => `${type} ${text.slice(offset, offset + length)}`);
  });

test('blank Markdown gives no parts', () => {
  for (const render of Object.values(renderers))
    for (const blank of ['', ' ', '\n\n\t \n', '\u00a0\n']) assert.deepEqual(render(blank), []);
});

test('an answer that shows nothing still says something', () => {
  for (const render of Object.values(renderers))
    for (const source of ['\u200b\u200b', '\u202e', '```\n```', '\u0007', '**\u200b**', '<br>', '- ', '#']) {
      const parts = render(source);
      assert.equal(parts.length, 1, JSON.stringify(source));
      assert.notEqual(inkOf(parts[0]?.text ?? ''), '');
    }
});

test('a limit that cannot hold a single character is refused with a message', () => {
  assert.throws(() => renderDiscord('word', { units: 0 }), /Expected a limit/);
});

test('a limit above the platform’s own is not believed (E4)', () => {
  for (const part of renderDiscord('word '.repeat(2000), { units: 1e6 }))
    assert.ok(discordContent(part).length <= 2000);
});

test('a word of 100,000 characters arrives completely, on every platform (E1)', () => {
  const word = 'xy👍🏽é'.repeat(14_286).slice(0, 100_000).toWellFormed();
  for (const render of Object.values(renderers)) {
    const parts = render(`Look: **${word}**`);
    assert.ok(showsTheSame(parts.map((part) => part.text).join(''), `Look: ${word}`));
  }
});

test('text that nests or repeats markup without end is still shown (E1)', () => {
  const shapes = [
    '*',
    '[',
    ']',
    '>',
    '> ',
    '`',
    '- ',
    '1. ',
    '~~a',
    '*a_ ',
    '_',
    '<a ',
    '&',
    '![',
    '[a](',
    '|',
    '(',
    '\\',
    '=',
    '#',
    'a@b.',
  ];
  for (const [name, render] of Object.entries(renderers))
    for (const shape of shapes) {
      const size = name === 'discord' ? 30_000 : 3_000;
      const source = shape.repeat(Math.floor(size / shape.length));
      const parts = render(source);
      assert.ok(parts.length > 0, `${name}: ${JSON.stringify(shape)}`);
    }
});

test('a long code block is closed and reopened with its language, whatever its info string (E2, E3)', () => {
  const code = Array.from({ length: 400 }, (_, i) => `const value${i} = ${i};`);
  for (const info of ['ts', `ts ${'x'.repeat(500)}`]) {
    const parts = renderDiscord(`Before\n\n\`\`\`${info}\n${code.join('\n')}\n\`\`\`\n\nAfter`).map(
      discordContent,
    );
    assert.ok(parts.length > 2);
    for (const part of parts) {
      assert.ok(part.length <= 2000);
      assert.equal(part.match(/^```ts$/gm)?.length, 1);
      assert.equal(part.match(/^```$/gm)?.length, 1);
    }
    assert.deepEqual(parts.join('\n').match(/const value\d+ = \d+;/g), code);
  }
  for (const part of renderSlack(`~~~${'x'.repeat(500)}\ncode\n~~~`))
    assert.doesNotMatch(slackMarkdown(part).markdown, /xxx/);
});

test('backticks inside code never end its block early (E2)', () => {
  const source = '````md\n```js\nlet a;\n```\n````';
  assert.match(slack(source), /^````md\n```js\nlet a;\n```\n````$/);
  // Discord knows no longer fence: the run inside is broken by an invisible character instead
  assert.equal(discord(source).match(/```/g)?.length, 2);
  assert.equal(renderDiscord(source)[0]?.text, '```js\nlet a;\n```');
});

test('families, flags and stacked marks stay whole at every cut (E4)', () => {
  const family = '👩‍👩‍👧‍👦';
  for (const render of Object.values(renderers))
    for (const part of render(family.repeat(3000))) assert.equal(part.text.replaceAll(family, ''), '');
});

test('Slack parts stay below the message total and keep fences whole (E5, E8)', () => {
  const parts = renderSlack(`\`\`\`\n${'& <tag> 👍 line of code\n'.repeat(3000)}\`\`\``);
  assert.ok(parts.length > 4);
  for (const part of parts) {
    const { markdown, fallback } = slackMarkdown(part);
    assert.ok(markdown.length <= 11_900 && fallback.length <= 3900);
    assert.match(markdown, /^```\n[^`]*\n```$/);
  }
});

test('Slack gets its own Markdown, with tables drawn, links clean and bold Chinese and Japanese (E7)', () => {
  assert.equal(slack('**bold** and *it*'), '**bold** and *it*');
  assert.equal(slack('**[label](https://example.org/a*b*)**'), '[**label**](<https://example.org/a*b*>)');
  assert.equal(slack('**「重要」**です'), '「**重要**」です');
  assert.equal(slack('**中文**字'), '**中文**字');
  assert.equal(slack('| a | long |\n|--:|---|\n| 1 | 日本 |'), '```\na │ long\n──┼─────\n1 │ 日本\n```');
});

test('a table too wide for columns becomes lines of header and value, and its links stay links', () => {
  const wide = `| Name | Where |\n|---|---|\n| ${'long '.repeat(20)} | [here](https://example.org/x) |\n| b | |`;
  assert.equal(
    discord(wide),
    `**Name**: ${'long '.repeat(20).trim()}\n**Where**: [here](<https://example.org/x>)\n\n**Name**: b\n**Where**: –`,
  );
});

test('a table that is split repeats its header', () => {
  const rows = Array.from({ length: 200 }, (_, i) => `| row ${i} | value |`);
  const parts = renderTelegram(`| key | value |\n|---|---|\n${rows.join('\n')}`, { units: 1000 });
  assert.ok(parts.length > 3);
  for (const part of parts) assert.match(part.text, /^key +│ value\n─+┼─+\nrow/);
});

test('what would call people is inert and still readable (J1)', () => {
  assert.equal(
    slack('<!channel> <!here|here> <@U012AB3CD> <!subteam^S1>'),
    '&lt;!channel> &lt;!here|here> &lt;@U012AB3CD> &lt;!subteam^S1>',
  );
  assert.equal(slack('`<!channel>`'), '`&lt;!channel>`');
  assert.equal(slack('`<@Uword>` `<@U word>`'), '`&lt;@Uword>` `<@U word>`');
  assert.match(
    slack('```\n<!everyone> <!DOCTYPE html> #include <stdio.h>\n```'),
    /&lt;!everyone> <!DOCTYPE html> #include <stdio.h>/,
  );
  assert.equal(slack('1 < 2 && a<b>c'), '1 < 2 && a`<b>`c');
  assert.equal(discord('@everyone <@123> <#4> <:a:5>'), '\\@everyone \\<@123> \\<#4> \\<:a:5>');
  assert.equal(slack('```<@U012AB3CD>\nx\n```'), '```\nx\n```');
  for (const part of renderSlack('Hi <!channel>'))
    assert.equal(slackMarkdown(part).fallback, 'Hi &lt;!channel&gt;');
});

test('a table with stacked marks and a note with a huge name still fit', () => {
  const tall = `e${'\u0301'.repeat(3000)}`;
  for (const render of Object.values(renderers)) {
    assert.ok(render(`| ${tall} | b |\n|---|---|\n| 1 | 2 |`).length > 0);
    assert.ok(render(`a[^${'n'.repeat(900)}]\n\n[^${'n'.repeat(900)}]: Note.`).length > 0);
  }
});

test('what only looks like a fence does not hide text from the parser’s budget', () => {
  const marks = ']'.repeat(50_000);
  for (const opening of ['``` `', '<!--\n```\n-->', '- a\n\n  ```\n  code'])
    assert.match(
      renderDiscord(`${opening}\n${marks}`)
        .map((part) => part.text)
        .join(''),
      /\]{100}/,
    );
});

test('a heading in Telegram is a bold line and shows no hashes (T7)', () => {
  assert.equal(telegram('### One **two**\ntext'), 'One two\ntext');
  assert.deepEqual(marks('### One **two**\ntext'), ['bold One two']);
});

test('Telegram entities survive a split inside styled text (T8)', () => {
  const parts = renderTelegram(`**${'bold words '.repeat(800).trim()}**`).map(telegramBody);
  assert.ok(parts.length > 2);
  for (const { text, entities } of parts)
    assert.deepEqual(entities, [{ type: 'bold', offset: 0, length: text.length }]);
});

test('a heading longer than a part is cut between characters, and not carried on (E4)', () => {
  const parts = renderTelegram(`word\n\n# word ${'x👍🏽'.repeat(900)}   !`);
  assert.equal(parts.length, 2);
  for (const part of parts) assert.ok(part.text.isWellFormed());
});

test('more than a hundred entities go into more than one message (T8)', () => {
  const parts = renderTelegram(Array.from({ length: 250 }, (_, i) => `**w${i}** x`).join(' ')).map(
    telegramBody,
  );
  assert.equal(
    parts.reduce((sum, { entities }) => sum + entities.length, 0),
    250,
  );
  for (const { entities } of parts) assert.ok(entities.length <= 100);
});

test('Telegram nests entities by its own rules', () => {
  assert.deepEqual(marks('**a `b` c**'), ['bold a', 'code b', 'bold c']);
  assert.deepEqual(marks('[`x`](https://example.org)'), ['text_link x']);
  assert.deepEqual(marks('> a\n>\n> > b'), ['blockquote a\n\n│ b']);
  assert.deepEqual(
    marks(`> ${'long '.repeat(200)}`).map((mark) => mark.split(' ')[0]),
    ['expandable_blockquote'],
  );
  assert.deepEqual(marks('[x](http://localhost:1/) [y](javascript:alert)'), []);
  assert.equal(telegram('[x](http://localhost:1/)'), 'x (http://localhost:1/)');
});

test('lists, tasks, quotes, rules, notes and HTML read as people expect', () => {
  const source =
    '- a\n  1. b\n- [x] done\n- [ ] open\n\n---\n\n> q[^n]\n\nH<sub>2</sub>O<br>x <kbd>Ctrl</kbd>\n\n[^n]: Note.';
  assert.equal(
    telegram(source),
    '• a\n  1. b\n• ☑ done\n• ☐ open\n\n──────────\n\nq[n]\n\nH2O\nx Ctrl\n\n[n] Note.',
  );
  assert.equal(
    discord(source),
    '- a\n  1. b\n- ☑ done\n- ☐ open\n\n──────────\n\n> q\\[n\\]\n\nH2O\nx `Ctrl`\n\n\\[n\\] Note.',
  );
  assert.equal(discord('#### Four\n# One'), '**Four**\n# One');
  assert.equal(discord('![alt](https://example.org/i.png)'), '[alt](<https://example.org/i.png>)');
  assert.equal(
    discord('1\\. x\n\n\\- y\n\n\\# z\n\n2 * 3 * 4 snake_case_x'),
    '1\\. x\n\n\\- y\n\n\\# z\n\n2 * 3 * 4 snake_case_x',
  );
});

test('code in a list that does not begin with 1 and words stays code under a bold line (E2)', () => {
  const source = '#### word\n\n1. [^1]: A note\n2. 1. <div>\n      hi\n      </div>\n   2. \n\nword';
  assert.match(slack(source), /^\*\*word\*\*\n\n1\.\n2\. 1\.\n {6}```html\n/);
  assert.match(slack('#### Steps\n1. one\n2. two'), /^\*\*Steps\*\*\n1\. one\n2\. two$/);
  assert.match(slack('- words\n\n  2. two'), /^- words\n\n {2}2\. two$/);
});

test('commands, paths and addresses reach people as written, and the words next to a message hold no backslashes (TA, TU)', () => {
  const words = 'Use /help or /etc/hosts, C:\\dir\\a_b, 2 * 3, #1 and https://example.org/a_b?c=*d*.';
  for (const [name, render] of Object.entries(renderers)) {
    const [part, ...more] = render(words);
    assert.equal(more.length, 0);
    assert.equal(part?.text, words, name);
  }
  assert.equal(telegram(words), words);
  const [part] = renderSlack(words);
  assert.equal(part && slackMarkdown(part).fallback, words);
});

test('an answer of emoji is counted in the unit that the platform counts, and its parts are full (TT, E4)', () => {
  const family = '👩‍👩‍👧‍👦';
  const answer = family.repeat(2500);
  for (const [name, most] of [
    ['discord', 2000],
    ['telegram', 4096],
    ['slack', 11_900],
  ] as const) {
    const parts = renderers[name](answer);
    const fit = Math.floor(most / family.length);
    assert.deepEqual(
      parts.map(({ text }) => text.length / family.length),
      [...Array<number>(Math.floor(2500 / fit)).fill(fit), ...(2500 % fit > 0 ? [2500 % fit] : [])],
      name,
    );
  }
});

test('a list that is split breaks between its items', () => {
  const items = Array.from({ length: 60 }, (_, i) => `${i + 1}. ${'word '.repeat(30).trim()}.`);
  for (const part of renderDiscord(items.join('\n')))
    assert.match(discordContent(part), /^\d+\. word[\s\S]*word\.$/);
});

test('a heading stays with what it announces', () => {
  const parts = renderDiscord(`${'word '.repeat(385)}\n\n## Heading\n\n${'next '.repeat(20)}`);
  assert.equal(parts.length, 2);
  assert.match(parts[1]?.text ?? '', /^Heading\nnext/);
});

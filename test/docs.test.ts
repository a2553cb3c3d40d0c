// What README and the pages in docs say about commands, config, variables, files and dependencies is what the code has.
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { commandMeant, commandNames } from '#adapters/gateway/terms/command-table.ts';
import { mcpTools } from '#adapters/mcp/tool.ts';
import { usedScopes } from '#adapters/slack/setup/check.ts';
import { usedEvents } from '#adapters/slack/setup/check-events.ts';
import { helpText } from '#app/cli/program.ts';
import { environmentHelp } from '#app/config/environment.ts';
import { configSchema } from '#app/config/schema.ts';
import { parseJson } from '#base/json.ts';
import { guide } from '#engine/providers/offline/guide.ts';
import { configurationPage, examples } from '../build/configuration-page.ts';
import { pages, shownConfigs } from './support/pages.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('README begins with a clone of the repository that package.json names; its third heading is the way to the first answer', () => {
  const text = read('README.md');
  const { repository } = JSON.parse(read('package.json')) as { repository: { url: string } };
  const url = repository.url.replace(/^git\+/, '');
  assert.deepEqual(
    text.split('\n').filter((line) => line.includes(url)),
    [`git clone ${url}`],
  );
  const orders = ['git clone', 'npm pack', 'npx parley-gateway'].map((words) => text.indexOf(words));
  assert.ok(
    orders.every((at, index) => at > (orders[index - 1] ?? 0)),
    orders.join(' '),
  );
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
  assert.equal(headings[2], 'From the clone to the first answer');
});

test('README has at most 200 lines', () => {
  assert.ok(read('README.md').split('\n').length <= 200);
});

test('the page of the configuration is what `npm run docs` makes of the schema', () => {
  assert.equal(read('docs/configuration.md'), configurationPage(), 'call `npm run docs`');
});

test('each key of the configuration has a description, and its default in the column of defaults', () => {
  const keys = rowsOf('docs/configuration.md').filter((cells) => cells.length === 4);
  assert.ok(keys.length > 200, `${keys.length} keys`);
  const wrong = keys.filter(
    ([, standard = '', description = '']) =>
      standard.trim() === '' || description.trim() === '' || /\bDefault:/.test(description),
  );
  assert.deepEqual(wrong, []);
});

test('README names every page', () => {
  const table = read('README.md');
  const unnamed = globSync('docs/*.md', { cwd: root }).filter((path) => !table.includes(`(${path})`));
  assert.deepEqual(unnamed, []);
});

test('every example of the configuration is a config', () => {
  for (const example of examples) {
    const result = configSchema.safeParse(example);
    assert.ok(result.success, JSON.stringify(result.error?.issues));
  }
});

test('every example of a config in the pages is a config', () => {
  assert.ok(shownConfigs.length > 10);
  for (const { path, value } of shownConfigs) {
    const result = configSchema.safeParse(value);
    assert.ok(result.success, `${path}: ${JSON.stringify(result.error?.issues)}`);
  }
});

test('the page of MCP names every tool, and no other', () => {
  const page = pages.find(({ path }) => path.endsWith('docs/mcp.md'));
  const table = page?.text.split('## Tools')[1]?.split('\n\n')[1] ?? '';
  const named = [...table.matchAll(/`([a-z0-9_]+)`/g)].map(([, name]) => name);
  const known = mcpTools.map(({ name }) => name);
  assert.deepEqual(
    known.filter((name) => !named.includes(name)),
    [],
  );
  const others = ['project_slug', 'entry_type', 'entry_id'];
  assert.deepEqual(
    named.filter((name = '') => !known.includes(name) && !others.includes(name)),
    [],
  );
});

test('the help of the command line fits 80 columns', () => {
  assert.deepEqual(
    helpText()
      .split('\n')
      .filter((line) => line.length > 80),
    [],
  );
});

test('every environment variable and chat command has its place in the pages', () => {
  for (const name of Object.keys(environmentHelp))
    assert.ok(read('docs/configuration.md').includes(`\`${name}\``), name);
  for (const name of commandNames) assert.ok(read('docs/commands.md').includes(`\`/${name}`), name);
});

/** In the pages with a slash, and no command of the bot's: of BotFather and of Slack, addresses, a mistyped one, and what stands for any. */
const otherWords = new Set([
  ...['newbot', 'mybots', 'setprivacy', 'invite', 'parley', 'hepl', 'command'],
  ...['agent-team', 'console', 'data', 'mcp', 'metrics', 'tokens'],
]);

test('every chat command that the pages show is one that the bot takes', () => {
  const shown = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`[/!]([a-z][a-z_-]*)(?=[ `@])/g)].map(([, word = '']) => ({ path, word })),
  );
  assert.ok(shown.length > 100, `${shown.length} commands`);
  assert.deepEqual(
    shown.filter(({ word }) => commandMeant(word) === undefined && !otherWords.has(word)),
    [],
  );
  for (const word of otherWords)
    assert.ok(
      shown.some((each) => each.word === word),
      `${word} is in no page`,
    );
});

test('the page of Slack and the guide in the chat name every scope and every event that the bot uses', () => {
  for (const text of [read('docs/slack.md'), guide])
    assert.deepEqual(
      [...usedScopes, ...usedEvents].filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
});

test('the architecture says of every dependency what it saves', () => {
  const shape = z.object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  });
  const { dependencies, devDependencies } = parseJson(read('package.json'), shape, 'package.json');
  const page = read('docs/architecture.md');
  const unnamed = [...Object.keys(dependencies), ...Object.keys(devDependencies)].filter(
    (name) => !name.startsWith('@types/') && !new RegExp(`^\\| .*\`${name}\`.* \\| .+ \\|$`, 'm').test(page),
  );
  assert.deepEqual(unnamed, []);
});

test('every path, link and npm script that the pages name exists', () => {
  const { scripts } = parseJson(
    read('package.json'),
    z.object({ scripts: z.record(z.string(), z.string()) }),
    'package.json',
  );
  for (const { path: page, text } of pages) {
    for (const [, script] of text.matchAll(/npm run ([\w:-]+)/g))
      assert.ok(script !== undefined && script in scripts, `${page}: npm run ${script}`);
    for (const [, path = ''] of text.matchAll(/`((?:src|test|bench|bin|docs|deploy)\/[\w./-]*)`/g))
      assert.ok(existsSync(join(root, path)), `${page}: ${path} does not exist`);
    for (const [, link = ''] of text.matchAll(/\]\(([^)#\s]+\.\w+)(?:#[^)]*)?\)/g))
      if (!/^https?:/.test(link))
        assert.ok(existsSync(join(root, dirname(page), link)), `${page}: ${link} does not exist`);
  }
});

test('every page has one title, whole tables and no second empty line', () => {
  for (const { path: page, text } of pages) {
    const lines = text.replaceAll(/^```[\s\S]*?^```/gm, '').split('\n');
    assert.equal(lines.filter((line) => line.startsWith('# ')).length, 1, `${page} has one title`);
    assert.doesNotMatch(text, /\n\n\n/, page);
    const tops = lines.filter((line, at) => line.startsWith('|') && lines[at - 1]?.startsWith('|') !== true);
    for (const top of tops)
      assert.match(lines[lines.indexOf(top) + 1] ?? '', /^\|[ :|-]+\|$/, `${page}: a table begins at ${top}`);
  }
});

test('every link to a heading leads to one', () => {
  const headings = (text: string): string[] =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
      words
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    );
  const links = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)#\s]*)#([^)]+)\)/g)]
      .filter(([, file = '']) => !/^https?:/.test(file))
      .map(([, file = '', heading = '']) => ({
        in: file === '' ? path : join(dirname(path), file),
        heading,
        from: path,
      })),
  );
  assert.ok(links.length > 5);
  assert.deepEqual(
    links.filter((link) => !headings(read(link.in)).includes(link.heading)),
    [],
  );
});

test('the layers in the architecture are the folders of src', () => {
  for (const layer of readdirSync(join(root, 'src')))
    assert.match(read('docs/architecture.md'), new RegExp(`^${layer} `, 'm'));
});

test('each step in the way of a message names a function that is there', () => {
  const [, section = ''] =
    /^## The way of a message$([\s\S]*?)^## /m.exec(read('docs/architecture.md')) ?? [];
  const steps = [...section.matchAll(/`(src\/[\w./-]+)`: `(\w+)`/g)];
  assert.ok(steps.length >= 10);
  for (const [, path = '', name = ''] of steps)
    assert.match(
      read(path),
      new RegExp(`^export (?:async )?function ${name}\\b`, 'm'),
      `${path} has no ${name}`,
    );
});

/** The cells of the rows of every table of a page, without heads. */
function rowsOf(path: string): string[][] {
  const rows = read(path).match(/^\| (?!---).*\|\n(?!\| ?---)/gm) ?? [];
  return rows.map((row) => row.trim().slice(1, -1).split(' | '));
}

/** Every `test/FILE`: "TITLE" of the last cell is there, and there is one at least. */
function assertShown(cells: readonly string[]): void {
  const shown = [...(cells.at(-1) ?? '').matchAll(/`(test\/[\w./-]+)`: "([^"]+)"/g)];
  assert.ok(shown.length > 0, `no test in: ${cells.join(' | ')}`);
  for (const [, path = '', title = ''] of shown) {
    const titles = read(path).match(/^ *test\(\s*(['"`]).*\1/gm) ?? [];
    assert.ok(
      titles.some((words) => words.includes(title)),
      `${path} has no test ${JSON.stringify(title)}`,
    );
  }
}

test('the table of threats has no empty cell, and each piece of what stops them names tests that are there', () => {
  const threats = rowsOf('docs/security.md');
  assert.ok(threats.length > 50);
  const shown: { of: string; pieces: string[] }[] = [];
  for (const cells of rowsOf('test/security.md')) {
    const [of = '', piece = ''] = cells.map((cell) => cell.trim());
    assertShown(cells);
    if (of !== '') shown.push({ of, pieces: [] });
    shown.at(-1)?.pieces.push(piece);
  }
  for (const [index, cells] of threats.entries()) {
    const [who, what, stops = ''] = cells.map((cell) => cell.trim());
    assert.equal(cells.filter((cell) => cell.trim() !== '').length, 3, cells.join(' | '));
    assert.equal(shown[index]?.of, `${who}: ${what}`);
    // nothing of the cell is in no piece but what joins two of them
    const rest = (shown[index]?.pieces ?? []).reduce((left, piece) => {
      assert.ok(left.includes(piece), `${piece} is not in its order in: ${stops}`);
      const [before, ...after] = left.split(piece);
      return `${before}${after.join(piece)}`;
    }, stops);
    assert.match(rest, /^(?:[,;:]|and|\s)*$/, `${stops}: no test for ${rest}`);
  }
  assert.equal(shown.length, threats.length);
});

test('every rule and every row of who may read what names tests that are there', () => {
  const page = read('docs/who-may-read.md');
  const rules = page.match(/^\d+\. .+$/gm) ?? [];
  const [shownRules, ...shownRows] = read('test/who-may-read.md').split('\n## ').slice(1);
  const first = ([name = '']: string[]): string => name.trim();
  const rowsIn = (section = ''): string[][] =>
    (section.match(/^\| (?!---).*\|\n(?!\| ---)/gm) ?? []).map((row) => row.trim().slice(1, -1).split(' | '));
  const shown = rowsIn(`${shownRules}\n`);
  assert.ok(rules.length > 10);
  assert.equal(shown.length, rules.length);
  for (const [index, rule] of rules.entries())
    assert.ok(rule.startsWith(first(shown[index] ?? [])), `${rule}: ${shown[index]?.[0]}`);
  const rows = [
    rowsOf('docs/who-may-read.md').map(([platform = '', kind = '']) => `${platform.trim()}: ${kind.trim()}`),
    ...['discord', 'slack', 'telegram'].map((each) => rowsOf(`docs/who-may-read-${each}.md`).map(first)),
  ];
  const shownBy = shownRows.map((section) => rowsIn(`${section}\n`));
  assert.deepEqual(
    shownBy.map((section) => section.map(first)),
    rows,
  );
  for (const cells of [...shown, ...shownBy.flat()]) assertShown(cells);
});

test('every case of models and of what people send names a test that is there', () => {
  const cases = rowsOf('docs/models.md').filter(([number = '']) => /^R\d/.test(number.trim()));
  const numbersIn = (text: string): string[] =>
    [...text.matchAll(/\bR(\d+)(?: to R(\d+))?/g)].flatMap(([, first, last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, more) => `R${Number(first) + more}`),
    );
  const titledIn = (text: string): string[] =>
    (text.match(/\((?:R\d+(?:, | to )?)+\)/g) ?? []).flatMap(numbersIn);
  for (const cells of cases) {
    assertShown(cells);
    assert.equal(cells.filter((cell) => cell.trim() !== '').length, 5, cells.join(' | '));
    const files = [...(cells.at(-1) ?? '').matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) =>
      read(path),
    );
    for (const number of numbersIn(cells[0] ?? ''))
      assert.ok(
        files.some((text) => titledIn(text).includes(number)),
        `no title has ${number}: ${cells.join(' | ')}`,
      );
  }
  const listed = new Set(cases.flatMap(([numbers = '']) => numbersIn(numbers)));
  const titled = globSync('test/{app,adapters,engine,base}/**/*.test.ts', { cwd: root }).flatMap((path) =>
    titledIn(read(path)),
  );
  assert.deepEqual(
    [...new Set(titled)].filter((number) => !listed.has(number)),
    [],
  );
  assert.equal(listed.size, 40);
});

/** The sources with every text in one piece, as the program says it. */
const sentences = (): string =>
  globSync('src/**/*.ts', { cwd: root })
    .map((path) => read(path))
    .join('\n')
    .replace(/(['"`])\s*\+\s*(['"`])/g, '')
    .replace(/\\(['"`])/g, '$1');

test('the tables of faults have no empty cell, each sentence in them is one of the program, and tests that are there play each fault', () => {
  const faults = rowsOf('docs/faults.md');
  assert.ok(faults.length > 40);
  const played = rowsOf('test/faults.md');
  const first = ([name = '']: string[]): string => name.trim();
  assert.deepEqual(faults.map(first), played.map(first));
  for (const cells of played) assertShown(cells);
  const source = sentences();
  const unknown = faults.flatMap((cells) => {
    assert.equal(cells.filter((cell) => cell.trim() !== '').length, 4, cells.join(' | '));
    const quoted = [
      ...cells
        .slice(1)
        .join(' | ')
        .matchAll(/"([^"]+)"/g),
    ].map(([, words = '']) => words);
    assert.ok(quoted.length > 0, `no sentence in: ${cells[0]}`);
    return quoted.filter((words) => !isSaid(words, source));
  });
  assert.deepEqual(unknown, []);
});

test('the sentences of what goes wrong on each platform are those of the program', () => {
  const source = sentences();
  for (const platform of ['discord', 'telegram', 'slack']) {
    const page = read(`docs/${platform}.md`);
    for (const heading of ['## To copy from', '### What you see', '### What goes wrong'])
      assert.ok(page.includes(`\n${heading}\n`), `${platform}: ${heading}`);
    const rows =
      page
        .split('### What goes wrong')[1]
        ?.split('\n## ')[0]
        ?.match(/^\| .+ \|$/gm) ?? [];
    assert.ok(rows.length > 5, platform);
    const quoted = rows.flatMap((row) =>
      [...row.matchAll(/"([A-Z][^"]+[.…])"/g)].map(([, words = '']) => words),
    );
    assert.ok(quoted.length >= 3, platform);
    assert.deepEqual(
      quoted.filter((words) => !isSaid(words, source)),
      [],
    );
  }
});

/** Whether the source has these words in this order in one line, where `…` is what varies; some of them are constant. */
function isSaid(words: string, source: string): boolean {
  const constant = words.split('…').filter((part) => /\p{L}{2}/u.test(part));
  if (constant.length === 0) return false;
  const parts = constant.map((part) => RegExp.escape(part.trim()));
  return new RegExp(parts.join('[^\\n]{1,200}?')).test(source);
}

test('a sentence of the tables of faults that the program does not say is noticed', () => {
  const source = `"The model \${name} does not answer: \${why}."\n"another line"`;
  assert.ok(isSaid('The model … does not answer: …', source));
  for (const words of [
    'The model … does not reply: …',
    'does not answer … The model',
    '… …',
    'answer … another line',
  ])
    assert.ok(!isSaid(words, source), words);
});

// What README says about commands, config, variables and dependencies is what the code has.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { commandNames } from '#adapters/gateway/commands/table.ts';
import { usedScopes } from '#adapters/slack/check.ts';
import { usedEvents } from '#adapters/slack/check-events.ts';
import { helpText } from '#app/commands/help.ts';
import { isLive } from '#app/config/changed-keys.ts';
import { environmentHelp } from '#app/config/environment.ts';
import { configJsonSchema } from '#app/config/schema.ts';
import { parseJson } from '#base/json.ts';
import { guide } from '#engine/providers/offline/guide.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  default?: unknown;
  description?: string;
}

/** A row for each key of the config, as the table has them. */
function rows(schema: JsonSchema, path: readonly string[] = []): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    if (key === '$schema') return [];
    const name = [...path, key];
    if (value.properties !== undefined) return rows(value, name);
    const standard = value.default === undefined ? '' : `\`${JSON.stringify(value.default)}\``;
    return [`| \`${name.join('.')}\` | ${standard} | ${value.description?.replaceAll('|', '\\|')} |`];
  });
}

/** What all platforms have is once, under `channels.PLATFORM`. */
function merged(all: readonly string[]): string[] {
  const general = (row: string) =>
    row.replace(/^(\| `channels\.)(?:discord|telegram|slack)\./, '$1PLATFORM.');
  const alike = (row: string) => all.filter((other) => general(other) === general(row)).length === 3;
  return [...new Set(all.map((row) => (alike(row) ? general(row) : row)))];
}

test('the config table has every key with its default and its description, and no other', () => {
  const expected = merged(rows(configJsonSchema()));
  assert.ok(expected.length > 15);
  const [, section = ''] = /^## Configuration$([\s\S]*?)^## /m.exec(readme) ?? [];
  assert.equal(section.match(/^\| `/gm)?.length, expected.length);
  assert.deepEqual(
    expected.filter((row) => !readme.includes(row)),
    [],
  );
});

test('README says of which keys a change holds at the next start separately', () => {
  const [, paragraph = ''] = /Only these hold at the next start: (.*?); each/s.exec(readme) ?? [];
  const named = [...paragraph.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);
  const later = (key: string): boolean => {
    const own = key.replace(/^channels\.\w+\./, '');
    return named.some((name) => own === name || own.startsWith(`${name}.`));
  };
  const keys = rows(configJsonSchema()).map((row) => /`(\S+)`/.exec(row)?.[1] ?? '');
  assert.deepEqual(
    keys.filter(later),
    keys.filter((key) => !isLive(key)),
  );
});

test('the help in README is what the program prints, and fits 80 columns', () => {
  assert.ok(readme.includes(`\`\`\`text\n${helpText()}\n\`\`\``), helpText());
  assert.deepEqual(
    helpText()
      .split('\n')
      .filter((line) => line.length > 80),
    [],
  );
});

test('every environment variable and chat command is in README', () => {
  for (const name of [...Object.keys(environmentHelp), ...commandNames.map((command) => `/${command}`)]) {
    assert.ok(readme.includes(name), `${name} is not in README`);
  }
});

test('README and the guide in the chat name every scope that the doctor looks for', () => {
  for (const text of [readme, guide])
    assert.deepEqual(
      usedScopes.filter((scope) => !text.includes(`\`${scope}\``)),
      [],
    );
});

test('README and the guide in the chat name every event of Slack that the bot makes use of', () => {
  for (const text of [readme, guide])
    assert.deepEqual(
      usedEvents.filter((event) => !text.includes(`\`${event}\``)),
      [],
    );
});

test('README says of every dependency what it saves', () => {
  const shape = z.object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  });
  const { dependencies, devDependencies } = parseJson(
    readFileSync(join(root, 'package.json'), 'utf8'),
    shape,
    'package.json',
  );
  const unnamed = [...Object.keys(dependencies), ...Object.keys(devDependencies)].filter(
    (name) =>
      !name.startsWith('@types/') && !new RegExp(`^\\| .*\`${name}\`.* \\| .+ \\|$`, 'm').test(readme),
  );
  assert.deepEqual(unnamed, []);
});

test('every path and npm script that README names exists', () => {
  const { scripts } = parseJson(
    readFileSync(join(root, 'package.json'), 'utf8'),
    z.object({ scripts: z.record(z.string(), z.string()) }),
    'package.json',
  );
  for (const [, script] of readme.matchAll(/npm run ([\w:-]+)/g))
    assert.ok(script !== undefined && script in scripts, `npm run ${script}`);
  for (const [, path] of readme.matchAll(/`((?:src|test|bench|bin|docs|deploy)\/[\w./-]*)`/g)) {
    assert.ok(path !== undefined && existsSync(join(root, path)), `${path} does not exist`);
  }
});

test('the layers in README are the folders of src', () => {
  const storeys = readdirSync(join(root, 'src'));
  for (const storey of storeys) assert.match(readme, new RegExp(`^${storey} `, 'm'));
});

test('the table of threats has no empty cell, and every test that it names is there', () => {
  const [, section = ''] = /^## Who could attack what$([\s\S]*?)^## /m.exec(readme) ?? [];
  const threats = section.match(/^\| (?!who|---).*\|$/gm) ?? [];
  assert.ok(threats.length > 25);
  for (const threat of threats) {
    const cells = threat.slice(1, -1).split(' | ');
    assert.equal(cells.filter((cell) => cell.trim() !== '').length, 4, threat);
    const shown = [...(cells.at(-1) ?? '').matchAll(/`(test\/[\w./-]+)`: "([^"]+)"/g)];
    assert.ok(shown.length > 0, `no test in: ${threat}`);
    for (const [, path = '', title = ''] of shown) {
      const titles = readFileSync(join(root, path), 'utf8').match(/^ *test\(\s*(['"`]).*\1/gm) ?? [];
      assert.ok(
        titles.some((words) => words.includes(title)),
        `${path} has no test ${JSON.stringify(title)}`,
      );
    }
  }
});

test('every link within README leads to one of its headings', () => {
  const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
  const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, link = '']) => link);
  assert.ok(links.length > 10);
  assert.deepEqual(
    links.filter((link) => !headings.includes(link)),
    [],
  );
});

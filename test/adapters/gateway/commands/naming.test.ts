// How commands are written on each platform, and that every sentence of the gateway writes them so.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import {
  anywhereNamer,
  type CommandPlace,
  commandNamer,
  usage,
  written,
} from '#adapters/gateway/terms/command-names.ts';
import { commandNames } from '#adapters/gateway/terms/command-table.ts';

const english = phrasesFor('en');
const named = (place: CommandPlace, words: string): string => commandNamer(place, english)(words);

test('a command is named as the platform takes it, with nothing that could leave its code span', () => {
  for (const platform of ['discord', 'telegram', 'terminal'])
    assert.equal(written({ platform }, 'memory recent'), '/memory recent');
  assert.equal(written({ platform: 'telegram' }, 'active-memory on'), '/active_memory on');
  assert.equal(written({ platform: 'discord' }, 'active-memory on'), '/active-memory on');
  assert.equal(written({ platform: 'telegram' }, 'zone New-York'), '/zone New-York');
  const slack = { platform: 'slack' };
  assert.equal(written(slack, 'memory recent'), '!memory recent');
  assert.equal(usage(slack, 'rename', english), '`!rename TITLE`');
  assert.equal(named(slack, 'link A`B'), "`!link A'B`");
  const top = { platform: 'slack', kind: 'channel' as const };
  assert.equal(named(top, 'stop ID'), '`!stop ID` (after mentioning me)');
  assert.equal(named({ ...top, thread: 'T1' }, 'stop ID'), '`!stop ID`');
  assert.equal(named({ ...top, kind: 'dm' }, 'stop ID'), '`!stop ID`');
  assert.equal(named({ platform: 'telegram', kind: 'group' }, 'stop ID'), '`/stop ID`');
  assert.equal(anywhereNamer(english)('link'), '`/link` (on Slack `!link`)');
  assert.equal(anywhereNamer(phrasesFor('de'))('link'), '`/link` (auf Slack `!link`)');
});

test('every sentence of the gateway writes a command as the platform does', () => {
  const folder = 'src/adapters/gateway';
  const words = new RegExp(`(?<![\\w/.}])[/!](?:${commandNames.join('|')})(?![\\w/-])`);
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n');
      const code = lines.filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line));
      return code
        .filter((line) => words.test(line.replace(/\s\/\/ .*$/, '')))
        .map((line) => `${file}: ${line.trim()}`);
    });
  assert.deepEqual(found, []);
});

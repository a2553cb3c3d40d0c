// What `parley memory import` cannot read: said, with what to do, and exit code 1.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import * as discord from '../support/exports/discord.ts';
import * as slack from '../support/exports/slack.ts';
import * as telegram from '../support/exports/telegram.ts';
import { zipOf } from '../support/zip.ts';
import { openImports, row } from './imports.ts';

test('an export of Telegram as HTML is refused with a message that says how to export', async (t) => {
  const { folderOf, load } = openImports(t);
  for (const [name, files] of [
    ['one', telegram.htmlChat],
    ['whole', telegram.htmlExport],
  ] as const) {
    const path = folderOf(name, files);
    for (const each of name === 'one' ? [path, join(path, 'messages.html')] : [path]) {
      const { code, out, err } = await load(each, 'telegram');
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /an export as HTML[\s\S]*Machine-readable JSON/, each);
    }
  }
  const empty = await load(folderOf('empty', { 'notes.txt': 'x' }), 'telegram');
  assert.deepEqual([empty.code, /holds no result\.json/.test(empty.err)], [1, true]);
});

test('an export of Telegram that was cut off is refused with a message, and nothing of it is stored', async (t) => {
  const { put, load, texts } = openImports(t);
  const whole = JSON.stringify(telegram.wholeExport);
  const { code, err } = await load(put('result.json', whole.slice(0, -300)), 'telegram');
  assert.equal(code, 1);
  assert.match(err, /cannot be read as JSON: it ends before it is complete[\s\S]*export it again/);
  assert.deepEqual(await texts(), []);
});

test('a file that is not UTF-8 is refused with its name and what to do', async (t) => {
  const { put, load, texts } = openImports(t);
  const { code, out } = await load(put('note.md', Buffer.from('Caf\xe9', 'latin1')), 'directory');
  assert.equal(code, 1);
  assert.match(
    out.replace(/\s+/g, ' '),
    /note\.md is not UTF-8 text\. Save it as UTF-8, and import it again\./,
  );
  assert.deepEqual(await texts(), []);
});

test('a data package of Discord with tables in place of JSON is refused with a message', async (t) => {
  const { folderOf, load } = openImports(t);
  const { code, err } = await load(
    folderOf('package', {
      'messages/c1/channel.json': { id: '1', type: 1, recipients: [] },
      'messages/c1/messages.csv':
        'ID,Timestamp,Contents,Attachments\n1,2020-01-03 22:27:54.000000+00:00,hi,\n',
    }),
    'discord',
  );
  assert.equal(code, 1);
  assert.match(err, /from before 2024[\s\S]*Request a new one/);
});

test('HTML, CSV and text of DiscordChatExporter are refused with a message that says how to export', async (t) => {
  const { folderOf, load } = openImports(t);
  for (const ending of ['html', 'csv', 'txt']) {
    const path = folderOf(ending, { [`Club - general [900].${ending}`]: discord.exportedHtml });
    for (const each of [path, join(path, `Club - general [900].${ending}`)]) {
      const { code, out, err } = await load(each, 'discord');
      assert.deepEqual([code, out], [1, ''], each);
      assert.match(err, /do not name the channel[\s\S]*--format Json/, each);
    }
  }
  const bare = await load(folderOf('bare', {}), 'discord');
  assert.equal(bare.code, 1);
  assert.match(bare.err, /neither JSON of DiscordChatExporter nor a data package/);
});

test('JSON of another kind is reported file by file, up to a bound', async (t) => {
  const { folderOf, load } = openImports(t);
  const files = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`${n}.json`, { list: [n] }]));
  const { code, out } = await load(folderOf('other', files), 'discord');
  assert.equal(code, 1);
  const words = out.replace(/\s+/g, ' ');
  assert.equal(
    words.split('is no file of DiscordChatExporter: it names no server and no channel.').length - 1,
    20,
  );
  assert.match(words, /and 5 more files that failed\./);
  assert.doesNotMatch(words, /Invalid input/);
});

test('an export of Slack as text, and a folder that is not an export, are refused with a message', async (t) => {
  const { folderOf, put, load } = openImports(t);
  const text = await load(put('text.zip', zipOf(slack.textExport)), 'slack');
  assert.deepEqual([text.code, /an export as text[\s\S]*as JSON/.test(text.err)], [1, true], text.err);
  const none = await load(folderOf('none', { 'a.json': {} }), 'slack');
  assert.deepEqual([none.code, /no users\.json/.test(none.err)], [1, true]);
});

test('an import that finds nothing says so and ends with 1', async (t) => {
  const { folderOf, load } = openImports(t);
  for (const format of ['directory', 'transcript']) {
    const { code, out } = await load(folderOf('empty', { 'a.png': 'x' }), format);
    assert.equal(code, 1, format);
    assert.match(out, /Nothing was found/, format);
  }
});

test('symbolic links in a folder are counted and named, for each format, and a path may begin with ~ where no shell fills it in', async (t) => {
  const { folderOf, load, texts, call } = openImports(t);
  const formats = [
    ['directory', 'a.md', 'linked.md', 'The heron is at the pond.'],
    ['openclaw', 'MEMORY.md', 'memory', 'The ibis is at the pond.'],
    ['telegram', 'result.json', 'messages.html', JSON.stringify(telegram.wholeExport)],
  ] as const;
  for (const [format, name, linked, text] of formats) {
    const folder = folderOf(format, { [name]: text, 'chats/': '', 'chats/x': '' });
    symlinkSync(join(folder, 'nothing'), join(folder, linked));
    const { code, out } = await load(`~/${relative(homedir(), folder)}`, format);
    assert.deepEqual([code, row(out, 'symbolic links, not followed')], [0, 1], `${format}: ${out}`);
    const said = out.replace(/\s+/g, '');
    assert.ok(said.includes(`${join(folder, linked)}isasymboliclink,whichisnotfollowed.`), out);
    const json = JSON.parse(
      (await call('memory', 'import', folder, '--format', format, '--audience', 'person:operator', '--json'))
        .out,
    );
    assert.deepEqual(json.links, [join(folder, linked)]);
  }
  assert.ok((await texts()).includes('The heron is at the pond.'));
});

// `parley memory import` of what people really have: each export of each platform, in the form that the platform writes.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import * as discord from '../support/exports/discord.ts';
import * as slack from '../support/exports/slack.ts';
import * as telegram from '../support/exports/telegram.ts';
import { zipOf } from '../support/zip.ts';
import { openTerminal } from './terminal.ts';

type Files = Readonly<Record<string, unknown>>;

/** A home folder, and `parley memory import` on exports beside it. */
function open(t: TestContext) {
  const { folder, call } = openTerminal(t);
  const put = (name: string, content: unknown): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(path, isRaw ? content : JSON.stringify(content, null, 1));
    return path;
  };
  const folderOf = (name: string, files: Files): string => {
    mkdirSync(join(folder, name), { recursive: true });
    for (const [file, content] of Object.entries(files))
      if (!file.endsWith('/')) put(join(name, file), content);
    return join(folder, name);
  };
  const load = async (path: string, format: string, ...more: string[]) => {
    const done = await call('memory', 'import', path, '--format', format, '--audience', 'person:me', ...more);
    const printed = `${done.out}${done.err}`;
    assert.doesNotMatch(printed, /^\s+at .*:\d+:\d+/m, 'a stack trace');
    assert.deepEqual(
      done.out.split('\n').filter((line) => line.length > 80),
      [],
      'a line of more than 80 columns',
    );
    return done;
  };
  const texts = async (audience = 'person:me'): Promise<string[]> => {
    const { out } = await call('memory', 'list', '--limit', '100', '--json', '--audience', audience);
    const { entries } = parseJson(
      out,
      z.object({ entries: z.array(z.object({ text: z.string() })) }),
      'list',
    );
    return entries.map(({ text }) => text).sort();
  };
  return { put, folderOf, load, texts, call };
}

/** The row of the table: its number. */
function row(out: string, label: string): number | undefined {
  const found = new RegExp(`^ *${label} {2,}([\\d,]+)$`, 'm').exec(out)?.[1];
  return found === undefined ? undefined : Number(found.replaceAll(',', ''));
}

const rows = (out: string) => ['read', 'stored', 'known already', 'skipped'].map((label) => row(out, label));

const ofBen = [
  'Ann Archer said: The kayak is packed.',
  'Ann Archer said: [audio file The Oars - Stroke]',
  'Ann Archer said: [contact: Ben Boat +49 30 123456]',
  'Ann Archer said: [game: Regatta]',
  'Ann Archer said: [location: 52.5, 13.4]',
  'Ann Archer said: [photo]',
  'Ann Archer said: [poll: Which day? (Saturday) (Sunday)]',
  'Ann Archer said: [sticker 👍]',
  'Ann Archer said: [venue: Boathouse, Quay 3]',
];

test('a whole export of Telegram Desktop brings every chat, also those that were left, and all kinds of messages, each counted', async (t) => {
  const { folderOf, load, texts } = open(t);
  const path = folderOf('DataExport_2026-03-05', { 'result.json': telegram.wholeExport });
  const { code, out } = await load(path, 'telegram', '--account', '7');
  assert.equal(code, 0, out);
  assert.deepEqual(rows(out), [19, 13, 0, 6]);
  assert.equal(row(out, 'joins, pins, calls and the like'), 1);
  assert.equal(row(out, 'the export says only that there was one'), 1);
  assert.equal(row(out, 'address books, sessions: no messages'), 4);
  assert.deepEqual(
    await texts(),
    [
      ...ofBen,
      'Ann Archer said: From an account that is gone.',
      'Ann Archer said: The locker code is 4711.',
    ].sort(),
  );
  assert.deepEqual(await texts('room:telegram:group:7:-1004242:-1004242:-'), [
    'Ann Archer said: Regatta on Sunday.',
  ]);
  assert.deepEqual(await texts('room:telegram:group:7:-1004343:-1004343:-'), [
    'Ann Archer said: The club was dissolved.',
  ]);
  const again = await load(path, 'telegram', '--account', '7');
  assert.equal(again.code, 0);
  assert.deepEqual(rows(again.out), [17, 0, 13, 4]);
});

test('one chat of Telegram Desktop is read from its folder, from the folder above it, from its file and from a zip of it', async (t) => {
  const { folderOf, put, load, texts } = open(t);
  const files = { 'ChatExport_2026-03-05/result.json': telegram.oneChat };
  const above = folderOf('Telegram', files);
  const zip = put('Telegram.zip', zipOf(files));
  const first = await load(above, 'telegram');
  assert.deepEqual([first.code, ...rows(first.out)], [0, 11, 9, 0, 2]);
  assert.deepEqual(await texts(), [...ofBen].sort());
  for (const path of [
    join(above, 'ChatExport_2026-03-05'),
    join(above, 'ChatExport_2026-03-05', 'result.json'),
  ])
    assert.deepEqual(rows((await load(path, 'telegram')).out), [9, 0, 9, 0], path);
  const packed = await load(zip, 'telegram');
  assert.deepEqual([packed.code, ...rows(packed.out)], [0, 11, 0, 9, 2]);
});

test('an odd message of Telegram is passed over and told, and its chat is stored', async (t) => {
  const { folderOf, load, texts } = open(t);
  const odd = [
    { id: 'x', type: 'message', date: 'soon', text: 7 },
    5,
    telegram.message(30, 'The oar is long.'),
  ];
  const path = folderOf('export', { 'result.json': { ...telegram.oneChat, messages: odd } });
  const { code, out } = await load(path, 'telegram');
  assert.equal(code, 0);
  assert.deepEqual(rows(out), [3, 1, 0, 2]);
  assert.equal(row(out, 'not in the form that was expected'), 2);
  assert.match(out.replace(/\s+/g, ' '), /chat 78, message 1: id: /);
  assert.deepEqual(await texts(), ['Ann Archer said: The oar is long.']);
});

test('an export of Telegram as HTML is refused in words that say how to export', async (t) => {
  const { folderOf, load } = open(t);
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

test('an export of Telegram that was cut off is refused in words, and nothing of it is stored', async (t) => {
  const { put, load, texts } = open(t);
  const whole = JSON.stringify(telegram.wholeExport);
  const { code, err } = await load(put('result.json', whole.slice(0, -300)), 'telegram');
  assert.equal(code, 1);
  assert.match(err, /cannot be read as JSON: it ends before it is complete[\s\S]*export it again/);
  assert.deepEqual(await texts(), []);
});

test("Discord's own data package is read from its zip and from its folder: what its owner wrote, with exact ids", async (t) => {
  const { folderOf, put, load, texts, call } = open(t);
  const zip = put('package.zip', zipOf(discord.dataPackage));
  const { code, out, err } = await load(zip, 'discord', '--account', 'B2');
  assert.equal(code, 0, err);
  assert.deepEqual(rows(out), [6, 5, 0, 1]);
  assert.equal(row(out, 'nothing was said: no text, no file'), 1);
  assert.deepEqual(await texts('room:discord:channel:B2:900000000000000900:900000000000000901:-'), [
    'Ann said: The kayak is packed.',
    'Ann said: The paddle is not.',
  ]);
  // the package does not say which channel a thread is in: it is a room of its own
  assert.deepEqual(await texts('room:discord:channel:B2:900000000000000900:502291754930929685:-'), [
    'Ann said: Only between us.',
  ]);
  assert.deepEqual(await texts(), ['Ann said: In a server that I left.', 'Ann said: [file map.png]']);
  assert.match((await call('memory', 'export')).out, /"1419422247004934226"/);
  const folder = await load(folderOf('package', discord.dataPackage), 'discord', '--account', 'B2');
  assert.deepEqual([folder.code, ...rows(folder.out)], [0, 6, 0, 5, 1]);
});

test('a data package of Discord with tables in place of JSON is refused in words', async (t) => {
  const { folderOf, load } = open(t);
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

test('JSON of DiscordChatExporter brings embeds, stickers, forwarded messages and answers to commands', async (t) => {
  const { folderOf, load, texts } = open(t);
  const path = folderOf('export', {
    'Club - general [900].json': discord.exportedChannel,
    'Club - general [900].json_Files/data.json': '{}',
  });
  const { code, out } = await load(path, 'discord');
  assert.equal(code, 0, out);
  assert.deepEqual(rows(out), [7, 6, 0, 1]);
  assert.deepEqual(await texts(), [
    'Ann said: Look\n  [file map.png]',
    'Ann said: The kayak is packed.',
    'Ann said: The weather is fine.',
    'Ann said: [embed: Harbour | Tide tables | High water at noon. | Wind: force 3 | Port authority]',
    'Ann said: [forwarded: The lock is broken.]',
    'Ann said: [sticker Wave]',
  ]);
});

test('HTML, CSV and text of DiscordChatExporter are refused in words that say how to export', async (t) => {
  const { folderOf, load } = open(t);
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

test('an export of Slack is read as Slack makes it, unpacked, and below a folder that somebody has put around it', async (t) => {
  const { folderOf, put, load, texts } = open(t);
  const zip = put('plain.zip', zipOf(slack.workspaceExport));
  const { code, out } = await load(zip, 'slack', '--account', 'B1');
  assert.equal(code, 0, out);
  assert.deepEqual(rows(out), [8, 7, 0, 1]);
  assert.deepEqual(await texts('room:slack:channel:B1:T9:C1:-'), [
    'Ann Archer said: *Which day?*',
    'Ann Archer said: Ask @Ben Boat in #general & read this (https://example.org)',
    'Ann Archer said: Here it is\n  [file plan.pdf]',
    'Grafana said: [attached: Pump is down | Pressure 0.2 bar | Where: Boathouse]',
  ]);
  assert.deepEqual(await texts('room:slack:channel:B1:T9:G1:-'), ['Ann Archer said: The prize is a canoe.']);
  assert.deepEqual(await texts('room:slack:group:B1:T9:M1:-'), ['Ann Archer said: The present is a bike.']);
  assert.deepEqual(await texts(), ['Ann Archer said: Between us.']);
  const others = [
    put('wrapped.zip', zipOf(slack.wrapped)),
    folderOf('plain', slack.workspaceExport),
    folderOf('wrapped', slack.wrapped),
  ];
  for (const path of others)
    assert.deepEqual(rows((await load(path, 'slack', '--account', 'B1')).out), [8, 0, 7, 1], path);
});

test('an export of Slack as text, and a folder that is none, are refused in words', async (t) => {
  const { folderOf, put, load } = open(t);
  const text = await load(put('text.zip', zipOf(slack.textExport)), 'slack');
  assert.deepEqual([text.code, /an export as text[\s\S]*as JSON/.test(text.err)], [1, true], text.err);
  const none = await load(folderOf('none', { 'a.json': {} }), 'slack');
  assert.deepEqual([none.code, /no users\.json/.test(none.err)], [1, true]);
});

test('an organisation of Slack has its people in a file of its own', async (t) => {
  const { folderOf, load, texts } = open(t);
  const { 'users.json': people, ...rest } = slack.workspaceExport;
  const { code } = await load(folderOf('grid', { ...rest, 'org_users.json': people }), 'slack');
  assert.equal(code, 0);
  assert.ok((await texts()).includes('Ann Archer said: Between us.'));
});

test('the same history with another account goes to the rooms of that account, and so it does with another reach', async (t) => {
  const { folderOf, load, texts } = open(t);
  const path = folderOf('export', { 'general.json': discord.exportedChannel });
  const room = (account: string): string =>
    `room:discord:channel:${account}:900000000000000900:900000000000000901:-`;
  await load(path, 'discord');
  assert.equal((await texts()).length, 6);
  for (const account of ['B1', 'B2']) {
    const { out } = await load(path, 'discord', '--account', account);
    assert.deepEqual(rows(out), [7, 6, 0, 1], account);
    assert.equal((await texts(room(account))).length, 6, account);
  }
  assert.deepEqual([await texts(), await texts(room('B1'))], [[], []], 'they are nowhere else');
  assert.deepEqual(rows((await load(path, 'discord', '--account', 'B2')).out), [6, 0, 6, 0]);
  const notes = folderOf('notes', { 'a.md': 'The heron is at the pond.' });
  assert.equal(row((await load(notes, 'directory')).out, 'stored'), 1);
  assert.match((await load(notes, 'directory', '--public')).out, /^files {4}1 stored/m);
});

test('an import that finds nothing says so and ends with 1', async (t) => {
  const { folderOf, load } = open(t);
  for (const format of ['directory', 'transcript']) {
    const { code, out } = await load(folderOf('empty', { 'a.png': 'x' }), format);
    assert.equal(code, 1, format);
    assert.match(out, /Nothing was found/, format);
  }
});

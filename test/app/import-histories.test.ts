// `parley memory import` of what people really have: each export of each platform, in the form that the platform writes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import * as discord from '../support/exports/discord.ts';
import * as slack from '../support/exports/slack.ts';
import * as telegram from '../support/exports/telegram.ts';
import { zipOf } from '../support/zip.ts';
import { openImports, row, rows } from './imports.ts';

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
  const { folderOf, load, texts } = openImports(t);
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
  const { folderOf, put, load, texts } = openImports(t);
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

test('an odd message of Telegram is skipped and reported, and its chat is kept', async (t) => {
  const { folderOf, load, texts } = openImports(t);
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

test("Discord's own data package is read from its zip and from its folder: what its owner wrote, with exact ids", async (t) => {
  const { folderOf, put, load, texts, call } = openImports(t);
  const zip = put('package.zip', zipOf(discord.dataPackage));
  const { code, out, err } = await load(zip, 'discord', '--account', 'B2');
  assert.equal(code, 0, err);
  assert.deepEqual(rows(out), [6, 5, 0, 1]);
  assert.equal(row(out, 'nothing was written: no text, no file'), 1);
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

test('JSON of DiscordChatExporter brings embeds, stickers, forwarded messages and answers to commands', async (t) => {
  const { folderOf, load, texts } = openImports(t);
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

test('an export of Slack is read as Slack makes it, unpacked, and below a folder that someone has put around it', async (t) => {
  const { folderOf, put, load, texts } = openImports(t);
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

test('an organisation of Slack has its people in a file of its own', async (t) => {
  const { folderOf, load, texts } = openImports(t);
  const { 'users.json': people, ...rest } = slack.workspaceExport;
  const { code } = await load(folderOf('grid', { ...rest, 'org_users.json': people }), 'slack');
  assert.equal(code, 0);
  assert.ok((await texts()).includes('Ann Archer said: Between us.'));
});

test('the same history with another account goes to the rooms of that account, and so it does with another reach', async (t) => {
  const { folderOf, load, texts } = openImports(t);
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

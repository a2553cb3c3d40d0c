// What rooms are called: from the platforms' own events and answers, through renames and restarts, to the engine's clients.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { Places, RoomKind } from '#sandbox/places.ts';
import { found } from '../support/found.ts';
import { type House, openHouse } from './house.ts';
import { callWith } from './terminal.ts';

interface Club {
  house: House;
  places: Places;
  space: string;
  account: string;
  room: string;
  /** Says something to the bot in a room; resolves once a title of a conversation is so. */
  says(room: string, title: string): Promise<void>;
  /** Resolves once a conversation has the title. */
  isCalled(title: string): Promise<void>;
}

const kinds: Record<SandboxPlatform, RoomKind> = { discord: 'public', slack: 'public', telegram: 'private' };

async function titlesIn({ parley }: House): Promise<string[]> {
  const token = readFileSync(parley.tokenFile ?? '', 'utf8').trim();
  const answer = await fetch(`${parley.url}/place`, { headers: { authorization: `Bearer ${token}` } });
  const chats = (await answer.json()) as { title: string }[];
  return chats.map(({ title }) => title);
}

/** A room of its own space, in which something was said to the bot. */
async function openClub(t: TestContext, platform: SandboxPlatform): Promise<Club> {
  const config = { channels: { [platform]: { rooms: { allow: 'anyone' } } } };
  const house = await openHouse(t, { config });
  await house.ready(platform);
  const { places } = house.sandbox[platform];
  const space = places.addSpace('Harbour crew');
  const account = places.addAccount('Ann');
  places.joinSpace(account, space);
  const name = platform === 'telegram' ? 'Harbour crew' : 'engine-room';
  const room = places.addRoom({ space, kind: kinds[platform], name, members: [account] });
  const isCalled = async (title: string): Promise<void> => {
    await found(title, async () => ((await titlesIn(house)).includes(title) ? true : undefined));
  };
  return {
    ...{ house, places, space, account, room, isCalled },
    async says(where, title) {
      await places.say({ account, room: where, text: 'What is the tide?', mention: true });
      await isCalled(title);
    },
  };
}

test('a channel and a thread of Discord have their names, and follow renames of all three', async (t) => {
  const { house, places, space, account, room, says, isCalled } = await openClub(t, 'discord');
  await says(room, '#engine-room · Harbour crew · Discord');
  const thread = places.addRoom({
    ...{ space, kind: 'public thread', name: 'Pump', parent: room },
    members: [account],
  });
  await says(thread, '#engine-room › Pump · Harbour crew · Discord');
  places.rename(room, 'boiler-room');
  await isCalled('#boiler-room › Pump · Harbour crew · Discord');
  places.rename(thread, 'Valve');
  await isCalled('#boiler-room › Valve · Harbour crew · Discord');
  places.renameSpace?.(space, 'Dock crew');
  await isCalled('#boiler-room › Valve · Dock crew · Discord');
  assert.deepEqual((await titlesIn(house)).sort(), [
    '#boiler-room · Dock crew · Discord',
    '#boiler-room › Valve · Dock crew · Discord',
  ]);
});

test('a group and a topic of Telegram have their names, and follow renames of both', async (t) => {
  const { places, space, account, room, says, isCalled } = await openClub(t, 'telegram');
  await says(room, 'Harbour crew · Telegram');
  places.rename(room, 'Dock crew');
  await isCalled('Dock crew · Telegram');
  const topic = places.addRoom({ space, kind: 'topic', name: 'Repairs', parent: room, members: [account] });
  await says(topic, 'Dock crew › Repairs · Telegram');
  places.rename(topic, 'Pumps');
  await isCalled('Dock crew › Pumps · Telegram');
  // what a message in a topic replies to says how the topic was first called
  await says(topic, 'Dock crew › Pumps · Telegram');
  await isCalled('Dock crew › Pumps · Telegram');
});

test('a channel of Slack has its name and its workspace, and follows renames of both', async (t) => {
  const { places, space, room, says, isCalled } = await openClub(t, 'slack');
  await says(room, '#engine-room · Sandbox · Slack');
  places.rename(room, 'boiler-room');
  await isCalled('#boiler-room · Sandbox · Slack');
  places.renameSpace?.(space, 'Dock crew');
  await isCalled('#boiler-room · Dock crew · Slack');
});

for (const platform of ['discord', 'telegram', 'slack'] as const)
  test(`a room of ${platform} that was renamed while Parley was not there has its new name after the start`, async (t) => {
    const { house, places, room, says, isCalled } = await openClub(t, platform);
    const rest = {
      discord: ' · Harbour crew · Discord',
      telegram: ' · Telegram',
      slack: ' · Sandbox · Slack',
    };
    const mark = platform === 'telegram' ? '' : '#';
    await says(room, platform === 'telegram' ? 'Harbour crew · Telegram' : `#engine-room${rest[platform]}`);
    await house.parley.close();
    places.rename(room, 'boiler-room');
    await house.restart();
    await isCalled(`${mark}boiler-room${rest[platform]}`);
  });

test('commands show rooms by name and take a name for a chat', async (t) => {
  const { house, places, space, account, room, says } = await openClub(t, 'discord');
  await says(room, '#engine-room · Harbour crew · Discord');
  const terminal = {
    call: (...words: string[]) => callWith(join(house.folder, 'parley.config.json'), words),
  };
  const list = await terminal.call('sessions', 'list', '--chat', 'discord:#engine-room');
  assert.match(list.out, /^ses_.* What is the tide\?\n {2}#engine-room · Harbour crew · Discord$/m);
  assert.match((await terminal.call('sessions', 'list', '--room', 'engine')).out, /#engine-room/);
  assert.equal(
    (await terminal.call('sessions', 'list', '--room', 'galley')).out.trim(),
    'There is no session.',
  );
  assert.equal((await terminal.call('hook', 'create', 'alarm', '--chat', '#Engine-Room')).code, 0);
  assert.match((await terminal.call('hook', 'list')).out, /alarm .* #engine-room · Harbour crew · Discord/);
  const sent = await terminal.call('hook', 'test', 'alarm');
  assert.deepEqual([sent.code, sent.out], [0, 'The test message was sent.\n'], sent.err);
  const unknown = await terminal.call('hook', 'create', 'bell', '--chat', '#engine');
  assert.match(
    unknown.err,
    /No room or thread is called "#engine"[\s\S]*#engine-room · Harbour crew · Discord/,
  );
  const mistyped = await terminal.call('hook', 'create', 'bell', '--chat', 'discord:#engine-rom');
  assert.match(mistyped.err, /No room[\s\S]*called nearly so: #engine-room · Harbour crew · Discord\./);
  const second = places.addRoom({ space, kind: 'private', name: 'engine-room', members: [account] });
  await places.say({ account, room: second, text: 'Hello?', mention: true });
  await found('both', async () =>
    (await titlesIn(house)).filter((title) => title.startsWith('#engine-room')).length === 2
      ? true
      : undefined,
  );
  const several = await terminal.call('hook', 'create', 'bell', '--chat', '#engine-room');
  assert.match(several.err, /2 chats are called "#engine-room"/);
  assert.match(several.err, new RegExp(`:${room}:-`));
});

test('people, runs, schedules, memory and metrics name the room, metrics not to viewers', async (t) => {
  const { house, account, room, says } = await openClub(t, 'discord');
  const title = '#engine-room · Harbour crew · Discord';
  await says(room, title);
  const call = (...words: string[]) => callWith(join(house.folder, 'parley.config.json'), words);
  const token = readFileSync(house.parley.tokenFile ?? '', 'utf8').trim();
  const client = createClient({ baseUrl: house.parley.url, token });
  const [chat] = await client.places.named();
  const person = await found('the account', async () => {
    const { others } = await client.people.list();
    return others.find(({ userID }) => userID === account);
  });
  assert.deepEqual(person.seenIn, [title]);
  assert.match((await call('people')).out, new RegExp(`shown as "Ann"\\n {2}seen in {2}${title}`));
  await found('the run is over', async () =>
    (await client.runs.list({ status: 'completed' })).length === 1 ? true : undefined,
  );
  for (const filter of [
    ['--room', 'engine'],
    ['--chat', '#engine-room'],
    ['--person', 'ann'],
  ])
    assert.match(
      (await call('runs', 'list', ...filter)).out,
      new RegExp(`  Ann · ${title}  What is the tide`),
    );
  assert.match((await call('runs', 'list', '--room', 'galley')).out, /There is no run/);

  const made = await client.schedules.create({
    ...{ when: 'tomorrow at 9', text: 'Check the oil', zone: 'Europe/Berlin' },
    ...{ person: person.person, chat: chat?.chat ?? '' },
  });
  const listed = await call('schedules', '--chat', 'discord:#engine-room');
  assert.match(listed.out, new RegExp(`^${made.id}  active .*\\n  ${title}\\n  Check the oil$`, 'm'));
  assert.match((await call('schedules', 'list', '--room', '#engine')).out, new RegExp(`^${made.id}`));
  assert.equal((await call('schedules', 'list', '--room', 'galley')).out, 'Nothing is scheduled there.\n');
  assert.match((await call('schedules', 'remove', made.id)).out, /It is not sent any more: /);
  assert.match((await call('schedules')).out, /Nothing is scheduled/);

  const audience = `room:${chat?.chat}`;
  assert.equal((await call('memory', 'note', 'The pump is old.', '--audience', audience)).code, 0);
  assert.match((await call('memory', 'files')).out, new RegExp(`^${title}\\nroom:discord:channel:`, 'm'));
  assert.match((await call('memory', 'status')).out, new RegExp(`^ +\\d+  ${title}\\n +${audience}$`, 'm'));

  const get = (headers: Record<string, string>) => fetch(`${house.parley.url}/metrics`, { headers });
  const metrics = await (await get({ authorization: `Bearer ${token}` })).text();
  assert.match(metrics, new RegExp(`^parley_room_runs_today\\{room="${title}"\\} 1$`, 'm'));
  const signedIn = await fetch(`${house.parley.url}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: house.parley.url },
    body: JSON.stringify({ key: (await client.signIns.link({ role: 'viewer', name: 'Ben' })).key }),
  });
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  assert.equal((await get({ cookie })).status, 403);
});

test('in private a schedule of a room has the name of the room for a person who may read it, and so has the status there for an owner', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord');
  const [inRoom, direct] = [
    { platform: 'discord', chat: 'room', user: 'you' },
    { platform: 'discord', chat: 'dm', user: 'you' },
  ] as const;
  await house.ask(direct, '/timezone Europe/Berlin');
  await house.ask(inRoom, '/remind in 3 hours bail out');
  await house.ask(inRoom, '/remind yes');
  await found('the name of the room', async () =>
    (await titlesIn(house)).some((title) => title.startsWith('#general')) ? true : undefined,
  );
  assert.match(await house.ask(direct, '/schedules'), /bail out.*in \\?#general · \S.* · Discord/);
  assert.match(await house.ask(inRoom, '/status'), /^• this chat: \\?#general · \S.* · Discord$/m);
});

test('a viewer of the console is not given the list of rooms, and an owner is', async (t) => {
  const { house, room, says } = await openClub(t, 'discord');
  await says(room, '#engine-room · Harbour crew · Discord');
  const { url, tokenFile } = house.parley;
  const token = readFileSync(tokenFile ?? '', 'utf8').trim();
  const send = async (path: string, body: object, headers: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, ...headers },
      body: JSON.stringify(body),
    });
  const statusFor = async (role: string): Promise<number> => {
    const made = await send('/sign-in/link', { role, name: 'Ben' }, { authorization: `Bearer ${token}` });
    const signedIn = await send('/sign-in', { key: ((await made.json()) as { key: string }).key }, {});
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return (await fetch(`${url}/place`, { headers: { cookie } })).status;
  };
  assert.deepEqual([await statusFor('viewer'), await statusFor('owner')], [403, 200]);
});

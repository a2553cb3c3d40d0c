// What a message points at: pictures of the message that it answers and of its thread, alerts, whole threads, posts of forums.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LLMock } from '@copilotkit/aimock';
import { png } from '../adapters/uploads/samples.ts';
import { found } from '../support/found.ts';
import type { House } from './house.ts';
import { openModelHouse } from './model-house.ts';

const asGuest = { chat: 'room', user: 'guest' } as const;
const asYou = { chat: 'room', user: 'you' } as const;

const lastRequest = (model: LLMock): string => JSON.stringify(model.getLastRequest()?.body);
const picture = (colour: number) => ({ name: 'shot.png', mime: 'image/png', bytes: png(colour) });
const base64 = ({ bytes }: { bytes: Uint8Array }): string => Buffer.from(bytes).toString('base64');

async function answers(house: House, platform: 'discord' | 'telegram' | 'slack', count: number) {
  await found(`${platform} answers`, () => house.answers({ platform, ...asYou })[count - 1]);
}

test('the picture of the message that is answered is shown to the model, and goes when its author deletes it', async (t) => {
  const { house, model } = await openModelHouse(t, ['discord', 'telegram']);
  for (const platform of ['discord', 'telegram'] as const) {
    const server = house.sandbox[platform];
    const shot = picture(platform === 'discord' ? 1 : 2);
    const { id } = await server.say({ ...asGuest, text: 'the new sign', files: [shot] });
    await server.say({ ...asYou, text: 'what is on it?', mention: true, replyTo: id });
    await answers(house, platform, 1);
    assert.ok(lastRequest(model).includes(base64(shot)), `${platform}: the picture is in the request`);
    assert.match(lastRequest(model), /in reply to a message of Guest: .{1,4}the new sign/, platform);
    if (platform === 'telegram') continue; // Telegram tells bots of no deletion
    await server.deleteMessage(id);
    await server.say({ ...asYou, text: 'and now?', mention: true });
    await answers(house, platform, 2);
    assert.ok(!lastRequest(model).includes(base64(shot)), `${platform}: the picture is gone`);
    assert.doesNotMatch(lastRequest(model), /the new sign/, platform);
  }
});

test('pictures of a thread are shown to the model, and go when their authors delete them', async (t) => {
  const { house, model } = await openModelHouse(t, ['discord', 'slack']);
  for (const [index, platform] of (['discord', 'slack'] as const).entries()) {
    const server = house.sandbox[platform];
    const shot = picture(index + 3);
    const root = await server.say({ ...asGuest, text: 'look here' });
    const { id } = await server.say({ ...asGuest, text: 'the old sign', files: [shot], thread: root.id });
    await server.say({ ...asYou, text: 'what is on it?', thread: root.id, mention: true });
    await answers(house, platform, 1);
    assert.ok(lastRequest(model).includes(base64(shot)), `${platform}: the picture is in the request`);
    assert.match(lastRequest(model), /earlier in this thread, Guest: .{1,4}the old sign \[file shot\.png\]/);
    assert.match(lastRequest(model), /earlier in this thread, Guest: .{1,4}look here/, platform);
    await server.deleteMessage(id);
    await server.say({ ...asYou, text: 'and now?', thread: root.id, mention: true });
    await answers(house, platform, 2);
    assert.ok(!lastRequest(model).includes(base64(shot)), `${platform}: the picture is gone`);
    assert.doesNotMatch(lastRequest(model), /the old sign/, platform);
  }
});

test('an alert of another program is reported with its title, fields and link: in the room, in a reply, in a thread, passed on', async (t) => {
  const config = { channels: { slack: { replyInThread: false } } };
  const { house, model } = await openModelHouse(t, ['discord', 'slack'], config);
  const { discord, slack } = house.sandbox;
  const embeds = [
    {
      type: 'rich' as const,
      title: 'Disk is full',
      url: 'https://grafana.example/a/1',
      description: 'db-1 has 2 % left',
      author: { name: 'Grafana' },
      fields: [{ name: 'severity', value: 'critical', inline: true }],
      footer: { text: 'rule 7' },
    },
  ];
  const told =
    /Grafana.{1,4}nDisk is full \(https:\/\/grafana\.example\/a\/1\).{1,4}ndb-1 has 2 % left.{1,4}nseverity: critical.{1,4}nrule 7/;
  const alert = discord.hook({ chat: 'room', name: 'Alerts', embeds });
  await discord.say({ ...asYou, text: 'what now?', mention: true });
  await answers(house, 'discord', 1);
  assert.match(lastRequest(model), told);
  assert.match(lastRequest(model), /UTC, Alerts: /);
  await discord.say({ ...asYou, text: 'this one', mention: true, replyTo: alert.id });
  await answers(house, 'discord', 2);
  assert.match(lastRequest(model), /in reply to a message of Alerts: .{1,4}Grafana/);
  discord.forward({ chat: 'dm', user: 'you', from: alert.id });
  await found(
    'the answer in private',
    () => house.answers({ platform: 'discord', chat: 'dm', user: 'you' })[0],
  );
  assert.match(lastRequest(model), /forwarded a message of someone: .{1,4}Grafana.{1,4}nDisk is full/);

  slack.hook({
    chat: 'room',
    name: 'Alerts',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Disk is full' } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '*db-1* has <https://grafana.example/a/1|2 % left>' },
        fields: [{ type: 'mrkdwn', text: 'severity: critical' }],
      },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'rule 7' }] },
    ],
    attachments: [
      {
        title: 'Build 12 failed',
        title_link: 'https://ci.example/12',
        text: 'two tests',
        fields: [{ title: 'branch', value: 'main', short: true }],
      },
    ],
  });
  await slack.say({ ...asYou, text: 'what now?', mention: true });
  await answers(house, 'slack', 1);
  assert.match(
    lastRequest(model),
    /Alerts: .{1,4}Disk is full.{1,4}n\*db-1\* has 2 % left \(https:\/\/grafana\.example\/a\/1\) severity: critical.{1,4}nrule 7/,
  );
  assert.match(
    lastRequest(model),
    /Build 12 failed \(https:\/\/ci\.example\/12\).{1,4}ntwo tests.{1,4}nbranch: main/,
  );
});

test('a whole thread is read, page by page; of a longer one the first and the newest, and the cut is marked', async (t) => {
  const { house, model } = await openModelHouse(t, ['discord', 'slack']);
  for (const platform of ['discord', 'slack'] as const) {
    const server = house.sandbox[platform];
    const speak = async (count: number, thread: string): Promise<void> => {
      for (let number = 1; number <= count; number += 1)
        await server.say({ ...asGuest, text: `remark ${number} of them`, thread });
    };
    const short = await server.say({ ...asGuest, text: 'The lift is broken' });
    await speak(240, short.id);
    await server.say({ ...asYou, text: 'summarise this', thread: short.id, mention: true });
    await answers(house, platform, 1);
    const all = lastRequest(model);
    assert.match(
      all,
      /The lift is broken.*remark 1 of them.*remark 120 of them.*remark 240 of them/,
      platform,
    );
    assert.doesNotMatch(all, /only a part of it/, platform);
    const long = await server.say({ ...asGuest, text: 'The door is stuck' });
    await speak(420, long.id);
    await server.say({ ...asYou, text: 'summarise this', thread: long.id, mention: true });
    await answers(house, platform, 2);
    const some = lastRequest(model);
    assert.match(
      some,
      /it is longer: only a part of it follows.*The door is stuck.*remark 420 of them/,
      platform,
    );
    assert.doesNotMatch(some, /remark (1|60|100) of them/, platform);
    assert.match(some, /remark 140 of them/, platform);
  }
});

test('a forum post is reported with its title, its tags and its first message', async (t) => {
  const { house, model } = await openModelHouse(t, ['discord']);
  const { discord } = house.sandbox;
  const { id } = discord.forumPost({
    name: 'A roof for bicycles',
    tags: ['idea', 'done'],
    text: 'They get wet.',
  });
  await discord.places.say({
    account: discord.userID('you'),
    room: id,
    text: 'what is it about?',
    mention: true,
  });
  await found(
    'the answer',
    () => discord.places.messages(id).find(({ author }) => author === discord.botID)?.text,
  );
  assert.match(
    lastRequest(model),
    /about this thread: .*A roof for bicycles.*tagged idea.*earlier in this thread, Guest: .{1,4}They get wet\..*what is it about\?/,
  );
  assert.doesNotMatch(lastRequest(model), /tagged idea, done/);
});

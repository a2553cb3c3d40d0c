// Alerts, previews of links and forwards on Discord, in the shapes of its API (resources/message), as the assistant reads them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from '#adapters/discord/events/read-message.ts';
import { cardTexts } from '#adapters/discord/payloads/cards.ts';
import type { ChannelContext } from '#adapters/discord/rooms/channel-context.ts';
import { message } from './payload.ts';

const place: ChannelContext = {
  address: { platform: 'discord', account: '1', space: '5', chat: '3', kind: 'channel' },
  room: { names: { channel: 'alerts' }, restricted: false },
  open: true,
  botRoleID: '9',
  channelName: () => undefined,
  roleName: () => undefined,
};

/** As Grafana's contact point posts it through a webhook. */
const alert = {
  content: '',
  webhook_id: '77',
  author: { id: '77', username: 'Grafana', bot: true },
  embeds: [
    {
      type: 'rich',
      title: '[FIRING:1] DiskFull',
      url: 'https://grafana.example/alerting/1',
      description: 'Disk of db-1 is at 97 %',
      color: 14037554,
      fields: [
        { name: 'Instance', value: 'db-1', inline: true },
        { name: 'Since', value: '09:14', inline: true },
      ],
      footer: { text: 'Grafana v12' },
    },
  ],
};
const words =
  '[FIRING:1] DiskFull (https://grafana.example/alerting/1)\nDisk of db-1 is at 97 %\nInstance: db-1\nSince: 09:14\nGrafana v12';

test('an alert that has no separate text is a message with its title, fields and links', () => {
  const read = readMessage(message(alert), place);
  assert.deepEqual([read?.text, read?.shared, read?.actor.isBot], ['', [words], true]);
});

test('an alert that is answered, and one that is passed on, is reported whole', () => {
  const answer = message({
    type: 19,
    content: '<@1> what now?',
    message_reference: { type: 0, message_id: '90' },
    referenced_message: { id: '90', ...alert },
  });
  assert.equal(readMessage(answer, place)?.quoted?.text, words);
  const passed = message({
    content: '',
    message_reference: { type: 1, message_id: '90' },
    message_snapshots: [{ message: { content: 'see below', embeds: alert.embeds } }],
  });
  assert.deepEqual(readMessage(passed, place)?.quoted, {
    nativeID: '90',
    fromBot: false,
    forwarded: true,
    text: `see below\n${words}`,
  });
});

test('texts of components are read wherever they stand, and a card has bounds', () => {
  const components = [
    {
      type: 17,
      components: [
        { type: 10, content: 'Deploy failed' },
        { type: 9, components: [{ type: 10, content: 'job 12' }] },
      ],
    },
    { type: 1, components: [{ type: 2, label: 'Retry', style: 1, custom_id: 'x' }] },
  ];
  assert.deepEqual(cardTexts(message({ content: '', components })), ['Deploy failed', 'job 12']);
  const long = Array.from({ length: 10 }, () => ({ title: 'a', description: 'x'.repeat(4_096) }));
  assert.ok(cardTexts(message({ embeds: long })).join('').length <= 6_000);
});
